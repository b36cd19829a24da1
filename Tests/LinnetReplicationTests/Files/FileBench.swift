import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Contents of files, and what they become.
enum FileBench {
    static let key = [UInt8](repeating: 7, count: 32)

    /// Bytes without any pattern, the same for the same seed.
    static func content(_ count: Int, seed: UInt8 = 1) -> [UInt8] {
        var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            BigEndian.append(state, to: &bytes)
        }
        return Array(bytes.prefix(count))
    }

    /// The file and all its chunks; the content is handed over in pieces of a length.
    static func write(
        _ content: [UInt8], key: [UInt8] = key, pieces: Int = 100_000
    ) throws -> (file: FileValue, chunks: [SealedChunk]) {
        var writer = FileWriter(key: key)
        var chunks: [SealedChunk] = []
        var start = 0
        while start < content.count {
            let end = min(content.count, start + pieces)
            try writer.push(Array(content[start..<end]))
            start = end
            while case let more = try writer.next(), !more.isEmpty { chunks += more }
        }
        while case let more = try writer.rest(), !more.isEmpty { chunks += more }
        let end = try writer.finish(name: "a.bin", mediaType: "")
        return (end.file, chunks + end.chunks)
    }
}

extension Fleet {
    /// Devices of an application whose records hold files.
    static func ofPictures() throws -> Fleet {
        let fleet = Fleet()
        fleet.schema = try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "picture", scope: "album",
                    fields: [
                        Field(id: 1, name: "title", type: .text),
                        Field(id: 2, name: "image", kind: .file),
                    ])
            ])
        return fleet
    }
}

extension Device {
    /// Attaches a file, as a node does.
    @discardableResult
    func attach(
        _ content: [UInt8], to record: RecordKey? = nil, at now: Moment
    ) throws -> FileValue {
        let key = record ?? self.key
        guard let begun = try replica?.beginFile(in: key, field: 2) else { throw Closed() }
        let (file, chunks) = try FileBench.write(content, key: begun.key)
        for chunk in chunks { try replica?.keepChunks([chunk], owner: begun.owner) }
        let end = try replica?.endFile(file, owner: begun.owner, in: key, field: 2, at: now)
        perform(end?.1 ?? [])
        return file
    }

    /// The file that shows.
    var file: FileValue? {
        get throws { try replica?.file(in: key, field: 2) }
    }

    /// Begins to fetch the file that shows.
    @discardableResult
    func fetch(at now: Moment) throws -> Bytes32 {
        guard let file = try file, let begun = try replica?.fetchFile(file, at: now) else {
            throw Closed()
        }
        perform(begun.1)
        return begun.0
    }

    /// What was told of the ends of files that were fetched.
    var ends: [FileFault?] {
        events.compactMap { event -> FileFault?? in
            if case .fileEnded(_, let fault) = event { .some(fault) } else { nil }
        }
    }

    /// The whole content of the file that shows.
    func content(of record: RecordKey? = nil) throws -> [UInt8] {
        guard let file = try replica?.file(in: record ?? key, field: 2) else { throw Closed() }
        var reader = FileReader(file)
        var bytes: [UInt8] = []
        while let more = try replica?.readFile(&reader) ?? nil { bytes += more }
        return bytes
    }
}
