import LinnetCRDT
import LinnetWire

/// The sender asks for the block of a chunk that begins at a place.
struct BlockGetMessage: Equatable, Sendable {
    /// The chunk as a file names it.
    var chunk: ChunkEntry
    /// The number of bytes before the block, a multiple of ``Limits/blockBytes``.
    var offset: Int

    func encode() -> [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(chunk.name)
        writer.unsigned(UInt64(chunk.length))
        writer.unsigned(UInt64(offset))
        return writer.bytes
    }

    static func decode(_ body: [UInt8]) throws(WireError) -> BlockGetMessage {
        var reader = CBORReader(body)
        try reader.array(exactly: 3)
        let name = try reader.bytes32()
        let length = Int(try reader.unsigned(max: UInt64(Limits.chunkMaximumBytes)))
        let chunk = ChunkEntry(name: name, length: length)
        let offset = Int(try reader.unsigned(max: UInt64(chunk.sealedBytes - 1)))
        try reader.finish()
        guard length > 0, offset % Limits.blockBytes == 0 else { throw .badLength }
        return BlockGetMessage(chunk: chunk, offset: offset)
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
