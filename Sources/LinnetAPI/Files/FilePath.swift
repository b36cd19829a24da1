#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The paths that people type.
package enum FilePath {
    /// The kinds of things that a path can lead to.
    package enum Kind: Sendable {
        /// A directory.
        case directory
        /// Anything else.
        case other
        /// Nothing that can be looked at.
        case missing
    }

    /// Looks at a path, through links; a path that cannot be looked at counts as missing.
    package static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }

    /// Returns the path from the root, for a process with another working directory.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&buffer, buffer.count) != nil else { return path }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) + "/" + path
    }
}
