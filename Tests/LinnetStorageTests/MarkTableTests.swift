import LinnetCRDT
import LinnetStorage
import Testing

/// By what a row is told from an older one in its place.
struct MarkTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func put(_ store: SQLiteStore, _ ids: [String], text: String) throws {
        try store.begin()
        for id in ids { try store.putRecord(.sample(id, text: text)) }
        try store.commit()
    }

    private func damaged(_ store: SQLiteStore) throws -> [String] {
        try store.damagedRows(collection: 7).map { $0.id?.description ?? "?" }
    }

    /// SQL that puts the row back as it is now.
    private func puttingBack(_ id: String) throws -> String {
        let where_ = "collection = 7 AND id = CAST('\(id)' AS BLOB)"
        let sealed = try home.stranger().column("SELECT hex(sealed) FROM records WHERE \(where_)")
        return "UPDATE records SET sealed = x'\(try #require(sealed.first))' WHERE \(where_)"
    }

    @Test func `an older row in its own place is told from the one that was written last`() throws {
        var store = try home.open()
        try put(store, ["a", "b"], text: "first")
        try store.close()
        let back = try puttingBack("a")
        store = try home.open()
        try put(store, ["a", "b"], text: "second")
        #expect(try damaged(store).isEmpty)
        try store.close()
        try home.tamper(back)
        store = try home.open()
        let rows = try store.damagedRows(collection: 7)
        #expect(rows.map(\.id?.description) == ["a"])
        #expect(try rows.first?.older == .sample("a", text: "first"))
        let id = try #require(RecordID("a"))
        #expect(
            failure { () throws(StorageError) in _ = try store.record(collection: 7, id: id) }
                == .corrupt(where: "records"))
        let told = try store.storedRecord(collection: 7, id: id) { $0.older }
        #expect(try told?.state == .sample("a", text: "first"))
        try store.begin()
        _ = try store.putRecord(.sample("a", text: "third"), row: rows[0].row)
        try store.commit()
        #expect(try damaged(store).isEmpty)
        try store.close()
        store = try home.open()
        #expect(try damaged(store).isEmpty)
        try store.close()
    }

    @Test func `marks go back with a transaction that is taken back`() throws {
        let store = try home.open()
        try put(store, ["a"], text: "first")
        try store.begin()
        try store.putRecord(.sample("a", text: "second"))
        try store.putRecord(.sample("b", text: "second"))
        store.rollback()
        #expect(try damaged(store).isEmpty)
        #expect(
            try store.record(collection: 7, id: #require(RecordID("a")))
                == .sample("a", text: "first"))
        try put(store, ["b"], text: "third")
        #expect(try damaged(store).isEmpty)
        try store.close()
    }

    @Test func `marks of more rows than stay at hand are the right ones`() throws {
        var store = try home.open()
        let ids = (0..<70_000).map { "record-\($0)" }
        try put(store, ids, text: "x")
        let few = stride(from: 0, to: ids.count, by: 9_973).map { ids[$0] }
        try put(store, few, text: "y")
        #expect(try damaged(store).isEmpty)
        try store.close()
        let back = try puttingBack(few[3])
        store = try home.open()
        try put(store, few, text: "z")
        #expect(try damaged(store).isEmpty)
        try store.close()
        try home.tamper(back)
        store = try home.open()
        #expect(try damaged(store) == [few[3]])
        try store.close()
    }

    @Test func `a row without a mark counts, and one whose mark makes no sense`() throws {
        var store = try home.open()
        try put(store, ["a", "b"], text: "first")
        try store.close()
        for change in ["DELETE FROM marks", "UPDATE marks SET marks = x'0102'"] {
            try home.tamper(change)
            store = try home.open()
            #expect(try damaged(store).isEmpty)
            try put(store, ["a"], text: "again")
            #expect(try damaged(store).isEmpty)
            try store.close()
        }
    }

    @Test func `a row is taken away with its mark and its entries`() throws {
        let store = try home.open()
        try put(store, ["a", "b"], text: "first")
        let id = try #require(RecordID("a"))
        let row = try #require(try store.storedRecord(collection: 7, id: id)?.row)
        try store.begin()
        try store.removeRow(row, collection: 7)
        try store.commit()
        #expect(try store.recordIDs(collection: 7).map(\.description) == ["b"])
        #expect(try store.recordCount(collection: nil) == 1)
        #expect(try store.recordCount(collection: 7) == 1)
        #expect(try store.recordCount(collection: 8) == 0)
        let last = RecordName(collection: 7, id: id)
        #expect(try store.recordNames(after: last, limit: 5).map(\.id.description) == ["b"])
        #expect(try store.recordNames(after: nil, limit: 0).isEmpty)
        try store.close()
    }
}
