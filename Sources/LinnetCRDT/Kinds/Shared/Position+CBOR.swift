package import LinnetWire

extension Position {
    /// The largest number of bytes that `write(to:)` takes.
    static let encodedBytes = 32

    /// Writes [chain, seq, index], as op payloads name another op.
    package func write(to writer: inout CBORWriter) {
        writer.array(3)
        writer.bytes(chain)
        writer.unsigned(seq)
        writer.unsigned(UInt64(index))
    }

    /// Reads what `write(to:)` wrote.
    package init(from reader: inout CBORReader) throws(WireError) {
        try reader.array(exactly: 3)
        let chain = try reader.bytes16()
        try self.init(chain: chain, placeFrom: &reader)
    }

    /// Writes [chain index, seq, index]; `chains` holds the chain.
    package func write(to writer: inout CBORWriter, chains: OrderedSet<AuthorID>) {
        let chainIndex = chains.lowerBound(of: chain)
        precondition(
            chainIndex < chains.count && chains.elements[chainIndex] == chain,
            "every chain of a state was collected")
        writer.array(3)
        writer.unsigned(UInt64(chainIndex))
        writer.unsigned(seq)
        writer.unsigned(UInt64(index))
    }

    /// Reads what `write(to:chains:)` wrote; throws `tooLarge` for a chain outside the table.
    package init(from reader: inout CBORReader, chains: [AuthorID]) throws(WireError) {
        try reader.array(exactly: 3)
        let chainIndex = Int(try reader.unsigned(max: UInt64(UInt32.max)))
        guard chains.indices.contains(chainIndex) else { throw .tooLarge }
        try self.init(chain: chains[chainIndex], placeFrom: &reader)
    }

    private init(chain: AuthorID, placeFrom reader: inout CBORReader) throws(WireError) {
        let seq = try reader.unsigned(max: UInt64(Int64.max))
        let index = UInt32(try reader.unsigned(max: UInt64(UInt32.max)))
        self.init(chain: chain, seq: seq, index: index)
    }
}
