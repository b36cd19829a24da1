import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A backup that is put into an empty home.
///
/// The backup's database has another name in the home until everything else is there. As long as
/// that name exists, nobody opens the home, and the restoring can be run again.
struct Restoration: ~Copyable {
    private let source: BackupSource
    private let keys: DeviceKeys

    /// Opens a backup and checks all of it without writing anything.
    static func verified(
        _ path: String, passphrase: Passphrase?, _ progress: @escaping (BackupProgress) -> Void
    ) throws(LinnetError) -> Restoration {
        let source = try BackupSource.verified(path, progress)
        do throws(MembershipError) {
            let keys = try KeyFile.decode(source.key, passphrase: passphrase?.secret)
            return Restoration(source: source, keys: keys)
        } catch {
            throw LinnetError(error)
        }
    }

    /// Puts the backup into the home at `path`, which must be empty or new.
    consuming func restore(to path: String) throws(LinnetError) {
        let home: Home
        let lock: HomeLock
        do {
            home = try Home.create(at: path)
            try home.requireEmpty()
            lock = try HomeLock(home)
        } catch {
            throw BackupSource.told(error)
        }
        defer { withExtendedLifetime(lock) {} }
        do {
            try home.removeFilesExceptLock()
            try source.copyDatabase(into: home, as: .restore)
            try checkDatabase(in: home)
            try KeyFileStore(home).create(source.key)
            try home.directory.rename(
                Home.Leftover.restore.rawValue, to: Home.File.database.rawValue)
            try home.directory.synchronize()
        } catch {
            let told = BackupSource.told(error)
            try? home.removeFiles()
            throw told
        }
    }

    /// Opens the database once, which checks its form and its pages, and that it belongs to the
    /// key.
    private borrowing func checkDatabase(in home: Home) throws {
        let path = "\(home.path)/\(Home.Leftover.restore.rawValue)"
        var entropy = Entropy(seed: SystemEntropy.seed())
        let store = try SQLiteStore(
            path: path, databaseKey: keys.databaseKey, noncePrefix: entropy.bytes(16))
        let isEmpty = store.isNew
        try store.close()
        if isEmpty { throw LinnetError.restore("the database in it is empty") }
    }
}

extension Node {
    /// Puts the backup at `backup` into a new or empty home.
    ///
    /// Everything is checked before anything is written. The device writes as a new author
    /// afterwards, because others may hold what it wrote after the backup; it must not run in two
    /// places.
    @concurrent
    public static func restore(
        _ backup: String, to home: String, passphrase: Passphrase? = nil,
        progress: @Sendable @escaping (BackupProgress) -> Void = { _ in }
    ) async throws(LinnetError) {
        let restoration = try Restoration.verified(backup, passphrase: passphrase, progress)
        try restoration.restore(to: home)
    }
}

extension Home {
    /// Throws unless there is nothing here but a lock or an unfinished restoring.
    fileprivate func requireEmpty() throws(HomeError) {
        var allowed = [File.lock.rawValue]
        if isBeingRestored {
            allowed += [File.key.rawValue, File.keyCopy.rawValue]
            allowed += Leftover.allCases.map(\.rawValue)
        }
        if let name = try directory.names().first(where: { !allowed.contains($0) }) {
            throw .notEmpty(path: path, name: name)
        }
    }

    /// Removes what an unfinished restoring left, its mark last.
    fileprivate func removeFilesExceptLock() throws(HomeError) {
        for file in [File.key, .keyCopy] { try directory.remove(file.rawValue) }
        for leftover in Leftover.allCases where leftover != .restore {
            try directory.remove(leftover.rawValue)
        }
        try directory.remove(Leftover.restore.rawValue)
    }
}
