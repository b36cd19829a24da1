import LinnetStorage
import LinnetSystem

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The file of a relay: accounts, places and objects. Several processes may have it open, one of
/// which serves. What a call has done survives a crash of the process and of the machine.
package final class RelayStore {
    private static let file = "relay.sqlite"
    private static let version: Int64 = 1
    private static let schema = """
        CREATE TABLE places (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE,
            number INTEGER NOT NULL DEFAULT 0) STRICT;
        CREATE TABLE accounts (
            id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, place INTEGER NOT NULL,
            password BLOB, quota INTEGER NOT NULL, used INTEGER NOT NULL DEFAULT 0,
            objects INTEGER NOT NULL DEFAULT 0, made INTEGER NOT NULL, last INTEGER) STRICT;
        CREATE UNIQUE INDEX living ON accounts (name) WHERE password IS NOT NULL;
        CREATE TABLE objects (
            id INTEGER PRIMARY KEY, place INTEGER NOT NULL, name TEXT NOT NULL,
            account INTEGER NOT NULL, change INTEGER NOT NULL, made INTEGER NOT NULL,
            size INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;
        CREATE UNIQUE INDEX named ON objects (place, name);
        CREATE INDEX news ON objects (place, change, account);
        PRAGMA user_version = 1;
        """

    /// The directory, for messages.
    let path: String
    let connection: Connection

    /// Opens the relay in a directory.
    ///
    /// - Parameter isMade: true to make directory and file where there is none.
    package init(at path: String, isMade: Bool = false) throws(RelayError) {
        if isMade, unsafe mkdir(path, 0o700) != 0, errno != EEXIST {
            throw .system(path: path, reason: SystemError.text(of: errno))
        }
        do throws(HomeError) {
            let isThere = try OpenFile.directory(at: path).contains(Self.file)
            guard isMade || isThere else { throw HomeError.missing(path: path) }
        } catch .missing {
            throw .absent(path: path)
        } catch {
            throw .system(path: path, reason: error.description)
        }
        self.path = path
        do throws(StorageError) {
            connection = try Connection.open(
                path: "\(path)/\(Self.file)", mustExist: !isMade, isShared: true, vfs: nil)
        } catch {
            throw .storage(error)
        }
        try prepare()
    }

    private func prepare() throws(RelayError) {
        try run("PRAGMA journal_mode = WAL")
        let found = try transaction { () throws(StorageError) in
            let found = try connection.integer("PRAGMA user_version")
            if found == 0 { try connection.execute(Self.schema) }
            return found
        }
        guard found <= Self.version else { throw .fromTheFuture }
    }

    /// Moves what an earlier process left in the log into the file, so that nothing is appended to
    /// a log that a power failure may have cut.
    func moveLog() throws(RelayError) { try run("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Runs what reads.
    func reading<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(RelayError) -> Result {
        do throws(StorageError) {
            return try body()
        } catch {
            throw .storage(error)
        }
    }

    /// Runs what writes, whole or not at all.
    func transaction<Result>(
        _ body: () throws(StorageError) -> Result
    ) throws(RelayError) -> Result {
        do throws(StorageError) {
            try connection.execute("BEGIN IMMEDIATE")
            do throws(StorageError) {
                let result = try body()
                try connection.execute("COMMIT")
                return result
            } catch {
                rollBack()
                throw error
            }
        } catch {
            throw .storage(error)
        }
    }

    /// Takes back what an open transaction did; where the library did so itself there is none.
    private func rollBack() {
        do throws(StorageError) { try connection.execute("ROLLBACK") } catch {}
    }

    private func run(_ sql: String) throws(RelayError) {
        try reading { () throws(StorageError) in try connection.execute(sql) }
    }
}
