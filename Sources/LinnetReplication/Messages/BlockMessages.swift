import LinnetWire

/// The sender asks for the block of a chunk that begins at a place.
struct BlockGetMessage: Equatable, Sendable {
    /// The name of the chunk.
    var name: Bytes32
    /// The number of bytes before the block, a multiple of ``Limits/blockBytes``.
    var offset: Int

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(2)
        writer.bytes(name)
        writer.unsigned(UInt64(offset))
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BlockGetMessage {
        var reader = CBORReader(body)
        try reader.array(exactly: 2)
        let name = try reader.bytes32()
        let most = Limits.chunkMaximumBytes + Limits.chunkOverheadBytes - 1
        let offset = Int(try reader.unsigned(max: UInt64(most)))
        try reader.finish()
        guard offset % Limits.blockBytes == 0 else { throw .badLength }
        return BlockGetMessage(name: name, offset: offset)
    }
}

/// A block of the chunk that was asked for.
enum BlockMessage {
    static func encode(_ block: [UInt8]) -> [UInt8] {
        var writer = CBORWriter()
        writer.bytes(block)
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> [UInt8] {
        var reader = CBORReader(body)
        let block = try reader.bytes(max: Limits.blockBytes)
        try reader.finish()
        return block
    }
}

/// The answer of who does not hold the chunk that was asked for.
enum BlockNoneMessage {
    static let encoded: [UInt8] = [0x80]

    static func decode(_ body: [UInt8]) throws(WireError) {
        guard body == encoded else { throw .badLength }
    }
}
