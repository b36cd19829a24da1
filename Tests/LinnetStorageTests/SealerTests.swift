import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

/// What the sealed rows promise, seen from a program that writes into the file behind our back.
struct SealerTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func fill() throws {
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a", text: "first"))
        try store.putRecord(.sample("b", text: "second"))
        try store.putRecord(.sample("a", collection: 8, text: "third"))
        try store.setValue(.clock, [1])
        try store.setValue(.schema, [2])
        try store.commit()
        try store.close()
    }

    private func reading(_ collection: UInt32, _ id: String) throws -> StorageError? {
        let store = try home.open()
        let record = try #require(RecordID(id))
        return failure { () throws(StorageError) in
            _ = try store.record(collection: collection, id: record)
        }
    }

    @Test func `rows that changed places do not open`() throws {
        try fill()
        try home.tamper(
            """
            CREATE TEMP TABLE kept AS SELECT sealed FROM records
                WHERE collection = 7 AND id = x'61';
            UPDATE records SET sealed = (SELECT sealed FROM records WHERE collection = 7
                AND id = x'62') WHERE collection = 7 AND id = x'61';
            UPDATE records SET sealed = (SELECT sealed FROM kept) WHERE collection = 7
                AND id = x'62';
            """)
        #expect(try reading(7, "a") == .corrupt(where: "records"))
        #expect(try reading(7, "b") == .corrupt(where: "records"))
        #expect(try reading(8, "a") == nil)
    }

    @Test func `a row copied to another collection does not open`() throws {
        try fill()
        try home.tamper(
            """
            UPDATE records SET sealed = (SELECT sealed FROM records WHERE collection = 8)
            WHERE collection = 7 AND id = x'61'
            """)
        #expect(try reading(7, "a") == .corrupt(where: "records"))
    }

    @Test func `a row from another table does not open`() throws {
        try fill()
        try home.tamper(
            "UPDATE records SET sealed = (SELECT sealed FROM meta WHERE key = 'clock')")
        #expect(try reading(7, "a") == .corrupt(where: "records"))
    }

    @Test(arguments: [
        "sealed = zeroblob(0)", "sealed = zeroblob(23)", "sealed = zeroblob(39)",
        "sealed = zeroblob(200)", "sealed = substr(sealed, 1, length(sealed) - 1)",
        "sealed = CAST(sealed || x'00' AS BLOB)", "version = 2", "version = -1",
        "version = 4294967296",
    ])
    func `a changed row gives an error, never a trap`(_ change: String) throws {
        try fill()
        try home.tamper("UPDATE records SET \(change)")
        #expect(try reading(7, "a") == .corrupt(where: "records"))
        let store = try home.open()
        #expect(
            failure { () throws(StorageError) in
                try store.forEachRecord { (_) throws(StorageError) in }
            } == .corrupt(where: "records"))
    }

    @Test func `values that changed places do not open`() throws {
        try fill()
        try home.tamper(
            """
            UPDATE meta SET sealed = (SELECT sealed FROM meta WHERE key = 'schema')
            WHERE key = 'clock'
            """)
        let store = try home.open()
        #expect(
            failure { () throws(StorageError) in _ = try store.value(.clock) }
                == .corrupt(where: "meta"))
    }

    @Test func `the same content is never sealed the same way twice`() throws {
        var store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
        let first = try home.stranger().column("SELECT hex(sealed) FROM records")
        store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
        let second = try home.stranger().column("SELECT hex(sealed) FROM records")
        #expect(first.count == 1 && second.count == 1)
        #expect(first != second)
        #expect(first[0].prefix(48) != second[0].prefix(48), "the nonces differ")
    }
}
