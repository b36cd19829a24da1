import LinnetCRDT
import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileWriterTests {
    @Test func `a file of few chunks names them itself`() throws {
        let content = FileBench.content(2_000_000)
        let (file, chunks) = try FileBench.write(content)
        #expect(!file.isDeep && file.size == 2_000_000)
        #expect(file.digest == Hash.blake2b(nil, content))
        #expect((0..<file.chunks.count).map { file.chunks[$0] } == chunks.map(\.entry))
    }

    @Test func `an empty file has no chunk`() throws {
        let (file, chunks) = try FileBench.write([])
        #expect(file.size == 0 && file.chunks.count == 0 && chunks.isEmpty && !file.isDeep)
    }

    @Test func `a file of many chunks names parts of a list, and they the chunks`() throws {
        let content = FileBench.content(24 << 20)
        let (file, chunks) = try FileBench.write(content, pieces: 1 << 20)
        #expect(file.isDeep)
        let sealer = ChunkSealer(fileKey: FileBench.key)
        var rest = content[...]
        var named = 0
        for index in 0..<file.chunks.count {
            let part = try #require(chunks.first { $0.entry == file.chunks[index] })
            let list = try #require(ChunkList(try sealer.open(part.bytes, .list)))
            for place in 0..<list.count {
                let chunk = try #require(chunks.first { $0.entry == list[place] })
                let opened = try sealer.open(chunk.bytes, .content)
                #expect(rest.starts(with: opened))
                rest = rest.dropFirst(opened.count)
                named += 1
            }
        }
        #expect(rest.isEmpty && named > Limits.inlineChunks)
        #expect(chunks.count == named + file.chunks.count)
    }

    @Test func `a version with a changed piece shares all other chunks`() throws {
        var content = FileBench.content(24 << 20)
        let before = try FileBench.write(content, pieces: 1 << 20)
        for index in 0..<100_000 { content[12 << 20 + index] ^= 0x55 }
        let after = try FileBench.write(content, pieces: 1 << 20)
        let known = Set(before.chunks.map(\.entry))
        let new = after.chunks.map(\.entry).filter { !known.contains($0) }
        #expect(new.reduce(0) { $0 + $1.length } < 3 << 20)
    }

    @Test(arguments: ["", "a/b", "..", "a\u{7}", String(repeating: "a", count: 256)])
    func `a name that is none everywhere is refused`(_ name: String) throws {
        #expect(throws: FileFault.malformed) {
            _ = try FileWriter(key: FileBench.key).finish(name: name, mediaType: "")
        }
    }
}
