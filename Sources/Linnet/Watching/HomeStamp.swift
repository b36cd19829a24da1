#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// When the files of a home's database last changed.
///
/// The database itself cannot be asked: a connection that reads it keeps a node from opening it.
/// Opening a home and closing it in order changes no file unless something is written.
package struct HomeStamp: Equatable, Sendable {
    private static let files = [Home.File.database, .databaseLog]

    private var parts: [Int64] = []

    /// Looks at the files of the home at `path`; one that is not there counts too.
    package init(_ path: String) {
        for file in Self.files {
            var status = stat()
            guard unsafe stat("\(path)/\(file.rawValue)", &status) == 0 else {
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
