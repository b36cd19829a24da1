import LinnetStorage
import LinnetWire
import Testing

struct PendingTableTests {
    let home: TemporaryHome
    let device = DeviceID(repeating: 2)
    let incarnation = Incarnation(repeating: 3)

    init() throws { home = try TemporaryHome() }

    private func waiting(
        _ store: SQLiteStore, from seq: UInt64 = 0, maxBytes: Int = 1_000_000
    ) throws -> [PendingRow] {
        try store.pending(
            scope: ScopeID(repeating: 1), device: device, incarnation: incarnation, from: seq,
            maxBytes: maxBytes)
    }

    @Test func `batches that wait come back by sequence, also two of one sequence`() throws {
        let store = try home.open()
        try store.begin()
        let rows = [
            PendingRow.sample(1, seq: 9), .sample(2, seq: 5), .sample(3, seq: 9),
            .sample(4, seq: 7, scope: 2),
        ]
        for row in rows { try store.insertPending(row) }
        try store.commit()
        #expect(try waiting(store) == [rows[1], rows[0], rows[2]])
        #expect(try waiting(store, from: 6) == [rows[0], rows[2]])
        #expect(try waiting(store, maxBytes: 140) == [rows[1], rows[0]])
        #expect(try waiting(store, maxBytes: 0) == [rows[1]])
        #expect(try store.isPending(rows[3].id))
        #expect(try !store.isPending(BatchID(repeating: 99)))
        try store.close()
    }

    @Test func `the totals follow every change, a rollback and a reopening`() throws {
        var store = try home.open()
        try store.begin()
        try store.insertPending(.sample(1))
        try store.insertPending(.sample(2))
        try store.insertPending(.sample(3, scope: 2))
        try store.commit()
        #expect(store.pendingTotals == Totals(count: 3, bytes: 3 * 69))
        try store.begin()
        try store.removePending(BatchID(repeating: 1))
        try store.removePending(BatchID(repeating: 99))
        #expect(store.pendingTotals == Totals(count: 2, bytes: 2 * 69))
        store.rollback()
        #expect(store.pendingTotals == Totals(count: 3, bytes: 3 * 69))
        try store.begin()
        try store.removePending(BatchID(repeating: 1))
        try store.commit()
        let chain = try store.pendingTotals(
            scope: ScopeID(repeating: 1), device: device, incarnation: incarnation)
        #expect(chain == Totals(count: 1, bytes: 69))
        #expect(try store.pendingChains().map(\.totals.count) == [1, 1])
        #expect(
            try store.pendingChains().map(\.scope) == [
                ScopeID(repeating: 1), ScopeID(repeating: 2),
            ])
        try store.close()
        store = try home.open()
        #expect(store.pendingTotals == Totals(count: 2, bytes: 2 * 69))
        try store.close()
    }

    @Test func `a batch waits once, and a sequence beyond the range not at all`() throws {
        let store = try home.open()
        try store.begin()
        try store.insertPending(.sample(1))
        #expect(
            failure { () throws(StorageError) in try store.insertPending(.sample(1)) }
                == .duplicate)
        #expect(
            failure { () throws(StorageError) in
                try store.insertPending(.sample(2, seq: .max))
            } == .outOfRange)
        try store.commit()
        #expect(store.pendingTotals.count == 1)
        #expect(try waiting(store, from: .max).isEmpty)
        try store.close()
    }
}
