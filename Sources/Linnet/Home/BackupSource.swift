import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetSystem

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A backup file whose form and check value hold.
struct BackupSource: ~Copyable {
    private let file: OpenFile
    private let head: BackupFile.Head
    /// The bytes of the key file in it.
    let key: [UInt8]
    private let progress: (BackupProgress) -> Void

    /// Opens a backup and checks all of it without writing anything.
    static func verified(
        _ path: String, _ progress: @escaping (BackupProgress) -> Void
    ) throws(LinnetError) -> BackupSource {
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
            return BackupSource(file: file, head: head, key: key, progress: progress)
        } catch {
            throw told(error)
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

    /// Writes the database in it to a new file of a home.
    borrowing func copyDatabase(into home: Home, as leftover: Home.Leftover) throws {
        let name = leftover.rawValue
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

    /// Returns an error of reading a backup in the form that an application is told.
    static func told(_ error: any Error) -> LinnetError {
        switch error {
        case let error as LinnetError: error
        case let error as HomeError: .home(error)
        case let error as MembershipError: LinnetError(error)
        case let error as StorageError: .restore(error.description)
        default: .unexpected("\(error)")
        }
    }
}
