import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The parts of the chains alone.
@Suite struct ChainPartsTests {
    private func row(_ bench: Workbench, stored: UInt64) throws -> ChainRow {
        var row = try bench.row(of: bench.writer)
        row.stored = stored
        return row
    }

    @Test func `what was committed without waiting is durable after a sync`() throws {
        let bench = try Workbench()
        let row = try row(bench, stored: 3)
        try bench.turn.store.commit()
        bench.turn.isMoreComing = true
        var unsynced = UnsyncedBatches()
        for seq in 2...3 as ClosedRange<UInt64> {
            try unsynced.writing(seq, to: row, isOwn: false, &bench.turn)
        }
        #expect(unsynced.durableSeq(row) == 1 && unsynced.catchUp?.batches == 2)
        try bench.turn.store.commit()
        try unsynced.endCatchUp(at: bench.now, ChainIndex([row]), &bench.turn) { _, _ in false }
        #expect(unsynced.isEmpty && unsynced.durableSeq(row) == 3)
        #expect(bench.turn.grown[row.key] == 2)
    }

    @Test func `a damaged batch is known until it is repaired`() throws {
        let bench = try Workbench()
        let row = try row(bench, stored: 1)
        let batch = try bench.chain(1)[0]
        var damaged = DamagedBatches(device: bench.author.device)
        for _ in 0..<2 { damaged.note(BatchRow(batch, in: row), in: row, &bench.turn) }
        #expect(damaged[row.key] == [1] && damaged.contains(1, of: row.key))
        #expect(bench.turn.takeDamaged().count == 1)
        damaged.repaired(1, of: row.key)
        let isProven = damaged.isProven(batch)
        #expect(damaged.isEmpty && isProven)
    }

    @Test func `a stored batch is hidden until it is its turn, and shows once`() throws {
        let bench = try Workbench()
        var row = try row(bench, stored: 0)
        let batch = try bench.chain(1)[0]
        try bench.turn.store.append(BatchRow(batch, in: row))
        (row.stored, row.head) = (1, batch.id)
        var index = ChainIndex([row])
        var hidden = HiddenBatches()
        let shown = try hidden.next(
            of: row.key, &index, group: bench.group, held: .everything, telling: nil, &bench.turn)
        #expect(shown?.map(\.seq) == [1] && !hidden.isBlocked(row.key))
        index.advance(row.key, to: 1)
        let more = try hidden.next(
            of: row.key, &index, group: bench.group, held: .everything, telling: nil, &bench.turn)
        #expect(more == nil)
    }
}
