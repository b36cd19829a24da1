import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct BranchReaderTests {
    /// Chains of a writer that wrote two histories from its second batch on.
    private func divided(_ bench: Workbench) throws -> (ChainBook, lives: [SealedBatch]) {
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(2)
        let other = try bench.batch(2, after: batches[0].id, try bench.body("another"))
        for batch in batches + [other] {
            _ = try book.place(
                batch, author: bench.author, under: bench.schema, &bench.turn)
        }
        return (book, [batches[1], other])
    }

    /// The branch that a batch means by the second batch of the writer.
    private func meant(
        by row: ChainRow, at seq: UInt64, _ index: ChainIndex, _ bench: Workbench
    ) throws -> AuthorID {
        let log = BatchLog(
            store: bench.turn.store, chains: index, group: bench.group, schema: bench.schema)
        var reader = BranchReader()
        let names = try reader.names(for: row, at: seq, log)
        return names.resolve(Position(chain: bench.writer.id, seq: 2, index: 0)).chain
    }

    @Test func `a name means its author where nobody forked`() throws {
        let bench = try Workbench()
        let row = try bench.row(of: bench.writer)
        #expect(try meant(by: row, at: 1, ChainIndex([row]), bench) == bench.writer.id)
    }

    @Test func `each life of a forked author means itself`() throws {
        let bench = try Workbench()
        let (book, lives) = try divided(bench)
        for life in lives {
            let branch = try #require(book.rows.values.first { $0.head == life.id })
            #expect(try meant(by: branch, at: 2, book.index, bench) == branch.chain)
        }
    }

    @Test func `who named no life means the one with the smallest name`() throws {
        let bench = try Workbench()
        let (book, lives) = try divided(bench)
        let row = try bench.row(of: bench.author)
        let branches = try lives.map { life in
            try #require(book.rows.values.first { $0.head == life.id }).chain
        }
        let index = ChainIndex(book.rows.values + [row])
        #expect(try meant(by: row, at: 1, index, bench) == branches.min())
    }

    @Test(arguments: 0..<2)
    func `a writer means the life of which it named a batch`(number: Int) throws {
        let bench = try Workbench()
        let (book, lives) = try divided(bench)
        let life = lives[number]
        // The writer knew this life alone.
        var known = try #require(book.rows.values.first { $0.forkedAt != nil })
        (known.forkedAt, known.stored, known.applied, known.head) = (nil, 2, 2, life.id)
        var attributes = try bench.body("text").attributes
        var row = try bench.row(of: bench.author)
        try bench.author.addDependencies(
            to: &attributes, scope: row.scope, ChainIndex([known]), nil, bench.turn.store)
        let body = BatchBody(
            attributes: attributes, operations: try bench.body("text").operations)
        let batch = try bench.author.seal(
            body, scope: row.scope, seq: 1, after: .zero, for: bench.group, bench.keys.signing)
        try bench.turn.store.append(BatchRow(batch, in: row))
        (row.stored, row.applied, row.head) = (1, 1, batch.id)
        let branch = try #require(book.rows.values.first { $0.head == life.id })
        let index = ChainIndex(book.rows.values + [row])
        #expect(try meant(by: row, at: 1, index, bench) == branch.chain)
    }
}
