import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct BlockAskingTests {
    private let name = Bytes32(repeating: 1)

    @Test func `a chunk that was given up is free for others`() {
        var asking = BlockAsking()
        #expect(asking.claimed == nil)
        asking.chunk = BlockAsking.Chunk(file: name, entry: ChunkEntry(name: name, length: 5))
        #expect(asking.claimed == name)
        asking.chunk?.isGivenUp = true
        #expect(asking.claimed == nil)
    }
}
