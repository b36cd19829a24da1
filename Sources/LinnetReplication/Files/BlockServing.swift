import LinnetCRDT
import LinnetWire

/// The block that the other side asked for, and the chunk of which it was given blocks last.
struct BlockServing {
    /// The block that was asked for and not sent.
    var asked: BlockGetMessage?
    private var name: Bytes32?
    private var bytes: [UInt8] = []

    /// Returns true when the chunk at hand has the name.
    func holds(_ wanted: Bytes32) -> Bool { name == wanted }

    /// Takes a chunk at hand.
    mutating func hold(_ wanted: Bytes32, _ chunk: [UInt8]) { (name, bytes) = (wanted, chunk) }

    /// Returns the block that was asked for; nil when the chunk is not here, or has another length
    /// than a file says.
    mutating func block(_ asked: BlockGetMessage) -> [UInt8]? {
        guard name == asked.chunk.name, bytes.count == asked.chunk.sealedBytes,
            asked.offset < bytes.count
        else { return nil }
        let end = min(bytes.count, asked.offset + Limits.blockBytes)
        defer { if end == bytes.count { (name, bytes) = (nil, []) } }
        return Array(bytes[asked.offset..<end])
    }
}
