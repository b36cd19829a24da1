import LinnetStorage
import Testing

struct KeyCheckTests {
    let home: TemporaryHome
    /// The version that this release makes.
    private let current = StoreSchema.migrations.count

    init() throws { home = try TemporaryHome() }

    @Test func `a key that did not make the file is refused and changes nothing`() throws {
        try home.open(key: 1).close()
        let before = try home.bytes()
        #expect(home.refusal(key: 2) == .wrongKey)
        #expect(try home.bytes() == before)
        #expect(home.refusal(key: 1) == nil)
    }

    @Test func `a wrong key migrates nothing`() throws {
        try home.open(key: 1).close()
        let steps = StoreSchema.migrations + [Migration(statements: ["CREATE TABLE later (id)"])]
        #expect(home.refusal(key: 2, migrations: steps) == .wrongKey)
        #expect(try home.stranger().column("PRAGMA user_version") == ["\(current)"])
    }

    @Test func `a file without the check row is damaged`() throws {
        try home.open().close()
        do {
            let stranger = try home.stranger()
            let trigger = try stranger.column(
                "SELECT sql FROM sqlite_schema WHERE name = 'meta_delete'")
            try stranger.run("DROP TRIGGER meta_delete; DELETE FROM meta; \(trigger[0])")
        }
        #expect(home.refusal() == .corrupt(where: "meta"))
    }
}
