/// The fate of an op that was merged into a record.
package enum ApplyOutcome: Equatable, Sendable {
    /// It changed the record's state.
    case won
    /// The state was already past it.
    case lost
    /// It means nothing on any replica, and is set aside.
    case quarantined(QuarantineReason)
    /// Its kind is one that this version does not merge, and it is kept for a later one.
    case unknownKind
}
