import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The destruction of a home: first the keys, which makes everything else unreadable, then the
/// rest.
///
/// It can be run again when it was cut short, and needs neither key nor passphrase.
struct HomeWipe {
    private let home: Home
    private let lock: HomeLock

    /// Takes the home, which no process may have open.
    init(_ path: String) throws(HomeError) {
        home = try Home.open(at: path)
        lock = try HomeLock(home)
    }

    /// Takes a home whose lock is held here, and whose database is closed.
    init(_ home: Home, holding lock: HomeLock) {
        self.home = home
        self.lock = lock
    }

    /// Overwrites and removes everything of the home; returns the names of what is gone and of what
    /// stays.
    func perform(_ progress: (BackupProgress) -> Void) throws(HomeError) -> WipeReport {
        let before = try home.directory.names()
        let keys = [
            Home.File.key.rawValue, Home.File.keyCopy.rawValue, Home.Leftover.key.rawValue,
            Home.File.facesKey.rawValue, Home.Leftover.facesKey.rawValue,
        ]
        for name in keys { try Shredder.destroy(name, in: home.directory) }
        try home.directory.synchronize()
        let rest = Self.rest.filter { before.contains($0) }
        let total = rest.reduce(0) { $0 + size(of: $1) }
        var done = 0
        for name in rest {
            try Shredder.destroy(name, in: home.directory) { count in
                done += count
                progress(BackupProgress(done, of: total))
            }
        }
        try home.directory.synchronize()
        // The lock goes last, because it keeps other processes out of a home that is half gone.
        try home.directory.remove(Home.File.lock.rawValue)
        try home.directory.synchronize()
        let left = try home.directory.names()
        if left.isEmpty { removeDirectory() }
        return WipeReport(removed: before.filter { !left.contains($0) }, left: left)
    }

    /// The names of everything in a home but the keys and the lock.
    private static var rest: [String] {
        let files: [Home.File] = [
            .database, .databaseLog, .databaseIndex, .witness, .integrity, .dashboardToken,
            .control,
        ]
        let leftovers: [Home.Leftover] = [
            .witness, .integrity, .trial, .recovery, .restore, .restoreLog, .restoreIndex,
        ]
        return files.map(\.rawValue) + leftovers.map(\.rawValue)
    }

    private func size(of name: String) -> Int {
        (try? home.directory.status(of: name)).map { Int($0.st_size) } ?? 0
    }

    private func removeDirectory() {
        guard unsafe rmdir(home.path) == 0 else { return }
        let parent = home.path.lastIndex(of: "/").map { String(home.path[..<$0]) } ?? ""
        let opened = try? OpenFile.directory(at: parent.isEmpty ? "/" : parent)
        try? opened?.synchronize()
    }
}

/// The files that a wiping removed, and those that it left because they were not Linnet's.
public struct WipeReport: Equatable, Sendable {
    /// The names of the files that are gone.
    public let removed: [String]
    /// The names of files in the directory that do not belong to Linnet.
    public let left: [String]
}

extension Node {
    /// Destroys the device at `home`, which no process may have open: first its keys, then the
    /// rest. Only a backup brings it back.
    ///
    /// The group goes on listing the device, and old bytes that a disk or a snapshot keeps are out
    /// of reach.
    @concurrent
    public static func wipe(
        _ home: String, progress: @Sendable (BackupProgress) -> Void = { _ in }
    ) async throws(LinnetError) -> WipeReport {
        do {
            return try HomeWipe(home).perform(progress)
        } catch {
            throw .home(error)
        }
    }
}
