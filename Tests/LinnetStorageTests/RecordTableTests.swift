import LinnetCRDT
import LinnetStorage
import Testing

struct RecordTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func names(_ store: SQLiteStore, _ collection: UInt32?) throws -> [String] {
        var found: [String] = []
        try store.forEachRecord(collection: collection) { (state) throws(StorageError) in
            found.append("\(state.collection)/\(state.record)")
        }
        return found
    }

    @Test func `a record comes back as it was put, and the last one counts`() throws {
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a", text: "first"))
        try store.putRecord(.sample("a", text: "second"))
        try store.putRecord(.sample("big", text: String(repeating: "x", count: 60_000)))
        try store.commit()
        let id = try #require(RecordID("a"))
        #expect(try store.record(collection: 7, id: id) == .sample("a", text: "second"))
        #expect(
            try store.record(collection: 7, id: #require(RecordID("big")))
                == .sample("big", text: String(repeating: "x", count: 60_000)))
        #expect(try store.record(collection: 8, id: id) == nil)
        #expect(try store.record(collection: 7, id: #require(RecordID("b"))) == nil)
        try store.close()
    }

    @Test func `records come in order of collection and then of their bytes`() throws {
        let store = try home.open()
        try store.begin()
        for id in ["ä", "b", "a", "aa", "B", "10", "9"] { try store.putRecord(.sample(id)) }
        try store.putRecord(.sample("z", collection: 0))
        try store.putRecord(.sample("a", collection: .max))
        try store.commit()
        let seven = ["10", "9", "B", "a", "aa", "b", "ä"]
        #expect(try store.recordIDs(collection: 7).map(\.description) == seven)
        #expect(try names(store, 7) == seven.map { "7/\($0)" })
        #expect(
            try names(store, nil) == ["0/z"] + seven.map { "7/\($0)" } + ["\(UInt32.max)/a"])
        #expect(try names(store, 8).isEmpty)
        try store.close()
    }

    @Test func `records are named while they are few`() throws {
        let store = try home.open()
        #expect(try store.recordNames(atMost: 0) == [])
        try store.begin()
        for id in ["b", "a"] { try store.putRecord(.sample(id)) }
        try store.commit()
        let names = try ["a", "b"].map {
            RecordName(collection: 7, id: try #require(RecordID($0)))
        }
        #expect(try store.recordNames(atMost: 2) == names)
        #expect(try store.recordNames(atMost: 1) == nil)
        try store.close()
    }

    @Test func `two spellings of one letter are two records`() throws {
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("caf\u{e9}"))
        try store.putRecord(.sample("cafe\u{301}"))
        try store.commit()
        #expect(try store.recordIDs(collection: 7).count == 2)
        try store.close()
    }

    @Test func `records are forgotten by collection, or all`() throws {
        let store = try home.open()
        try store.begin()
        for collection: UInt32 in [6, 7, 8, .max] {
            try store.putRecord(.sample("a", collection: collection))
        }
        try store.removeAllRecords(collections: [6, 8, 99])
        #expect(try names(store, nil) == ["7/a", "\(UInt32.max)/a"])
        try store.removeAllRecords()
        #expect(try names(store, nil).isEmpty)
        try store.commit()
        try store.close()
    }

    @Test func `reading can stop with an error and go on afterwards`() throws {
        let store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.putRecord(.sample("b"))
        try store.commit()
        let stopped = failure { () throws(StorageError) in
            try store.forEachRecord { (_) throws(StorageError) in throw .outOfMemory }
        }
        #expect(stopped == .outOfMemory)
        #expect(try names(store, nil) == ["7/a", "7/b"])
        try store.close()
    }

    @Test(arguments: ["x''", "x'ff'", "x'0a'", "zeroblob(65)"])
    func `an identifier that is none gives an error`(_ id: String) throws {
        var store = try home.open()
        try store.begin()
        try store.putRecord(.sample("a"))
        try store.commit()
        try store.close()
        try home.tamper("UPDATE records SET id = \(id)")
        store = try home.open()
        #expect(
            failure { () throws(StorageError) in _ = try store.recordIDs(collection: 7) }
                == .corrupt(where: "records"))
        try store.close()
    }
}
