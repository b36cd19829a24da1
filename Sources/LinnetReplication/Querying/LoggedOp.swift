package import LinnetCRDT
package import LinnetWire

/// An op on a record, as the batches hold it.
package struct LoggedOp: Equatable, Sendable {
    /// What became of an op.
    package enum Fate: Equatable, Sendable {
        /// It shows, or is a part of what shows.
        case shows
        /// Another op took its place, which is named where it is known.
        case lost(to: Position?)
        /// It belongs to the record as it was before a delete.
        case deleted
        /// It has no effect, on any replica.
        case quarantined(QuarantineReason)
        /// This version does not know its collection, field or kind.
        case unknown
        /// Its batch is stored but not visible yet; a sentence says what it waits for.
        case waiting(String)
    }

    /// Where it stands.
    package let position: Position
    /// The device that wrote it.
    package let device: DeviceID
    /// The time of its transaction, by the writer's clock.
    package let written: Timestamp
    /// The time under which it is compared with others.
    package let stamp: Timestamp
    /// What it says.
    package let operation: Operation
    /// What became of it.
    package let fate: Fate
}

/// Why a field shows what it shows.
package struct FieldReport: Equatable, Sendable {
    /// Whether a device has what shows; nil when it has not said.
    package struct Holder: Equatable, Sendable {
        /// The device.
        package let device: DeviceID
        /// Whether it holds every op that shows; nil when it has not said what it holds.
        package let holds: Bool?
    }

    /// The ops that show, newest first, as far as they were looked for.
    package let winners: [LoggedOp]
    /// The latest ops that do not show, newest first.
    package let others: [LoggedOp]
    /// The members of the group, this device first.
    package let holders: [Holder]
    /// What is stored but does not show yet, and why, in sentences.
    package let waiting: [String]
}
