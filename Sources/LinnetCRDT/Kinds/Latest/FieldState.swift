/// The winning change of a field in which the latest change wins.
package struct FieldState: Equatable, Sendable {
    /// The record's generation that the change belongs to; always odd.
    package let generation: UInt32
    /// The time at which it was made.
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

    /// The properties by which it wins or loses.
    package var precedence: Precedence {
        Precedence(generation: generation, stamp: stamp, position: position)
    }
}
