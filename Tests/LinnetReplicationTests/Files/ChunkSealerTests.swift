import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct ChunkSealerTests {
    private let content = FileBench.content(70_000)

    @Test func `the same content under one key is one chunk, and another under another key`() {
        let sealer = ChunkSealer(fileKey: FileBench.key)
        let other = ChunkSealer(fileKey: [UInt8](repeating: 8, count: 32))
        let chunk = sealer.seal(content, .content)
        #expect(chunk.bytes == sealer.seal(content, .content).bytes)
        #expect(chunk.entry.name != other.seal(content, .content).entry.name)
        #expect(chunk.entry.length == content.count)
        #expect(chunk.bytes.count == content.count + Limits.chunkOverheadBytes)
        #expect(chunk.bytes.count == chunk.entry.sealedBytes)
        #expect(ChunkSealer.name(of: chunk.bytes) == chunk.entry.name)
    }

    @Test func `a list never passes for content, nor anything that was changed`() throws {
        let sealer = ChunkSealer(fileKey: FileBench.key)
        let chunk = sealer.seal(content, .list)
        #expect(try sealer.open(chunk.bytes, .list) == content)
        #expect(throws: FileFault.altered) { try sealer.open(chunk.bytes, .content) }
        var wrong = chunk.bytes
        wrong[100] ^= 1
        #expect(throws: FileFault.altered) { try sealer.open(wrong, .list) }
        #expect(throws: FileFault.altered) { try sealer.open([], .list) }
    }
}
