import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct ChunkWalkTests {
    private func entry(_ number: UInt8, _ length: Int) -> ChunkEntry {
        ChunkEntry(name: Bytes32(repeating: number), length: length)
    }

    private func list(_ lengths: Int...) -> ChunkList {
        var list = ChunkList()
        for (number, length) in lengths.enumerated() {
            list.append(entry(UInt8(number), length))
        }
        return list
    }

    private func deep(_ size: UInt64, parts: Int) throws -> FileValue {
        var parts = [Int](repeating: 36, count: parts).map { ($0) }
        var chunks = ChunkList()
        while let length = parts.popLast() { chunks.append(entry(200, length)) }
        return try #require(
            FileValue(
                name: "a", mediaType: "", size: size, digest: FileBench.key, key: FileBench.key,
                isDeep: true, chunks: chunks))
    }

    @Test func `a flat file is walked from its first chunk to its last`() throws {
        let chunks = list(70_000, 65_536, 3)
        let file = try #require(
            FileValue(
                name: "a", mediaType: "", size: 135_539, digest: FileBench.key, key: FileBench.key,
                isDeep: false, chunks: chunks))
        var walk = ChunkWalk(file)
        for index in 0..<3 {
            #expect(walk.step == .content(chunks[index]))
            walk.pass()
        }
        #expect(walk.step == .end && walk.offset == file.size)
    }

    @Test func `a deep file is walked part by part`() throws {
        var walk = ChunkWalk(try deep(140_001, parts: 2))
        #expect(walk.step == .list(entry(200, 36)))
        try walk.enter(list(70_000).bytes)
        #expect(walk.step == .content(entry(0, 70_000)))
        walk.pass()
        #expect(walk.step == .list(entry(200, 36)))
        try walk.enter(list(70_000, 1).bytes)
        walk.pass()
        walk.pass()
        #expect(walk.step == .end && walk.offset == 140_001)
    }

    @Test func `a part that lies ends the walk`() throws {
        // The last one with another sum, a short chunk before the last, none at all, half an entry,
        // a chunk too long, and a part that leaves nothing for the others.
        for (parts, bytes) in [
            (1, list(70_000, 2).bytes), (1, list(30_000, 40_001).bytes), (1, []),
            (1, [1, 2, 3]), (1, list(Limits.chunkMaximumBytes + 1).bytes),
            (2, list(70_000, 70_000).bytes), (2, list(70_001).bytes), (2, list(1).bytes),
        ] as [(Int, [UInt8])] {
            var walk = ChunkWalk(try deep(70_001, parts: parts))
            #expect(throws: FileFault.malformed) { try walk.enter(bytes) }
        }
    }
}
