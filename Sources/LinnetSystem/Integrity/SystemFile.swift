#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reads the small files in which the kernel tells about itself.
enum SystemFile {
    /// The limit for reading, in bytes.
    static let sizeLimitBytes = 64 << 10

    /// Returns the text of a file; nil when it cannot be read or is larger than the limit.
    static func text(_ path: String) -> String? {
        guard let file = try? OpenFile.reading(at: path),
            let bytes = try? file.read(upTo: sizeLimitBytes + 1), bytes.count <= sizeLimitBytes
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the names in a directory; nil when there is none.
    static func names(_ path: String) -> [String]? {
        guard let directory = try? OpenFile.directory(at: path) else { return nil }
        return try? directory.names()
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    /// True when a file is known not to be there, as against one that may not be looked at.
    static func isMissing(_ path: String) -> Bool {
        !exists(path) && (errno == ENOENT || errno == ENOTDIR)
    }

    /// Returns the path to which a link leads.
    static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path, &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(
            decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
