/// The knowledge of the deletes that moved a record to its generation.
package struct Deletion: Equatable, Sendable {
    /// The time at which the latest of them was made.
    package private(set) var stamp: Timestamp
    /// The latest of them.
    package private(set) var position: Position
    /// The writes of the record that any of them had seen.
    package private(set) var context: CausalContext

    /// Takes one delete.
    package init(stamp: Timestamp, position: Position, context: CausalContext) {
        self.stamp = stamp
        self.position = position
        self.context = context
    }

    /// Joins another delete of the same generation.
    mutating func merge(_ other: Deletion) {
        if (other.stamp, other.position) > (stamp, position) {
            stamp = other.stamp
            position = other.position
        }
        context.merge(other.context)
    }
}

extension CausalContext {
    /// Returns true when everything that `other` has seen was seen here.
    package func covers(_ other: CausalContext) -> Bool {
        other.lasts.allSatisfy { covers($0) }
    }
}
