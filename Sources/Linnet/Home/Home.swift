#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One device's directory: its key file, database, witness, lock and control socket.
package final class Home: Sendable {
    /// Names of the files in a home directory.
    package enum File: String, CaseIterable, Sendable {
        /// The device's keys.
        case key
        /// The second copy of the device's keys.
        case keyCopy = "key.bak"
        /// The key that signs what widgets may show.
        case facesKey = "faces.key"
        /// The database.
        case database = "store.sqlite"
        /// The database's write-ahead log.
        case databaseLog = "store.sqlite-wal"
        /// The database's shared index of the log.
        case databaseIndex = "store.sqlite-shm"
        /// Where the database was when it last wrote.
        case witness
        /// The lock that the process using the home holds.
        case lock
        /// The Unix socket of the process using the home.
        case control
    }

    /// Names of files that exist only while something is written, or after a crash of it.
    package enum Leftover: String, CaseIterable, Sendable {
        /// A key file that has not got its name yet.
        case key = "key.new"
        /// A witness that has not got its name yet.
        case witness = "witness.new"
        /// What is written to see whether the disk takes writes again.
        case trial = "trial.new"
        /// The database of a backup that is being restored; while it exists nothing else counts.
        case restore = "restore.new"
        /// Its write-ahead log, while it is checked.
        case restoreLog = "restore.new-wal"
        /// Its shared index of the log.
        case restoreIndex = "restore.new-shm"
    }

    /// Absolute path of the directory.
    package let path: String
    /// Whether this call made the directory.
    package let isNew: Bool
    let directory: OpenFile

    private init(path: String, isNew: Bool, isPrivate: Bool = true) throws(HomeError) {
        let absolute = Self.absolute(path)
        let directory = try OpenFile.directory(at: absolute)
        if isPrivate { try Self.requirePrivate(directory) }
        self.path = absolute
        self.isNew = isNew
        self.directory = directory
    }

    /// Opens the home directory at `path`, which must be this user's and closed to others.
    package static func open(at path: String) throws(HomeError) -> Home {
        try Home(path: path, isNew: false)
    }

    /// Opens the home directory at `path`, whoever may enter it, to look at its files alone.
    static func unchecked(at path: String) throws(HomeError) -> Home {
        try Home(path: path, isNew: false, isPrivate: false)
    }

    /// Opens the home directory at `path`, after making it, mode 0700, where there is none.
    package static func create(at path: String) throws(HomeError) -> Home {
        let isNew = try makeDirectories(absolute(path))
        return try Home(path: path, isNew: isNew)
    }

    /// The absolute path of one of the home's files.
    package func path(of file: File) -> String {
        "\(path)/\(file.rawValue)"
    }

    /// Whether the home has a device.
    package var hasDevice: Bool {
        directory.contains(File.key.rawValue) || directory.contains(File.keyCopy.rawValue)
    }

    /// How large the database is; 0 also when it is not there.
    var databaseBytes: Int64 {
        (try? directory.status(of: File.database.rawValue)).map { Int64($0.st_size) } ?? 0
    }

    /// Whether there is a database with anything in it.
    package var hasDatabase: Bool { databaseBytes > 0 }

    /// Throws unless the device's database is there: an empty one made in its place would pass for
    /// a device that never wrote anything.
    func requireDatabase() throws(HomeError) {
        if hasDevice && !hasDatabase { throw .databaseMissing(path: path(of: .database)) }
        if !hasDevice && hasDatabase { throw .keyFileLost(path: path(of: .key)) }
    }

    /// Whether a backup is being restored into the home, or was when the restoring was cut short.
    package var isBeingRestored: Bool { directory.contains(Leftover.restore.rawValue) }

    /// Removes the home's files, and the directory when ``isNew`` and nothing else is in it.
    ///
    /// Meant for a home that was made a moment ago and whose device belongs to no group.
    package func removeFiles() throws(HomeError) {
        for file in File.allCases { try directory.remove(file.rawValue) }
        for leftover in Leftover.allCases { try directory.remove(leftover.rawValue) }
        if isNew { unsafe _ = rmdir(path) }
    }

    private static func requirePrivate(_ directory: borrowing OpenFile) throws(HomeError) {
        if let fault = try faults(ofDirectory: directory).first { throw fault }
    }

    /// What is wrong with a directory that must be this user's and closed to others.
    static func faults(ofDirectory directory: borrowing OpenFile) throws(HomeError) -> [HomeError] {
        let status = try directory.status()
        var faults: [HomeError] = []
        if status.st_uid != geteuid() {
            faults.append(.directoryOwner(path: directory.path, userID: status.st_uid))
        }
        let mode = UInt32(status.st_mode) & 0o7777
        if mode & 0o077 != 0 {
            faults.append(.directoryPermissions(path: directory.path, mode: mode))
        }
        return faults
    }

    /// Makes the directory and its missing parents, each 0700; returns whether the last one is new.
    private static func makeDirectories(_ path: String) throws(HomeError) -> Bool {
        if unsafe mkdir(path, 0o700) == 0 { return true }
        let code = errno
        switch code {
        case EEXIST: return false
        case ENOENT:
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
                throw .system(call: "mkdir", path: path, code: code)
            }
            _ = try makeDirectories(String(path[..<slash]))
            if unsafe mkdir(path, 0o700) == 0 { return true }
            throw .system(call: "mkdir", path: path, code: errno)
        case ENOTDIR: throw .notADirectory(path: path)
        default: throw .system(call: "mkdir", path: path, code: code)
        }
    }

    private static func absolute(_ path: String) -> String {
        var whole = path
        if !path.hasPrefix("/") {
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            if unsafe getcwd(&buffer, buffer.count) != nil {
                let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
                whole = String(decoding: bytes, as: UTF8.self) + "/" + path
            }
        }
        while whole.count > 1 && whole.hasSuffix("/") { whole.removeLast() }
        return whole
    }
}
