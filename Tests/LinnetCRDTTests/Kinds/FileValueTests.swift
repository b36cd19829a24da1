import LinnetWire
import Testing

@testable import LinnetCRDT

/// A file of some chunks, as a record holds it.
enum SampleFile {
    static let bytes = [UInt8](repeating: 7, count: 32)

    static func list(_ lengths: [Int]) -> ChunkList {
        var list = ChunkList()
        for (number, length) in lengths.enumerated() {
            let name = Bytes32(repeating: UInt8(truncatingIfNeeded: number))
            list.append(ChunkEntry(name: name, length: length))
        }
        return list
    }

    static func make(
        name: String = "tea.png", type: String = "image/png", _ lengths: [Int] = [70_000, 5],
        size: UInt64? = nil, isDeep: Bool = false
    ) -> FileValue? {
        FileValue(
            name: name, mediaType: type,
            size: size ?? lengths.reduce(0) { $0 + UInt64($1) }, digest: bytes, key: bytes,
            isDeep: isDeep, chunks: list(lengths))
    }
}

struct FileValueTests {
    @Test func `a file is read as it was written`() throws {
        for file in [
            SampleFile.make(), SampleFile.make([]), SampleFile.make(type: ""),
            SampleFile.make([36, 72], size: 1 << 36, isDeep: true),
        ] {
            let file = try #require(file)
            let payload = try file.value.encoded()
            #expect(FileValue(try Value.decode(payload)) == file)
        }
    }

    @Test func `a person reads no key`() throws {
        let file = try #require(SampleFile.make())
        #expect(file.description == "tea.png (image/png, 70005 bytes)")
        #expect(file.value.description == file.description)
        #expect(try #require(SampleFile.make(type: "", [1])).description == "tea.png (1 byte)")
    }

    @Test func `names that are paths, and texts with control characters, are no files`() {
        let long = String(repeating: "a", count: 256)
        for name in ["", "/", "a/b", ".", "..", "a\n", "a\u{85}", long] {
            #expect(SampleFile.make(name: name) == nil, "\(name)")
        }
        #expect(SampleFile.make(name: String(repeating: "a", count: Limits.fileNameBytes)) != nil)
        let type = String(repeating: "a", count: Limits.mediaTypeBytes)
        #expect(SampleFile.make(type: type) != nil && SampleFile.make(type: type + "a") == nil)
        #expect(SampleFile.make(type: "a\0") == nil)
    }

    @Test func `lengths that cannot be are refused`() {
        #expect(SampleFile.make([65_535, 5]) == nil)
        #expect(SampleFile.make([65_536, 0]) == nil)
        #expect(SampleFile.make([Limits.chunkMaximumBytes + 1]) == nil)
        #expect(SampleFile.make([70_000], size: 70_001) == nil)
        let most = [Int](repeating: 70_000, count: Limits.inlineChunks)
        #expect(SampleFile.make(most) != nil && SampleFile.make(most + [1]) == nil)
        let parts = [Int](repeating: 36, count: Limits.manifestParts)
        #expect(SampleFile.make(parts, size: 1, isDeep: true) != nil)
        #expect(SampleFile.make(parts + [36], size: 1, isDeep: true) == nil)
        #expect(SampleFile.make([], isDeep: true) == nil)
        for length in [0, 35, Limits.chunksPerPart * 36 + 36] {
            #expect(SampleFile.make([length], size: 1, isDeep: true) == nil)
        }
        #expect(SampleFile.make([36], size: Limits.fileBytes, isDeep: true) != nil)
        #expect(SampleFile.make([36], size: Limits.fileBytes + 1, isDeep: true) == nil)
    }

    @Test func `other values are no files`() throws {
        guard case .list(let parts)? = SampleFile.make()?.value else {
            Issue.record("a file is a list")
            return
        }
        #expect(FileValue(.list(parts + [.null])) == nil && FileValue(.list([])) == nil)
        for index in parts.indices {
            var wrong = parts
            wrong[index] = .null
            #expect(FileValue(.list(wrong)) == nil)
        }
        for (index, value) in [
            (2, Value.int(-1)), (3, .bytes([1])), (4, .bytes([1])), (5, .int(2)), (6, .bytes([1])),
        ] {
            var wrong = parts
            wrong[index] = value
            #expect(FileValue(.list(wrong)) == nil)
        }
        #expect(FileValue(.text("tea.png")) == nil)
    }
}
