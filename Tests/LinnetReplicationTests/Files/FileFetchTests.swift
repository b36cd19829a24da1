import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileFetchTests {
    private let bench: Workbench
    private var store: any Store { bench.turn.store }

    init() throws { bench = try Workbench() }

    private func keep(_ chunk: SealedChunk) throws {
        try store.begin(.full)
        _ = try store.putChunk(chunk.entry.name, chunk.bytes)
        try store.commit()
    }

    @Test func `what is here is passed over, and the rest asked for, lists first`() throws {
        let (file, chunks) = try FileBench.write(FileBench.content(24 << 20), pieces: 1 << 20)
        let content = chunks.filter { $0.entry.length % 36 != 0 || $0.bytes.count > 60_000 }
        try keep(content[1])
        var fetch = FileFetch(file)
        var asked: [ChunkEntry] = []
        while !fetch.isComplete {
            while fetch.mayAdvance { try fetch.advance(in: store) }
            #expect(fetch.fault == nil)
            guard let entry = fetch.take() else {
                Issue.record("nothing is asked for")
                return
            }
            asked.append(entry)
            try keep(try #require(chunks.first { $0.entry == entry }))
            let came = [fetch.came(entry.name), fetch.came(entry.name)]
            #expect(came == [true, false])
        }
        #expect(asked.first == file.chunks[0])
        #expect(Set(asked).count == asked.count && asked.count == chunks.count - 1)
        #expect(fetch.doneBytes == file.size)
    }

    @Test func `content that occurs twice is asked for once`() throws {
        let half = FileBench.content(Limits.chunkMinimumBytes)
        let sealer = ChunkSealer(fileKey: FileBench.key)
        let entry = sealer.seal(half, .content).entry
        var list = ChunkList()
        list.append(entry)
        list.append(entry)
        let file = try #require(
            FileValue(
                name: "a", mediaType: "", size: UInt64(2 * half.count), digest: FileBench.key,
                key: FileBench.key, isDeep: false, chunks: list))
        var fetch = FileFetch(file)
        while fetch.mayAdvance { try fetch.advance(in: store) }
        let taken = [fetch.take(), fetch.take()]
        #expect(taken == [entry, nil] && !fetch.isComplete)
        let came = fetch.came(entry.name)
        #expect(came && fetch.isComplete)
    }

    @Test func `a list that does not open ends the fetching`() throws {
        let (file, _) = try FileBench.write(FileBench.content(24 << 20), pieces: 1 << 20)
        try store.begin(.full)
        _ = try store.putChunk(file.chunks[0].name, [1, 2, 3])
        try store.commit()
        var fetch = FileFetch(file)
        try fetch.advance(in: store)
        let taken = fetch.take()
        #expect(fetch.fault == .altered && taken == nil && !fetch.mayAdvance)
    }
}
