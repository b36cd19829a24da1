import CSQLite
import LinnetSimulator
import LinnetStorage
import Testing

/// A connection as another program would have: not exclusive, nothing of ours on it.
@safe
private final class Connection {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, Disk.vfs)
        guard let connection = unsafe opened, code == SQLITE_OK else {
            throw StorageError.cannotOpen(code: code)
        }
        unsafe handle = unsafe connection
    }

    deinit { unsafe sqlite3_close(handle) }

    /// Runs SQL and gives its result code.
    func run(_ sql: String) -> Int32 { unsafe sqlite3_exec(handle, sql, nil, nil, nil) }

    /// The first column of the first row, as text.
    func first(_ sql: String) -> String? {
        var statement: OpaquePointer?
        unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { unsafe sqlite3_finalize(statement) }
        guard unsafe sqlite3_step(statement) == SQLITE_ROW else { return nil }
        return unsafe sqlite3_column_text(statement, 0).map { unsafe String(cString: $0) }
    }
}

@Suite(.serialized)
struct DiskLockTests {
    @Test func `two connections share a database in WAL mode`() throws {
        let disk = Disk(name: "pair", random: SeededRandom(seed: 1))
        let first = try Connection(disk.path("db"))
        let second = try Connection(disk.path("db"))
        #expect(first.first("PRAGMA journal_mode = WAL") == "wal")
        #expect(first.run("CREATE TABLE t (x)") == SQLITE_OK)
        #expect(first.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)") == SQLITE_OK)
        #expect(second.run("BEGIN IMMEDIATE") == SQLITE_BUSY)
        #expect(second.first("SELECT count(*) FROM t") == "0")
        #expect(second.run("BEGIN; SELECT * FROM t") == SQLITE_OK)
        #expect(first.run("COMMIT") == SQLITE_OK)
        #expect(second.first("SELECT count(*) FROM t") == "0", "it reads what it began with")
        #expect(second.run("COMMIT") == SQLITE_OK)
        #expect(second.first("SELECT count(*) FROM t") == "1")
        for number in 0..<300 {
            let writer = number % 2 == 0 ? first : second
            #expect(
                writer.run("INSERT INTO t VALUES (zeroblob(\(number * 40)))") == SQLITE_OK)
        }
        #expect(first.first("PRAGMA wal_checkpoint(TRUNCATE)") == "0")
        #expect(second.first("SELECT count(*) FROM t") == "301")
        #expect(second.first("PRAGMA integrity_check") == "ok")
    }

    @Test func `connections with a rollback journal keep each other out and crash well`() throws {
        for seed in 0..<60 as Range<UInt64> {
            let disk = Disk(name: "journal-\(seed)", random: SeededRandom(seed: seed))
            do {
                let first = try Connection(disk.path("db"))
                let second = try Connection(disk.path("db"))
                // Less than extra lets the last deleted journal come back.
                #expect(first.run("PRAGMA synchronous = EXTRA") == SQLITE_OK)
                #expect(first.run("CREATE TABLE t (x)") == SQLITE_OK)
                #expect(first.run("BEGIN EXCLUSIVE") == SQLITE_OK)
                #expect(second.run("SELECT * FROM t") == SQLITE_BUSY)
                #expect(first.run("INSERT INTO t VALUES (zeroblob(9000)); COMMIT") == SQLITE_OK)
                #expect(second.run("BEGIN; SELECT * FROM t") == SQLITE_OK)
                #expect(first.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)") == SQLITE_OK)
                #expect(first.run("COMMIT") == SQLITE_BUSY)
                #expect(second.run("COMMIT") == SQLITE_OK)
                #expect(first.run("COMMIT") == SQLITE_OK)
                disk.crash(atCall: 1 + Int(seed) / 3)
                _ = first.run("UPDATE t SET x = zeroblob(8999)")
                disk.powerOff()
            }
            disk.powerOn()
            let after = try Connection(disk.path("db"))
            #expect(after.first("PRAGMA integrity_check") == "ok")
            let distinct = after.first("SELECT count(DISTINCT length(x)) || '/' || count(*) FROM t")
            #expect(distinct == "2/2" || distinct == "1/2", "seed \(seed)")
        }
    }

    @Test func `two stores cannot open one home, and the second can after the first`() throws {
        let home = DiskHome("twice", seed: 1)
        let first = try home.open()
        #expect(throws: StorageError.busy) { _ = try home.open() }
        try home.transact(first)
        try home.close(first)
        let second = try home.open()
        #expect(try home.lastIntact(second) == 1)
    }

    @Test func `a path on no disk goes to the usual file system`() {
        #expect(throws: StorageError.self) {
            _ = try DiskHome("elsewhere", seed: 1).open(path: "/no such folder/store")
        }
    }
}
