import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct TurnTests {
    private let key = ChainKey(scope: ScopeID(repeating: 1), chain: AuthorID(repeating: 2))

    @Test func `what must be durable makes a relaxed transaction be flushed`() throws {
        let bench = try Workbench()
        try bench.turn.writingCasually()
        #expect(bench.turn.isRelaxed && !bench.turn.mustFlush)
        try bench.turn.writingDerived()
        #expect(!bench.turn.mustFlush)
        try bench.turn.writing()
        #expect(bench.turn.mustFlush)
    }

    @Test func `what nobody relies on leaves a full transaction as it is`() throws {
        let bench = try Workbench()
        try bench.turn.writing()
        try bench.turn.writingCasually()
        #expect(!bench.turn.isRelaxed && !bench.turn.mustFlush)
    }

    @Test func `a chain grew from its first new sequence on`() throws {
        let bench = try Workbench()
        bench.turn.grew(key, from: 4)
        bench.turn.grew(key, from: 5)
        bench.turn.grew(key, from: 3)
        #expect(bench.turn.grown[key] == 3)
    }

    @Test func `the batch at hand is given out once`() throws {
        let bench = try Workbench()
        let batch = try bench.batch(1, try bench.body("text"))
        let row = try bench.row(of: bench.writer)
        bench.turn.stored(BatchRow(batch, in: row))
        #expect(try bench.turn.batch(chain: row.index, seq: 1)?.id == batch.id)
        #expect(try bench.turn.batch(chain: row.index, seq: 1) == nil)
    }

    @Test func `the shell hears everything once`() throws {
        let bench = try Workbench()
        bench.turn.outbox.warn(.admissionFrozen(by: .zero))
        let effects = bench.turn.speak(sends: [])
        #expect(effects == [.notify(.warning(.admissionFrozen(by: .zero)))])
        #expect(bench.turn.speak(sends: []).isEmpty)
    }
}
