/// The fate of an operation on a field, as far as the content of the field says.
package enum FieldFate: Equatable, Sendable {
    /// It shows, or is a part of what shows.
    case shows
    /// This operation, if it is known, shows in its place.
    case lost(to: Position?)
    /// An operation that names it has taken its place.
    case replaced
    /// Nothing can be said.
    case unknown
}

/// An operation of a commit, and what became of it when it was merged.
package struct PlacedOperation {
    /// The operation.
    package let operation: Operation
    /// The time at which it was made.
    package let stamp: Timestamp
    /// The place at which it stands.
    package let position: Position
    /// The outcome.
    package let outcome: ApplyOutcome

    /// Joins the facts.
    package init(
        operation: Operation, stamp: Timestamp, position: Position, outcome: ApplyOutcome
    ) {
        self.operation = operation
        self.stamp = stamp
        self.position = position
        self.outcome = outcome
    }
}
