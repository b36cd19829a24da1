import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct FileReaderTests {
    private let bench: Workbench
    private var store: any Store { bench.turn.store }
    private let content = FileBench.content(1_500_000)

    init() throws { bench = try Workbench() }

    private func keep(_ chunks: some Sequence<SealedChunk>) throws {
        try store.begin(.full)
        for chunk in chunks { _ = try store.putChunk(chunk.entry.name, chunk.bytes) }
        try store.commit()
    }

    private func read(_ file: FileValue) throws -> [UInt8] {
        var reader = FileReader(file)
        var bytes: [UInt8] = []
        while let more = try reader.next(in: store) { bytes += more }
        #expect(try reader.next(in: store) == nil)
        return bytes
    }

    @Test func `what was written is read`() throws {
        let (file, chunks) = try FileBench.write(content)
        try keep(chunks)
        #expect(try read(file) == content)
        #expect(try read(try FileBench.write([]).file).isEmpty)
    }

    @Test func `a chunk that is not here is told`() throws {
        let (file, chunks) = try FileBench.write(content)
        try keep(chunks.dropLast())
        #expect(throws: FileReading.fault(.notHeld)) { try read(file) }
    }

    @Test func `a content that is not what the value says never ends well`() throws {
        let (file, chunks) = try FileBench.write(content)
        try keep(chunks)
        let lie = try #require(
            FileValue(
                name: file.name, mediaType: "", size: file.size,
                digest: [UInt8](repeating: 1, count: 32), key: file.key, isDeep: false,
                chunks: file.chunks))
        #expect(throws: FileReading.fault(.altered)) { try read(lie) }
        let wrongKey = try #require(
            FileValue(
                name: file.name, mediaType: "", size: file.size, digest: file.digest,
                key: [UInt8](repeating: 9, count: 32), isDeep: false, chunks: file.chunks))
        #expect(throws: FileReading.fault(.altered)) { try read(wrongKey) }
    }
}
