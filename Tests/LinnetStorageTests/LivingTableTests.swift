import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

/// How many rows are live, without opening one.
struct LivingTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func change(
        _ store: SQLiteStore, _ body: () throws -> Void
    ) throws {
        try store.begin()
        try body()
        try store.commit()
    }

    /// A record that was written and then deleted.
    private func deleted(_ name: String) throws -> RecordState {
        var state = try RecordState.sample(name)
        _ = state.apply(
            Operation.record(
                .recordDelete, collection: 7, record: state.record, generation: 2, stampDelta: 0),
            stamp: Timestamp(wallMilliseconds: 2_000),
            at: Position(chain: AuthorID(repeating: 4), seq: 2, index: 0))
        try #require(!state.isLive)
        return state
    }

    private func life(_ store: SQLiteStore, _ name: String) throws -> RowLife {
        try store.rowLife(collection: 7, id: try #require(RecordID(name)))
    }

    @Test func `numbers follow rows that are written, deleted and written again`() throws {
        var store = try home.open()
        #expect(try store.liveRowCount(collection: 7) == 0)
        try change(store) {
            for name in ["a", "b", "c"] { try store.putRecord(.sample(name)) }
            try store.putRecord(deleted("d"))
            try store.putRecord(.sample("a", collection: 8))
        }
        #expect(try store.liveRowCount(collection: 7) == 3)
        #expect(try store.liveRowCount(collection: 8) == 1)
        try change(store) {
            try store.putRecord(deleted("b"))
            try store.putRecord(.sample("c", text: "again"))
            try store.putRecord(.sample("d"))
        }
        #expect(try store.liveRowCount(collection: 7) == 3)
        try store.close()
        store = try home.open()
        #expect(try store.liveRowCount(collection: 7) == 3)
        #expect(try life(store, "a") == .live(row: 1))
        #expect(try life(store, "b") == .deleted(row: 2))
        #expect(try life(store, "nobody") == .none)
        try store.close()
    }

    @Test func `numbers go back with a transaction that is taken back`() throws {
        let store = try home.open()
        try change(store) { try store.putRecord(.sample("a")) }
        try store.begin()
        try store.putRecord(.sample("b"))
        try store.putRecord(deleted("a"))
        #expect(try store.liveRowCount(collection: 7) == 1)
        store.rollback()
        #expect(try store.liveRowCount(collection: 7) == 1)
        #expect(try life(store, "a") == .live(row: 1))
        #expect(try life(store, "b") == .none)
        try store.close()
    }

    @Test func `rows that are taken away count no more, and their numbers begin as new`() throws {
        let store = try home.open()
        try change(store) {
            for name in ["x/a", "x/b", "y/a", "z"] { try store.putRecord(.sample(name)) }
        }
        try change(store) { try store.removeRecords(collection: 7, prefix: Array("x/".utf8)) }
        #expect(try store.liveRowCount(collection: 7) == 2)
        try change(store) {
            guard case .live(let row) = try life(store, "z") else { return }
            try store.removeRow(row, collection: 7)
        }
        #expect(try store.liveRowCount(collection: 7) == 1)
        // It takes the number of the last row, which was live.
        try change(store) { try store.putRecord(deleted("w")) }
        #expect(try store.liveRowCount(collection: 7) == 1)
        try change(store) { try store.removeAllRecords(collections: [7]) }
        #expect(try store.liveRowCount(collection: 7) == 0)
        // They take the numbers of rows that were live when all were taken away.
        try change(store) {
            for name in ["p", "q", "r", "s"] { try store.putRecord(deleted(name)) }
            try store.putRecord(.sample("v"))
        }
        #expect(try store.liveRowCount(collection: 7) == 1)
        try store.close()
    }

    @Test func `a file of an earlier version is counted once, and not before`() throws {
        var store = try home.open()
        try change(store) {
            for name in ["a", "b"] { try store.putRecord(.sample(name)) }
            try store.putRecord(deleted("c"))
        }
        try store.close()
        // What the step to version 5 makes of a file that has these rows.
        try home.tamper("DELETE FROM living")
        try home.tamper("UPDATE marks SET marks = substr(marks, 1, 1024)")
        store = try home.open()
        #expect(try !store.hasCountedRows())
        // What is written before the count is in it.
        try change(store) { try store.putRecord(.sample("d")) }
        try change(store) { try store.countRows { _ in nil } }
        #expect(try store.hasCountedRows())
        #expect(try store.liveRowCount(collection: 7) == 3)
        #expect(try life(store, "c") == .deleted(row: 3))
        #expect(try store.damagedRows(collection: 7).isEmpty)
        try store.close()
        store = try home.open()
        #expect(try store.hasCountedRows() && store.liveRowCount(collection: 7) == 3)
        try store.close()
    }

    @Test func `what was noted wrongly is put right`() throws {
        var store = try home.open()
        try change(store) {
            for name in ["a", "b"] { try store.putRecord(.sample(name)) }
        }
        try store.close()
        try home.tamper("UPDATE living SET count = 9")
        store = try home.open()
        #expect(try store.liveRowCount(collection: 7) == 9)
        try store.begin()
        #expect(try store.addUpRows(collection: 7))
        #expect(try !store.addUpRows(collection: 7))
        #expect(try !store.correctLife(true, row: 1, collection: 7))
        #expect(try store.correctLife(false, row: 1, collection: 7))
        try store.commit()
        #expect(try store.liveRowCount(collection: 7) == 1)
        #expect(try life(store, "a") == .deleted(row: 1))
        try store.close()
    }
}
