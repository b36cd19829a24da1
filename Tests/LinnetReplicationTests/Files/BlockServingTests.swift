import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct BlockServingTests {
    private let name = Bytes32(repeating: 1)
    private let chunk = FileBench.content(40_000)

    private func get(_ offset: Int) -> BlockGetMessage {
        BlockGetMessage(chunk: ChunkEntry(name: name, length: 39_960), offset: offset)
    }

    @Test func `a chunk is given block by block, and let go of after the last`() {
        var serving = BlockServing()
        serving.hold(name, chunk)
        var blocks = [serving.block(get(0)), serving.block(get(16_384))]
        #expect(blocks == [Array(chunk[..<16_384]), Array(chunk[16_384..<32_768])])
        #expect(serving.holds(name))
        blocks = [serving.block(get(32_768))]
        #expect(blocks == [Array(chunk[32_768...])] && !serving.holds(name))
        blocks = [serving.block(get(0))]
        #expect(blocks == [nil])
    }

    @Test func `nothing is given of another chunk, nor of one that has another length`() {
        var serving = BlockServing()
        serving.hold(name, chunk)
        let other = ChunkEntry(name: Bytes32(repeating: 2), length: 39_960)
        let longer = ChunkEntry(name: name, length: 39_961)
        let blocks = [other, longer].map { serving.block(BlockGetMessage(chunk: $0, offset: 0)) }
        #expect(blocks == [nil, nil])
    }

    @Test func `messages are read as they were written`() throws {
        let ask = get(16_384)
        #expect(try BlockGetMessage.decode(ask.encode()) == ask)
        #expect(try BlockMessage.decode(BlockMessage.encode([1, 2])) == [1, 2])
        #expect(throws: Never.self) { try BlockNoneMessage.decode(BlockNoneMessage.encoded) }
    }

    @Test func `places between blocks, beyond chunks and longer blocks are refused`() {
        for offset in [1, 16_383, 49_152, 933_888] {
            #expect(throws: WireError.self) { try BlockGetMessage.decode(get(offset).encode()) }
        }
        #expect(throws: WireError.self) {
            try BlockMessage.decode(
                BlockMessage.encode([UInt8](repeating: 0, count: Limits.blockBytes + 1)))
        }
        #expect(throws: WireError.self) { try BlockNoneMessage.decode([0x81, 0x00]) }
    }
}
