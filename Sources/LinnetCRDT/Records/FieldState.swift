/// The winning change of a field of which the latest change wins.
package struct FieldState: Equatable, Sendable {
    /// The record's generation that the change belongs to; always odd.
    package let generation: UInt32
    /// When it was made.
    package let stamp: Timestamp
    /// The op that made it.
    package let position: Position
    /// The op's payload as it came.
    package let payload: [UInt8]

    /// Joins the parts.
    package init(generation: UInt32, stamp: Timestamp, position: Position, payload: [UInt8]) {
        self.generation = generation
        self.stamp = stamp
        self.position = position
        self.payload = payload
    }

    /// Whether this change wins over `other`: by generation, then stamp, then position.
    package func wins(over other: FieldState) -> Bool {
        if generation != other.generation { return generation > other.generation }
        if stamp != other.stamp { return stamp > other.stamp }
        return position > other.position
    }
}
