/// What became of an op that was merged into a record.
package enum ApplyOutcome: Equatable, Sendable {
    /// It changed the record's state.
    case won
    /// The state was already past it.
    case lost
    /// It means nothing, on every replica: keep it aside.
    case quarantined(QuarantineReason)
    /// A kind that this version does not merge: keep it for a later one.
    case unknownKind
}
