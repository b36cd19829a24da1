import LinnetCrypto
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Writes a backup file beside its name and gives it the name at the end, so that a crash leaves
/// the old file or the new one. The next backup of that name removes what a crash left beside them.
final class BackupWriter {
    private let directory: OpenFile
    private let name: String
    private let replaces: Bool
    private let partial: OpenFile
    private let pages: OpenFile
    private var hasher = BackupFile.hasher()
    private var written = 0
    private var synced = 0
    private var isDone = false

    /// The path at which SQLite writes the copy of the database.
    let pagesPath: String

    private var partialName: String { ".\(name).partial" }
    private var pagesName: String { ".\(name).pages" }

    /// Takes the place at `path`, which must be absolute; throws for an existing file unless it is
    /// to be replaced.
    init(path: String, replaces: Bool) throws(HomeError) {
        let slash = path.lastIndex(of: "/") ?? path.startIndex
        let parent = path.hasPrefix("/") ? String(path[..<slash]) : ""
        name = String(path[slash...].drop { $0 == "/" })
        self.replaces = replaces
        directory = try OpenFile.directory(at: parent.isEmpty ? "/" : parent)
        guard path.hasPrefix("/"), !name.isEmpty, name != ".", name != ".." else {
            throw .system(call: "open", path: path, code: EINVAL)
        }
        try Self.requireFree(name, in: directory, replaces)
        partial = try Self.locked(".\(name).partial", in: directory)
        pages = try Self.fresh(".\(name).pages", in: directory)
        pagesPath = "\(directory.path)/.\(name).pages"
    }

    deinit {
        try? directory.remove(pagesName)
        for suffix in ["-wal", "-shm", "-journal"] { try? directory.remove(pagesName + suffix) }
        if !isDone { try? directory.remove(partialName) }
    }

    /// Returns the size of the database's copy, in bytes.
    func databaseBytes() throws(HomeError) -> Int { Int(try pages.status().st_size) }

    /// Appends bytes to the backup.
    func append(_ bytes: [UInt8]) throws(HomeError) {
        hasher.update(bytes)
        try partial.write(bytes, at: written)
        written += bytes.count
    }

    /// Appends up to a chunk of the database from `offset` on; returns the number of its bytes.
    func appendDatabase(from offset: Int) throws(HomeError) -> Int {
        let bytes = try pages.read(upTo: BackupFile.chunkBytes, at: offset)
        try append(bytes)
        if written - synced >= BackupFile.syncedBytes {
            try partial.synchronize()
            synced = written
        }
        return bytes.count
    }

    /// Appends the check value, makes everything durable and gives the file its name.
    func finish() throws(HomeError) {
        let hasher = exchange()
        try partial.write(hasher.finish(), at: written)
        try partial.synchronize()
        try Self.requireFree(name, in: directory, replaces)
        try directory.rename(partialName, to: name)
        isDone = true
        try directory.synchronize()
    }

    private func exchange() -> BLAKE2bHasher {
        var other = BackupFile.hasher()
        swap(&hasher, &other)
        return other
    }

    private static func requireFree(
        _ name: String, in directory: borrowing OpenFile, _ replaces: Bool
    ) throws(HomeError) {
        if !replaces && directory.contains(name) {
            throw .fileExists(path: "\(directory.path)/\(name)")
        }
    }

    /// Opens the unfinished file, perhaps one that a crash left, and keeps other processes away
    /// from it.
    private static func locked(
        _ name: String, in directory: borrowing OpenFile
    ) throws(HomeError) -> OpenFile {
        let file = try directory.file(name, O_RDWR | O_CREAT)
        guard flock(file.descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw .backupUnderWay(path: file.path)
        }
        // The process that held it may have given it its name in between.
        let (mine, there) = (try file.status(), try directory.status(of: name))
        guard mine.st_ino == there.st_ino, mine.st_dev == there.st_dev else {
            throw .backupUnderWay(path: file.path)
        }
        if ftruncate(file.descriptor, 0) != 0 || fchmod(file.descriptor, 0o600) != 0 {
            throw .system(call: "ftruncate", path: file.path, code: errno)
        }
        return file
    }

    private static func fresh(
        _ name: String, in directory: borrowing OpenFile
    ) throws(HomeError) -> OpenFile {
        for suffix in ["", "-wal", "-shm", "-journal"] { try directory.remove(name + suffix) }
        return try directory.file(name, O_RDWR | O_CREAT | O_EXCL)
    }
}
