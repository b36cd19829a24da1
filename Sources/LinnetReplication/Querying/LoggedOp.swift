package import LinnetCRDT
package import LinnetWire

/// An op on a record as the batches hold it.
package struct LoggedOp: Equatable, Sendable {
    /// The fate of an op.
    package enum Fate: Equatable, Sendable {
        /// It shows, or is a part of what shows.
        case shows
        /// Another op took its place, which is named where it is known.
        case lost(to: Position?)
        /// It belongs to the record as it was before a delete.
        case deleted
        /// It has no effect on any replica.
        case quarantined(QuarantineReason)
        /// This version does not know its collection, field or kind.
        case unknown
        /// Its batch is stored but not visible yet; a sentence says what it waits for.
        case waiting(String)
    }

    /// The place at which it stands.
    package let position: Position
    /// The device that wrote it.
    package let device: DeviceID
    /// The member that brought it here from another group; nil where its writer is of this group.
    package let broughtBy: DeviceID?
    /// The time of its transaction, by the writer's clock.
    package let written: Timestamp
    /// The time under which it is compared with others.
    package let stamp: Timestamp
    /// The op itself.
    package let operation: Operation
    /// Its fate.
    package let fate: Fate
}

/// The explanation of what a field shows.
package struct FieldReport: Equatable, Sendable {
    /// A member of the group, and whether it has what shows.
    package struct Holder: Equatable, Sendable {
        /// The device.
        package let device: DeviceID
        /// True when it holds every op that shows; nil when it has not said what it holds.
        package let holds: Bool?
    }

    /// The ops that show, newest first, as far as they were looked for.
    package let winners: [LoggedOp]
    /// The latest ops that do not show, newest first.
    package let others: [LoggedOp]
    /// The members of the group, this device first.
    package let holders: [Holder]
    /// The batches that do not show yet, and what they wait for, in sentences.
    package let waiting: [String]
}
