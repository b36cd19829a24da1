import CSQLite
import Foundation
import LinnetCRDT
import LinnetStorage
import Testing

struct SchemaTests {
    let home: TemporaryHome
    /// The version that this release makes.
    private let current = StoreSchema.migrations.count

    init() throws { home = try TemporaryHome() }

    private static let secondStep = Migration(statements: [
        "ALTER TABLE quarantine ADD COLUMN note TEXT",
        "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT",
    ])

    @Test func `the file says whose it is and which version it has`() throws {
        try home.open().close()
        let stranger = try home.stranger()
        #expect(try stranger.column("PRAGMA application_id") == ["\(0x4c4e_4e54)"])
        #expect(try stranger.column("PRAGMA user_version") == ["\(current)"])
        #expect(try stranger.column("PRAGMA journal_mode") == ["wal"])
    }

    @Test func `a database of version 2 gets the table of the lanes`() throws {
        var store = try home.open(migrations: Array(StoreSchema.migrations.prefix(2)))
        try store.begin()
        try store.setValue(.clock, [1])
        try store.commit()
        try store.close()
        #expect(try home.stranger().column("PRAGMA user_version") == ["2"])
        store = try home.open()
        #expect(try store.value(.clock) == [1])
        try store.begin()
        try store.putLane(LaneRow(key: [1], value: [2]))
        try store.commit()
        try store.close()
    }

    @Test func `a database is brought to the next version with what it holds`() throws {
        var store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
        let steps = StoreSchema.migrations + [Self.secondStep]
        store = try home.open(migrations: steps)
        #expect(store.isNew == false)
        #expect(try store.recordIDs(collection: 7).map(\.description) == ["a"])
        try store.close()
        #expect(try home.stranger().column("PRAGMA user_version") == ["\(current + 1)"])
        #expect(home.refusal(migrations: steps) == nil)
        #expect(home.refusal() == .fromTheFuture(found: current + 1, supported: current))
    }

    @Test func `a step that fails leaves the version before it`() throws {
        try home.open().close()
        let broken = Migration(statements: [
            "CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT", "CREATE TABLE records (id)",
        ])
        #expect(
            home.refusal(migrations: StoreSchema.migrations + [broken]) == .corrupt(where: "schema")
        )
        #expect(try home.stranger().column("PRAGMA user_version") == ["\(current)"])
        #expect(home.refusal() == nil)
    }

    @Test func `a database from the future is refused and left as it is`() throws {
        try home.open().close()
        try home.stranger().run("PRAGMA user_version = 9")
        let before = try home.bytes()
        #expect(home.refusal() == .fromTheFuture(found: 9, supported: current))
        #expect(try home.bytes() == before)
    }

    @Test func `another program's database is refused and left as it is`() throws {
        try home.stranger().run("CREATE TABLE records (id INTEGER)")
        let before = try home.bytes()
        #expect(home.refusal() == .notOurs)
        #expect(try home.bytes() == before)
    }

    @Test func `a file that is no database is refused and left as it is`() throws {
        let text = Data(String(repeating: "Dear diary, ", count: 400).utf8)
        try text.write(to: URL(filePath: home.path))
        #expect(home.refusal() == .notOurs)
        #expect(try Data(contentsOf: URL(filePath: home.path)) == text)
    }

    @Test func `a missing folder, a folder in the way and a memory database are refused`() throws {
        #expect(throws: StorageError.self) {
            try TemporaryHome.refusal(path: home.path + "/missing/store.sqlite")
        }
        #expect(throws: StorageError.self) { try TemporaryHome.refusal(path: home.folder.path) }
        #expect(throws: StorageError.cannotOpen(code: SQLITE_CANTOPEN)) {
            try TemporaryHome.refusal(path: ":memory:")
        }
    }

    @Test(arguments: [
        "INSERT INTO records VALUES (1, 7, x'61', 1, x'00')",
        "INSERT OR REPLACE INTO records VALUES (1, 7, x'61', 1, x'00')",
        "UPDATE records SET sealed = x'00'", "DELETE FROM records",
        "UPDATE chains SET applied = 0", "DELETE FROM batches", "DELETE FROM meta",
        "INSERT INTO members (id, bytes) VALUES (x'00', x'00')", "DELETE FROM pending",
        "DELETE FROM peers", "DELETE FROM intents", "DELETE FROM quarantine", "DELETE FROM forks",
        "DELETE FROM lanes", "INSERT INTO lanes VALUES (x'01', 1, x'00')",
    ])
    func `another program's write is refused by the guards`(_ sql: String) throws {
        try home.open().close()
        let complaint = try home.stranger().complaint(sql)
        #expect(complaint == "no such function: only_linnet_may_write")
    }

    @Test func `every table has its three guards`() throws {
        try home.open().close()
        let stranger = try home.stranger()
        let tables = try stranger.column(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        for table in tables {
            let guards = try stranger.column(
                "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '\(table)'")
            #expect(guards.count == 3, "\(table)")
        }
        #expect(tables.count == 19)
    }

    @Test func `an opening needs no second database to know the tables of today`() throws {
        try home.open().close()
        let found = try home.stranger().column(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")
        #expect(found.sorted() == StoreSchema.definitions(after: StoreSchema.migrations))
    }

    @Test(arguments: [
        "DROP TRIGGER records_update", "DROP INDEX batches_by_commit", "CREATE TABLE mine (id)",
        "ALTER TABLE records ADD COLUMN mine TEXT",
        """
        PRAGMA writable_schema = ON;
        INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_late', 'records', 0,
            'CREATE TRIGGER sqlite_late AFTER INSERT ON records BEGIN SELECT 1; END')
        """,
    ])
    func `changed tables and guards are noticed at the next opening`(_ sql: String) throws {
        try home.open().close()
        try home.stranger().run(sql)
        #expect(home.refusal() == .writtenOutside)
    }

    @Test func `statistics of another program are let be`() throws {
        try home.open().close()
        try home.stranger().run("ANALYZE")
        #expect(home.refusal() == nil)
    }

    @Test func `a damaged page is found at opening`() throws {
        let store = try home.open()
        try store.begin()
        for number in 0..<400 { try store.putRecord(.sample("record-\(number)")) }
        try store.commit()
        try store.close()
        let file = try FileHandle(forUpdating: URL(filePath: home.path))
        let size = try file.seekToEnd()
        for page in stride(from: UInt64(24 * 4_096), to: size, by: 4_096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Array(repeating: UInt8(0xff), count: 64))
        }
        try file.close()
        #expect(home.refusal() == .corrupt(where: "file"))
    }

    @Test func `a file cut short is found at opening`() throws {
        try home.open().close()
        let file = try FileHandle(forUpdating: URL(filePath: home.path))
        try file.truncate(atOffset: try file.seekToEnd() - 4_096)
        try file.close()
        let refusal = home.refusal()
        #expect(refusal == .corrupt(where: "file") || refusal == .corrupt(where: "schema"))
    }
}
