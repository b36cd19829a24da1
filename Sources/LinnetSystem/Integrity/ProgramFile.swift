import LinnetCrypto
package import LinnetWire

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of a program that runs.
package struct ProgramFile: Sendable {
    /// The facts that change when the file does.
    package struct Stamp: Equatable, Sendable {
        var device: UInt64
        var inode: UInt64
        var size: UInt64
        /// The last change, in nanoseconds since 1970; no program can set it.
        var changed: UInt64
    }

    private static let chunkBytes = 1 << 20

    /// The path under which it was started.
    package let path: String
    /// The facts about the file.
    package let stamp: Stamp
    private let link: String

    /// Follows a link such as /proc/self/exe, which leads to the file that runs even where another
    /// one took its name.
    init?(link: String) {
        guard let path = SystemFile.target(ofLink: link),
            let status = try? OpenFile.reading(at: link).status()
        else { return nil }
        self.link = link
        self.path = path
        stamp = Stamp(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino),
            size: UInt64(truncatingIfNeeded: status.st_size), changed: status.changeNanoseconds)
    }

    /// The name of the path in an ``IntegrityRecord``, which has room for no path.
    var pathHash: Bytes16 {
        Bytes16(Hash.blake2b(.check, Array("path".utf8), Array(path.utf8), count: 16)) ?? .zero
    }

    /// Reads the file and hashes it; nil when it cannot be read.
    package func hashed() -> Bytes32? {
        guard let file = try? OpenFile.reading(at: link) else { return nil }
        var hasher = BLAKE2bHasher()
        var offset = 0
        while true {
            guard let bytes = try? file.read(upTo: Self.chunkBytes, at: offset) else { return nil }
            if bytes.isEmpty { break }
            hasher.update(bytes)
            offset += bytes.count
        }
        return Bytes32(hasher.finish())
    }
}
