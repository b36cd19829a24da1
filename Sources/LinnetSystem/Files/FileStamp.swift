#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A stamp of some files, which differs once another process has written them.
package struct FileStamp: Equatable, Sendable {
    private var parts: [Int64] = []

    /// Looks at the files; a missing one counts too.
    package init(_ paths: [String]) {
        for path in paths {
            var status = stat()
            guard unsafe stat(path, &status) == 0 else {
                parts.append(-1)
                continue
            }
            #if canImport(Darwin)
                let changed = status.st_mtimespec
            #else
                let changed = status.st_mtim
            #endif
            parts += [
                Int64(status.st_ino), Int64(status.st_size), Int64(changed.tv_sec),
                Int64(changed.tv_nsec),
            ]
        }
    }
}
