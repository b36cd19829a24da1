import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A copy of a group's signed records and batches: the home of any of its devices, or a backup of
/// one. Neither keys nor passphrases of that device are needed.
struct GroupCopy {
    /// The database, open for reading alone.
    let store: SQLiteStore

    /// Opens the copy at a path. The database in a backup is unpacked into `home` first, under a
    /// name that ``discard(in:)`` removes.
    init(
        at path: String, into home: Home, _ progress: @escaping (BackupProgress) -> Void
    ) throws(LinnetError) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw .recovery(.noCopy("there is nothing at \(path)"))
        }
        let database: String
        if status.st_mode & S_IFMT == S_IFDIR {
            database = "\(path)/\(Home.File.database.rawValue)"
        } else {
            try Self.unpack(path, into: home, progress)
            database = "\(home.path)/\(Home.Leftover.copy.rawValue)"
        }
        do throws(StorageError) {
            store = try SQLiteStore(keylessCopyAt: database)
        } catch {
            throw .recovery(.noCopy("\(path): \(error.description)"))
        }
    }

    /// Throws unless the recovery phrase is that of the group in the copy.
    func check(_ phrase: Passphrase) throws(LinnetError) {
        do {
            let records = try store.memberRecords().map(\.bytes)
            guard !records.isEmpty else {
                throw LinnetError.recovery(.noCopy("its device belongs to no group"))
            }
            let log = try MembershipLog(stored: records)
            guard GroupRecovery(log).isNamed else { throw LinnetError.recovery(.notMade) }
            _ = try GroupRecovery(log).keys(from: try phrase.recovery())
        } catch {
            throw Self.told(error)
        }
    }

    /// Removes what was unpacked.
    static func discard(in home: Home) throws(LinnetError) {
        do throws(HomeError) {
            try home.directory.remove(Home.Leftover.copy.rawValue)
        } catch {
            throw .home(error)
        }
    }

    private static func unpack(
        _ path: String, into home: Home, _ progress: @escaping (BackupProgress) -> Void
    ) throws(LinnetError) {
        do {
            try home.directory.remove(Home.Leftover.copy.rawValue)
            try BackupSource.verified(path, progress).copyDatabase(into: home, as: .copy)
        } catch {
            let told = BackupSource.told(error)
            guard case .restore(let why) = told else { throw told }
            throw .recovery(.noCopy(why))
        }
    }

    private static func told(_ error: any Error) -> LinnetError {
        if let error = error as? ReplicaError { return LinnetError(error) }
        if case .restore(let why) = BackupSource.told(error) { return .recovery(.noCopy(why)) }
        return BackupSource.told(error)
    }
}
