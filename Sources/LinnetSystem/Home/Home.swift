#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// One device's directory: its key file, database, witness, lock and control socket.
package final class Home: Sendable {
    /// The names of the files in a home directory.
    package enum File: String, CaseIterable, Sendable {
        /// The keys of the device.
        case key
        /// The second copy of the device's keys.
        case keyCopy = "key.bak"
        /// The key that signs what widgets may show.
        case facesKey = "faces.key"
        /// The database.
        case database = "store.sqlite"
        /// The write-ahead log of the database.
        case databaseLog = "store.sqlite-wal"
        /// The shared index of the database's log.
        case databaseIndex = "store.sqlite-shm"
        /// The witness file: the place of the database when its author last spoke.
        case witness
        /// The policy for what is found about the program, and the programs that were accepted.
        case integrity
        /// The token with which a program reads the figures of the dashboard.
        case dashboardToken = "dashboard-token"
        /// The lock that the process using the home holds.
        case lock
        /// The Unix socket of the process using the home.
        case control
    }

    /// The names of files that exist only while something is written, or after a crash.
    package enum Leftover: String, CaseIterable, Sendable {
        /// A key file that has not got its name yet.
        case key = "key.new"
        /// A key of faces that has not got its name yet.
        case facesKey = "faces.key.new"
        /// A witness that has not got its name yet.
        case witness = "witness.new"
        /// A policy that has not got its name yet.
        case integrity = "integrity.new"
        /// The bytes that try whether the disk takes writes again.
        case trial = "trial.new"
        /// The database of a backup from which the group is recovered.
        case copy = "copy.new"
        /// The mark of a home that is being recovered from a mailbox; while it exists, nothing else
        /// counts.
        case recovery = "recovery.new"
        /// The database of a backup that is being restored; while it exists, nothing else counts.
        case restore = "restore.new"
        /// The write-ahead log of that database, while it is checked.
        case restoreLog = "restore.new-wal"
        /// The shared index of that log.
        case restoreIndex = "restore.new-shm"
    }

    /// The absolute path of the directory.
    package let path: String
    /// True when this call made the directory.
    package let isNew: Bool
    /// The open directory.
    package let directory: OpenFile

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

    /// Opens the home directory at `path`, whoever may enter it, only to look at its files.
    package static func unchecked(at path: String) throws(HomeError) -> Home {
        try Home(path: path, isNew: false, isPrivate: false)
    }

    /// Opens the home directory at `path`; where there is none, makes it with mode 0700 first.
    package static func create(at path: String) throws(HomeError) -> Home {
        let isNew = try makeDirectories(absolute(path))
        return try Home(path: path, isNew: isNew)
    }

    /// Returns the absolute path of one of the home's files.
    package func path(of file: File) -> String {
        "\(path)/\(file.rawValue)"
    }

    /// True when the home has a device.
    package var hasDevice: Bool {
        directory.contains(File.key.rawValue) || directory.contains(File.keyCopy.rawValue)
    }

    /// The size of the database, in bytes; 0 also when it is not there.
    package var databaseBytes: Int64 {
        (try? directory.status(of: File.database.rawValue)).map { Int64($0.st_size) } ?? 0
    }

    /// True when there is a database that is not empty.
    package var hasDatabase: Bool { databaseBytes > 0 }

    /// Throws unless the device's database is there: an empty one in its place would pass for that
    /// of a device that never wrote anything. Throws too when there is a database without a device.
    package func requireDatabase() throws(HomeError) {
        if hasDevice && !hasDatabase { throw .databaseMissing(path: path(of: .database)) }
        if !hasDevice && hasDatabase { throw .keyFileLost(path: path(of: .key)) }
    }

    /// True while a backup is being restored into the home, or after that was cut short.
    package var isBeingRestored: Bool { directory.contains(Leftover.restore.rawValue) }

    /// True while the home is being recovered from a mailbox, or after that was cut short.
    package var isBeingRecovered: Bool { directory.contains(Leftover.recovery.rawValue) }

    /// Throws while a backup is being restored into the home, or it is being recovered, or after
    /// that was cut short.
    package func requireFinished() throws(HomeError) {
        if isBeingRestored { throw .restoreUnfinished(path: path) }
        if isBeingRecovered { throw .recoveryUnfinished(path: path) }
    }

    /// Removes the home's files, and the directory when ``isNew`` and nothing else is in it.
    ///
    /// This is for a home that was made a moment ago and whose device belongs to no group.
    package func removeFiles() throws(HomeError) {
        for file in File.allCases { try directory.remove(file.rawValue) }
        for leftover in Leftover.allCases { try directory.remove(leftover.rawValue) }
        if isNew { unsafe _ = rmdir(path) }
    }

    private static func requirePrivate(_ directory: borrowing OpenFile) throws(HomeError) {
        if let fault = try faults(ofDirectory: directory).first { throw fault }
    }

    /// Returns the faults of a directory that must be this user's and closed to others.
    package static func faults(
        ofDirectory directory: borrowing OpenFile
    ) throws(HomeError) -> [HomeError] {
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

    /// Makes the directory and its missing parents, each with mode 0700; returns true when the last
    /// one is new.
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
