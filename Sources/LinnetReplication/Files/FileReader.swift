package import LinnetCRDT
import LinnetCrypto
package import LinnetStorage

/// Reads the content of a file that is here, chunk by chunk, and holds it against what its value
/// says.
package struct FileReader: ~Copyable {
    private let file: FileValue
    private let sealer: ChunkSealer
    private var walk: ChunkWalk
    /// The hash of what was read; nil once the end was read.
    private var digest: BLAKE2bHasher? = BLAKE2bHasher()
    private var count: UInt64 = 0

    /// Begins at the first byte.
    package init(_ file: FileValue) {
        self.file = file
        sealer = ChunkSealer(fileKey: file.key)
        walk = ChunkWalk(file)
    }

    /// Returns the next bytes; nil at the end, once the content is known to be the file's.
    package mutating func next(in store: any Store) throws(FileReading) -> [UInt8]? {
        while true {
            switch walk.step {
            case .list(let entry): try enter(opened(entry, .list, in: store))
            case .content(let entry):
                let bytes = try opened(entry, .content, in: store)
                digest?.update(bytes)
                count += UInt64(bytes.count)
                walk.pass()
                return bytes
            case .end:
                guard let whole = digest.take() else { return nil }
                guard count == file.size, whole.finish() == file.digest else {
                    throw .fault(.altered)
                }
                return nil
            }
        }
    }

    private mutating func enter(_ bytes: [UInt8]) throws(FileReading) {
        do {
            try walk.enter(bytes)
        } catch {
            throw .fault(error)
        }
    }

    private func opened(
        _ entry: ChunkEntry, _ level: ChunkSealer.Level, in store: any Store
    ) throws(FileReading) -> [UInt8] {
        let chunk: [UInt8]?
        do {
            chunk = try store.chunk(entry.name)
        } catch {
            throw .storage(error)
        }
        guard let chunk else { throw .fault(.notHeld) }
        do throws(FileFault) {
            let bytes = try sealer.open(chunk, level)
            guard bytes.count == entry.length else { throw .malformed }
            return bytes
        } catch {
            throw .fault(error)
        }
    }
}

/// The reason why a file cannot be read.
package enum FileReading: Error, Equatable, Sendable {
    /// The store failed.
    case storage(StorageError)
    /// The content is not here, or is not right.
    case fault(FileFault)
}
