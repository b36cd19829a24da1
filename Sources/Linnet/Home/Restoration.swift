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
    private let file: OpenFile
    private let head: BackupFile.Head
    private let key: [UInt8]
    private let keys: DeviceKeys
    private let progress: (BackupProgress) -> Void

    /// Opens a backup and checks all of it without writing anything.
    static func verified(
        _ path: String, passphrase: Passphrase?, _ progress: @escaping (BackupProgress) -> Void
    ) throws(LinnetError) -> Restoration {
        do {
            guard unsafe access(path, F_OK) == 0 else {
                throw LinnetError.restore("there is no file \(path)")
            }
            let file = try OpenFile.reading(at: path)
            let status = try file.status()
            guard UInt32(status.st_mode) & UInt32(S_IFMT) == UInt32(S_IFREG) else {
                throw LinnetError.restore("\(path) is not a regular file")
            }
            let size = Int(status.st_size)
            let head = try BackupFile.Head(file.read(upTo: BackupFile.headBytes), size: size)
            try checkValue(of: file, head, progress)
            let key = try file.read(upTo: head.keyBytes, at: BackupFile.headBytes)
            return Restoration(
                file: file, head: head, key: key,
                keys: try KeyFile.decode(key, passphrase: passphrase?.secret), progress: progress)
        } catch {
            throw Self.told(error)
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
            throw Self.told(error)
        }
        defer { withExtendedLifetime(lock) {} }
        do {
            try home.removeFilesExceptLock()
            try copyDatabase(into: home)
            try checkDatabase(in: home)
            try KeyFileStore(home).create(key)
            try home.directory.rename(
                Home.Leftover.restore.rawValue, to: Home.File.database.rawValue)
            try home.directory.synchronize()
        } catch {
            let told = Self.told(error)
            try? home.removeFiles()
            throw told
        }
    }

    private static func checkValue(
        of file: borrowing OpenFile, _ head: BackupFile.Head,
        _ progress: (BackupProgress) -> Void
    ) throws {
        var hasher = BackupFile.hasher()
        let checked = head.totalBytes - BackupFile.checkBytes
        var done = 0
        while done < checked {
            let bytes = try file.read(upTo: min(BackupFile.chunkBytes, checked - done), at: done)
            guard !bytes.isEmpty else { throw LinnetError.restore("the file is cut short") }
            hasher.update(bytes)
            done += bytes.count
            progress(BackupProgress(done, of: 2 * checked))
        }
        guard hasher.finish() == (try file.read(upTo: BackupFile.checkBytes, at: checked)) else {
            throw LinnetError.restore("the file is damaged")
        }
    }

    private borrowing func copyDatabase(into home: Home) throws {
        let name = Home.Leftover.restore.rawValue
        let target = try home.directory.file(name, O_RDWR | O_CREAT | O_EXCL)
        try home.directory.synchronize()
        let start = BackupFile.headBytes + head.keyBytes
        var done = 0
        while done < head.databaseBytes {
            let wanted = min(BackupFile.chunkBytes, head.databaseBytes - done)
            let bytes = try file.read(upTo: wanted, at: start + done)
            guard bytes.count == wanted else { throw LinnetError.restore("the file is cut short") }
            try target.write(bytes, at: done)
            done += wanted
            if done % BackupFile.syncedBytes < wanted { try target.synchronize() }
            progress(BackupProgress(head.databaseBytes + done, of: 2 * head.databaseBytes))
        }
        try target.synchronize()
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

    private static func told(_ error: any Error) -> LinnetError {
        switch error {
        case let error as LinnetError: error
        case let error as HomeError: .home(error)
        case let error as MembershipError: LinnetError(error)
        case let error as StorageError: .restore(error.description)
        default: .unexpected("\(error)")
        }
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
