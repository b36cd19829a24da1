import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct AuthorTests {
    @Test func `a new life begins with a new name and without batches`() throws {
        let bench = try Workbench()
        var entropy = Device.entropy(3)
        let before = bench.author
        bench.author.wroteBatch()
        try bench.author.rotate("the test says so", &entropy, &bench.turn)
        #expect(bench.author.id != before.id && bench.author.device == before.device)
        #expect(bench.author.witnessMark.highestSent == 0)
        #expect(bench.turn.outbox.witness == bench.author.witnessMark)
        let kept = try bench.turn.store.value(.incarnation)
        #expect(kept == bench.author.incarnation.array)
    }

    @Test func `a batch names what was seen since the one before it`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.writer)
        (row.stored, row.applied, row.head) = (2, 2, BatchID(repeating: 8))
        let index = ChainIndex([row])
        func named() throws -> Int {
            var attributes = try bench.body("text").attributes
            try bench.author.addDependencies(
                to: &attributes, scope: try bench.scope(), index, nil, bench.turn.store)
            return attributes.dependencies.count
        }
        #expect(try named() == 1)
        #expect(try named() == 0)
        bench.author.forget(row.key)
        #expect(try named() == 1)
    }

    @Test func `of a chain whose end the disk lost, the last batch known is named`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.writer)
        let first = try bench.batch(1, try bench.body("one"))
        let lost = try bench.batch(2, after: first.id, try bench.body("two"))
        let hidden = try bench.batch(3, after: lost.id, try bench.body("three"))
        (row.stored, row.applied, row.head) = (4, 2, BatchID(repeating: 8))
        func named() throws -> [BatchAttributes.Dependency] {
            var attributes = try bench.body("text").attributes
            bench.author.forget(row.key)
            try bench.author.addDependencies(
                to: &attributes, scope: try bench.scope(), ChainIndex([row]), nil, bench.turn.store)
            return attributes.dependencies.flatMap(\.heads)
        }
        #expect(try named().isEmpty)
        try bench.turn.store.append(BatchRow(first, in: row))
        #expect(try named().map(\.seq) == [1] && named().map(\.prefix) == [first.id.prefix8])
        try bench.turn.store.append(BatchRow(hidden, in: row))
        #expect(try named().map(\.seq) == [2] && named().map(\.prefix) == [lost.id.prefix8])
    }

    @Test func `its own chain is not among what it has seen`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.author)
        (row.stored, row.applied, row.head) = (2, 2, BatchID(repeating: 8))
        #expect(bench.author.wrote(row) && !bench.writer.wrote(row))
        var attributes = try bench.body("text").attributes
        try bench.author.addDependencies(
            to: &attributes, scope: try bench.scope(), ChainIndex([row]), nil, bench.turn.store)
        #expect(attributes.dependencies.isEmpty)
    }

    @Test func `the clock and the count are kept when they changed`() throws {
        let bench = try Workbench()
        try bench.turn.writing()
        try bench.author.save(to: bench.turn.store)
        try bench.turn.store.setValue(.replica, nil)
        try bench.author.save(to: bench.turn.store)
        #expect(try bench.turn.store.value(.replica) == nil)
        bench.author.wroteBatch()
        try bench.author.save(to: bench.turn.store)
        #expect(try bench.turn.store.value(.replica) == UInt64(1).bytes)
    }

    @Test func `a sealed batch opens under the keys of the group`() throws {
        let bench = try Workbench()
        let body = try bench.body("text")
        let batch = try bench.batch(1, body)
        #expect(batch.isSigned && batch.isIntact)
        let row = try bench.row(of: bench.writer)
        #expect(bench.group.body(of: BatchRow(batch, in: row), in: row) == body)
    }
}
