import LinnetStorage
import Testing

struct ConnectionTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    @Test(arguments: [
        ("secure_delete", 1), ("trusted_schema", 0), ("foreign_keys", 1), ("temp_store", 2),
        ("cell_size_check", 1), ("synchronous", 2), ("mmap_size", 0), ("fullfsync", 1),
        ("checkpoint_fullfsync", 1),
    ])
    func `a connection is hardened from the start`(_ pragma: String, _ value: Int64) throws {
        let connection = try Connection.open(path: home.path, vfs: nil)
        if pragma == "mmap_size" {
            // Some builds answer with no row at all when mapping is compiled out.
            #expect((try? connection.integer("PRAGMA mmap_size")) ?? 0 == value)
        } else {
            #expect(try connection.integer("PRAGMA \(pragma)") == value)
        }
    }

    @Test func `a connection locks the file for itself`() throws {
        let connection = try Connection.open(path: home.path, vfs: nil)
        #expect(try connection.text("PRAGMA locking_mode") == "exclusive")
    }

    @Test(arguments: [
        "SELECT load_extension('x')", "ATTACH ':memory:' AS other",
        "SELECT \"no such column\"", "CREATE VIEW v AS SELECT 1; SELECT * FROM v",
    ])
    func `what a hostile file would use is switched off`(_ sql: String) throws {
        let connection = try Connection.open(path: home.path, vfs: nil)
        #expect(throws: StorageError.self) { try connection.execute(sql) }
    }

    @Test func `the schema cannot be rewritten from inside`() throws {
        let connection = try Connection.open(path: home.path, vfs: nil)
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute("CREATE TABLE t (id)")
        #expect(throws: StorageError.self) { try connection.execute("DELETE FROM sqlite_schema") }
    }

    @Test func `a query without an answer is an error`() throws {
        let connection = try Connection.open(path: home.path, vfs: nil)
        #expect(throws: StorageError.corrupt(where: "file")) {
            try connection.integer("SELECT 1 WHERE 0")
        }
        #expect(throws: StorageError.corrupt(where: "file")) {
            try connection.text("SELECT 'a' WHERE 0")
        }
    }
}
