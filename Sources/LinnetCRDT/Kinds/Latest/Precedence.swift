/// The properties that decide among changes of one single value, group or place.
package struct Precedence: Equatable, Sendable {
    /// The record's generation that the change belongs to; always odd.
    package let generation: UInt32
    /// The time at which it was made.
    package let stamp: Timestamp
    /// The op that made it.
    package let position: Position

    /// Joins the parts.
    package init(generation: UInt32, stamp: Timestamp, position: Position) {
        self.generation = generation
        self.stamp = stamp
        self.position = position
    }

    /// Returns true when this change wins over `other`: by generation, then stamp, then position.
    func wins(over other: Precedence) -> Bool {
        if generation != other.generation { return generation > other.generation }
        if stamp != other.stamp { return stamp > other.stamp }
        return position > other.position
    }
}
