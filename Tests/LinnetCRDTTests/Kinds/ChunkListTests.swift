import LinnetWire
import Testing

@testable import LinnetCRDT

struct ChunkListTests {
    @Test func `entries come back in their order`() throws {
        let list = SampleFile.list([70_000, 1 << 20, 5])
        #expect(list.count == 3 && list.total == 70_000 + 1 << 20 + 5)
        #expect(list[1] == ChunkEntry(name: Bytes32(repeating: 1), length: 1 << 20))
        #expect(list[2].sealedBytes == 45)
        #expect(list.bytes.count == 3 * ChunkList.entryBytes)
        #expect(ChunkList(list.bytes) == list)
        #expect(ChunkList(Array(list.bytes.dropLast())) == nil)
    }

    @Test func `only the last piece of a file may be short`() {
        let list = SampleFile.list([70_000, 5])
        #expect(list.areContent(endsFile: true) && !list.areContent(endsFile: false))
        #expect(SampleFile.list([65_536]).areContent(endsFile: false))
        #expect(!SampleFile.list([5, 70_000]).areContent(endsFile: true))
    }
}
