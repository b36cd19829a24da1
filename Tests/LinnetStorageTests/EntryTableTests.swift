import LinnetCRDT
import LinnetStorage
import Testing

struct EntryTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func put(
        _ store: SQLiteStore, _ id: String, _ entries: [IndexEntry], collection: UInt32 = 7
    ) throws {
        let state = try RecordState.sample(id, collection: collection)
        let row = try store.putRecord(
            state, row: try store.storedRecord(collection: collection, id: state.record)?.row)
        try store.putEntries(entries, collection: collection, row: row)
    }

    private func clear(_ key: String, field: UInt32 = 1) -> IndexEntry {
        IndexEntry(field: field, kind: .clear, key: Array(key.utf8))
    }

    private func blind(_ key: String) -> IndexEntry {
        IndexEntry(field: 2, kind: .blind, key: Array(key.utf8))
    }

    private func found(
        _ store: SQLiteStore, _ lower: String, _ upper: String, isDescending: Bool = false,
        kind: FieldIndex = .clear, collection: UInt32 = 7
    ) throws -> [String] {
        var found: [String] = []
        let search = IndexSearch(
            collection: collection, field: kind == .clear ? 1 : 2, kind: kind,
            lower: Array(lower.utf8), upper: Array(upper.utf8), isDescending: isDescending)
        try store.forEachFound(by: search) { (key, state) throws(StorageError) in
            let shown = key.map { String(decoding: $0, as: UTF8.self) } ?? "?"
            found.append("\(shown)=\(state.record)")
            return true
        }
        return found
    }

    @Test func `records are found by what was kept last`() throws {
        let store = try home.open()
        try store.begin()
        try put(store, "a", [clear("m"), blind("secret")])
        try put(store, "b", [clear("k"), clear("z"), blind("secret")])
        try put(store, "c", [clear("k")])
        #expect(try found(store, "a", "z") == ["k=b", "k=c", "m=a", "z=b"])
        #expect(
            try found(store, "k", "m", isDescending: true) == ["m=a", "k=c", "k=b"])
        #expect(try found(store, "secret", "secret", kind: .blind) == ["?=a", "?=b"])
        #expect(try found(store, "other", "other", kind: .blind).isEmpty)
        try put(store, "b", [clear("z"), blind("other")])
        #expect(try found(store, "a", "z") == ["k=c", "m=a", "z=b"])
        #expect(try found(store, "secret", "secret", kind: .blind) == ["?=a"])
        #expect(try found(store, "other", "other", kind: .blind) == ["?=b"])
        try put(store, "c", [])
        try store.commit()
        #expect(try found(store, "a", "z") == ["m=a", "z=b"])
        try store.close()
    }

    @Test func `a search ends when it is told`() throws {
        let store = try home.open()
        try store.begin()
        for id in ["a", "b", "c"] { try put(store, id, [clear(id)]) }
        try store.commit()
        var count = 0
        let search = IndexSearch(
            collection: 7, field: 1, kind: .clear, lower: [0], upper: [0xff])
        try store.forEachFound(by: search) { (_, _) throws(StorageError) in
            count += 1
            return count < 2
        }
        #expect(count == 2)
        #expect(try found(store, "a", "b") == ["a=a", "b=b"])
        try store.close()
    }

    @Test func `entries go with their records`() throws {
        let store = try home.open()
        try store.begin()
        for id in ["x/1", "x/2", "y/1"] { try put(store, id, [clear(id)]) }
        try put(store, "x/1", [clear("x/1")], collection: 8)
        try store.removeRecords(collection: 7, prefix: Array("x/".utf8))
        #expect(try found(store, "a", "z") == ["y/1=y/1"])
        #expect(try found(store, "a", "z", collection: 8) == ["x/1=x/1"])
        try store.removeAllRecords(collections: [7])
        #expect(try found(store, "a", "z").isEmpty)
        try store.removeEntries(collection: 8)
        #expect(try found(store, "a", "z", collection: 8).isEmpty)
        #expect(try store.record(collection: 8, id: #require(RecordID("x/1"))) != nil)
        try store.commit()
        try store.close()
        #expect(try home.stranger().column("SELECT count(*) FROM entries") == ["0"])
    }

    @Test func `a blind key depends on its place, and shows nothing`() throws {
        let store = try home.open()
        try store.begin()
        try put(store, "a", [blind("planted-plaintext")])
        try put(store, "a", [blind("planted-plaintext")], collection: 8)
        try store.commit()
        try store.close()
        let keys = try home.stranger().column("SELECT hex(key) FROM entries")
        #expect(keys.count == 2 && keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.utf8.count == 32 })
    }
}
