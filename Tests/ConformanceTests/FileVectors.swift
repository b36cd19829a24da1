import LinnetCRDT
import LinnetCrypto
import LinnetReplication
import LinnetWire

/// Files: the table, where content is cut, chunks, lists, values, and what must be refused.
enum FileVectors {
    static let key = (UInt8(0)..<32).map { $0 }

    static func make() throws -> JSON {
        let small = try written(content(3))
        let large = try written(content(1_000_000))
        let deep = try written(content(20 << 20))
        return [
            "about": "docs/attachments.md: all files have one key.",
            "key": .hex(key),
            "gear": .array(FileFacts.gear(key).map { .hex($0.bytes) }),
            "content": [
                "says": "byte i is byte i mod 32 of BLAKE2b-256 of u32 i / 32, big endian",
                "first": .hex(Array(content(64))),
            ],
            "chunk": try chunk(),
            "small": facts(small),
            "large": facts(large),
            "deep": facts(deep),
            "refused": .array(try refused(small.file)),
        ]
    }

    /// Bytes that everybody can make.
    static func content(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 32)
        var block: UInt32 = 0
        while bytes.count < count {
            var number: [UInt8] = []
            BigEndian.append(block, to: &number)
            bytes += Hash.blake2b(nil, number)
            block += 1
        }
        return Array(bytes.prefix(count))
    }

    static func written(
        _ content: [UInt8]
    ) throws -> (file: FileValue, chunks: [SealedChunk]) {
        var writer = FileWriter(key: key)
        var chunks: [SealedChunk] = []
        var start = 0
        while start < content.count {
            let end = min(content.count, start + 1 << 20)
            try writer.push(Array(content[start..<end]))
            start = end
            while case let more = try writer.next(), !more.isEmpty { chunks += more }
        }
        while case let more = try writer.rest(), !more.isEmpty { chunks += more }
        let end = try writer.finish(name: "tea.png", mediaType: "image/png")
        return (end.file, chunks + end.chunks)
    }

    private static func chunk() throws -> JSON {
        let sealer = ChunkSealer(fileKey: key)
        let piece = Array("a cup of tea".utf8)
        let content = sealer.seal(piece, .content)
        let list = sealer.seal(piece, .list)
        return [
            "piece": .hex(piece), "content": .hex(content.bytes),
            "contentName": .hex(content.entry.name.array), "list": .hex(list.bytes),
            "listName": .hex(list.entry.name.array),
        ]
    }

    private static func facts(_ written: (file: FileValue, chunks: [SealedChunk])) -> JSON {
        let file = written.file
        let list = written.chunks.filter { chunk in
            file.isDeep && (0..<file.chunks.count).contains { file.chunks[$0] == chunk.entry }
        }
        let pieces = written.chunks.filter { chunk in
            !list.contains { $0.entry == chunk.entry }
        }
        return [
            "size": .number(Int64(file.size)), "hash": .hex(file.digest),
            "lengths": .array(pieces.map { .number(Int64($0.entry.length)) }),
            "names": .array(pieces.map { .hex($0.entry.name.array) }),
            "parts": .array(list.map { .hex($0.bytes) }),
            "payload": .hex((try? file.value.encoded()) ?? []),
        ]
    }

    /// Payloads of the operation *file set* that are set aside.
    private static func refused(_ file: FileValue) throws -> [JSON] {
        guard case .list(let parts) = file.value else { return [] }
        let wrong: [(String, Int, Value)] = [
            ("a name that is a path", 0, .text("a/b")), ("no name", 0, .text("")),
            ("a name of two dots", 0, .text("..")),
            ("a name with a control character", 0, .text("a\u{85}")),
            ("a media type with a control character", 1, .text("a\n")),
            ("another size than the sum", 2, .int(4)), ("a negative size", 2, .int(-3)),
            ("a hash of 31 bytes", 3, .bytes([UInt8](repeating: 0, count: 31))),
            ("a key of 33 bytes", 4, .bytes([UInt8](repeating: 0, count: 33))),
            ("depth 2", 5, .int(2)), ("depth 1 with the length of content", 5, .int(1)),
            ("half an entry", 6, .bytes([UInt8](repeating: 0, count: 35))),
        ]
        var facts: [JSON] = []
        for (name, index, value) in wrong {
            var other = parts
            other[index] = value
            facts.append(
                ["name": .text(name), "payload": .hex(try Value.list(other).encoded())])
        }
        facts.append(
            ["name": "a text", "payload": .hex(try Value.text("tea.png").encoded())])
        return facts
    }
}

/// The table of a file, from the page alone.
enum FileFacts {
    static func gear(_ key: [UInt8]) -> [UInt64] {
        let secret = SecretBytes(copying: key)
        return (UInt8.min...UInt8.max).map { byte in
            Hash.keyed(by: secret, .gear, [byte]).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// Where a content is cut, as the page says it.
    static func lengths(_ content: [UInt8], _ gear: [UInt64]) -> [Int] {
        var lengths: [Int] = []
        var start = 0
        while start < content.count {
            let left = content.count - start
            var length = left
            if left > 65_536 {
                var print: UInt64 = 0
                length = min(left, 917_504)
                for place in 65_537...length {
                    print = print &* 2 &+ gear[Int(content[start + place - 1])]
                    let bits: UInt64 = place <= 262_144 ? 20 : 16
                    if print >> (64 - bits) == 0 {
                        length = place
                        break
                    }
                }
            }
            lengths.append(length)
            start += length
        }
        return lengths
    }
}

extension UInt64 {
    fileprivate var bytes: [UInt8] {
        var bytes: [UInt8] = []
        BigEndian.append(self, to: &bytes)
        return bytes
    }
}
