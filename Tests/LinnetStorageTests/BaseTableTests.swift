import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetStorage

struct BaseTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private let meds = Bytes16(repeating: 1)
    private let logs = Bytes16(repeating: 2)

    private func row(
        _ id: String, _ byte: UInt8, in scope: ScopeID? = nil
    ) throws -> BaseRow {
        BaseRow(
            name: RecordName(collection: 1_000, id: try #require(RecordID(id))),
            scope: scope ?? meds, sealed: [byte, byte])
    }

    @Test func `a record of a base is kept once, and stays across openings`() throws {
        var store = try home.open()
        try store.begin()
        try store.putBase(row("b", 1), on: .own)
        try store.putBase(row("a", 2), on: .own)
        try store.putBase(row("b", 3), on: .own)
        try store.commit()
        try store.close()
        store = try home.open()
        #expect(try store.bases(after: nil, limit: 9, on: .own) == [row("a", 2), row("b", 3)])
        #expect(try store.bases(after: row("a", 0).name, limit: 9, on: .own) == [row("b", 3)])
        #expect(try store.bases(after: nil, limit: 1, on: .own) == [row("a", 2)])
        #expect(try store.base(of: row("b", 0).name, on: .own) == row("b", 3))
        #expect(try store.base(of: row("b", 0).name, on: .arriving) == nil)
        #expect(try store.baseTotals(on: .own) == Totals(count: 2, bytes: 4))
        try store.close()
    }

    @Test func `what arrived takes the place of what was there, scope by scope`() throws {
        let store = try home.open()
        try store.begin()
        try store.putBase(row("a", 1), on: .own)
        try store.putBase(row("gone", 1), on: .own)
        try store.putBase(row("other", 1, in: logs), on: .own)
        try store.putBase(row("a", 2), on: .arriving)
        try store.removeBases(scope: meds, on: .own)
        try store.adoptArrivedBases()
        try store.commit()
        #expect(
            try store.bases(after: nil, limit: 9, on: .own)
                == [row("a", 2), row("other", 1, in: logs)])
        #expect(try store.baseTotals(on: .arriving).count == 0)
        try store.begin()
        try store.removeBases(scope: nil, on: .own)
        try store.commit()
        #expect(try store.baseTotals(on: .own).count == 0)
        try store.close()
    }

    @Test func `a floor belongs to its chain, and batches below it go`() throws {
        let store = try home.open()
        try store.begin()
        var row = try store.insertChain(
            NewChain(
                scope: meds, chain: logs, device: Bytes32(repeating: 3),
                incarnation: Bytes8(repeating: 4)))
        for seq in UInt64(1)...4 {
            try store.append(
                BatchRow(
                    chain: row.index, seq: seq, id: Bytes32(repeating: UInt8(seq)), prev: .zero,
                    epoch: .zero, nonce: [UInt8](repeating: 0, count: 24), ciphertext: [1],
                    signature: [UInt8](repeating: 0, count: 64)))
        }
        (row.first, row.stored) = (3, 4)
        try store.updateChain(row)
        try store.setFloor(of: row.index, 3)
        try store.removeBatches(chain: row.index, below: 3)
        try store.commit()
        #expect(try store.chains().map(\.floor) == [3])
        #expect(try store.chains().map(\.first) == [3])
        #expect(try store.batches(chain: row.index, from: 1, maxBytes: .max).map(\.seq) == [3, 4])
        try store.begin()
        try store.setFloor(of: row.index, 0)
        try store.commit()
        #expect(try store.chains().map(\.floor) == [0])
        try store.close()
    }
}
