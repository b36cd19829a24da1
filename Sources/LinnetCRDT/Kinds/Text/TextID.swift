import LinnetWire

/// The name of one Unicode scalar of a text: the op that inserted it, and its place in that op.
package struct TextID: Hashable, Comparable, Sendable {
    /// The op that inserted the scalar.
    package let position: Position
    /// The number of scalars of that op that stand before it.
    package let offset: UInt32

    /// Names one scalar.
    package init(position: Position, offset: UInt32) {
        self.position = position
        self.offset = offset
    }

    /// Orders by op, then by place in the op; siblings of a text's tree stand in this order too.
    package static func < (left: TextID, right: TextID) -> Bool {
        if left.position != right.position { return left.position < right.position }
        return left.offset < right.offset
    }
}

extension TextID {
    /// Writes the four parts as items, the chain in full.
    func write(to writer: inout CBORWriter) {
        writer.bytes(position.chain)
        writer.unsigned(position.seq)
        writer.unsigned(UInt64(position.index))
        writer.unsigned(UInt64(offset))
    }

    /// Reads what `write(to:)` wrote.
    init(from reader: inout CBORReader) throws(WireError) {
        let chain = try reader.bytes16()
        let seq = try reader.unsigned(max: UInt64(Int64.max))
        let index = try reader.unsigned32()
        self.init(
            position: Position(chain: chain, seq: seq, index: index),
            offset: try reader.unsigned32())
    }
}

extension CBORReader {
    /// Reads an integer of at most 32 bits.
    mutating func unsigned32() throws(WireError) -> UInt32 {
        UInt32(truncatingIfNeeded: try unsigned(max: UInt64(UInt32.max)))
    }
}
