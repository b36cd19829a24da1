#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// When some files last changed, to notice that another process wrote them.
package struct FileStamp: Equatable, Sendable {
    private var parts: [Int64] = []

    /// Looks at the files; one that is not there counts too.
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
