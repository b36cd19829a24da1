import LinnetCRDT
import LinnetWire

/// The question of one side of a session to the other one: for one block of one chunk at a time, so
/// that no change waits behind more than one block.
struct BlockAsking {
    /// A chunk that comes block by block.
    struct Chunk {
        /// The file that it is fetched for.
        let file: Bytes32
        let entry: ChunkEntry
        /// The blocks that came.
        var bytes: [UInt8] = []
        /// The time at which a block was asked for, in uptime milliseconds; nil while none is.
        var askedAt: Int64?
        /// True when the peer was silent for so long that others are asked, too.
        var isGivenUp = false
    }

    /// The chunk under way; nil when none is.
    var chunk: Chunk?
    /// The files of which the peer lacked a chunk.
    var lacking: OrderedSet<Bytes32> = OrderedSet()
    /// True when the peer gave something else than it was asked for; it is asked for nothing more.
    var hasLied = false

    /// The chunk that nobody else is asked for meanwhile.
    var claimed: Bytes32? {
        guard let chunk, !chunk.isGivenUp else { return nil }
        return chunk.entry.name
    }
}
