import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct RecordBookTests {
    /// A record book over a chain of batches that were placed and show.
    private func merged(
        _ count: Int, _ bench: Workbench
    ) throws -> (book: RecordBook, chains: ChainBook, key: RecordKey) {
        var chains = ChainBook([], device: bench.author.device, isStale: false)
        var book = RecordBook(seed: 1, schema: bench.schema)
        for batch in try bench.chain(count) {
            _ = try chains.place(batch, author: bench.author, under: bench.schema, &bench.turn)
        }
        let key = try #require(chains.rows.keys.first)
        while let batches = try chains.nextToShow(
            of: key, group: bench.group, held: .everything, &bench.turn), !batches.isEmpty
        {
            for batch in batches {
                let (stored, body) = try batch.read(of: bench.group, in: bench.turn.store)
                try book.merge(
                    try #require(body), of: stored, in: batch.row,
                    bench.log(of: chains), &bench.turn, &bench.author.clock, at: bench.now)
                chains.index.advance(key, to: stored.seq)
            }
        }
        return (
            book, chains,
            RecordKey(
                collection: Device.medication, record: try #require(RecordID("record")))
        )
    }

    private func text(
        _ key: RecordKey, in book: RecordBook, _ chains: ChainBook, _ bench: Workbench
    ) throws -> String? {
        let state = try book.reading(bench.log(of: chains)).state(of: key)
        guard case .text(let text)? = bench.schema.view(of: state)?.fields.first?.values.first
        else { return nil }
        return text
    }

    @Test func `what was merged shows before its row is written`() throws {
        let bench = try Workbench()
        let (book, chains, key) = try merged(3, bench)
        #expect(try text(key, in: book, chains, bench) == "2")
        #expect(try bench.turn.store.recordCount(collection: nil) == 0)
        #expect(book.overlay.isDirty(key))
    }

    @Test func `a fold writes the rows and tells how far they are`() throws {
        let bench = try Workbench()
        var (book, chains, key) = try merged(3, bench)
        let early = try book.foldRows(after: 3, bench.log(of: chains))
        #expect(early.isEmpty)
        let marks = try book.foldAllRows(bench.log(of: chains))
        #expect(marks.map(\.seq) == [3])
        chains.folded(marks)
        #expect(chains.rows.first?.value.folded == 3)
        #expect(try bench.turn.store.recordCount(collection: nil) == 1)
        #expect(!book.overlay.isDirty(key) && !book.fold.isBehind)
    }

    @Test func `what was not folded is merged again and nobody hears of it`() throws {
        let bench = try Workbench()
        var (book, chains, key) = try merged(3, bench)
        book.reset()
        _ = bench.turn.speak(sends: [])
        #expect(try text(key, in: book, chains, bench) == nil)
        try book.replay(bench.log(of: chains), &bench.turn, &chains)
        #expect(try text(key, in: book, chains, bench) == "2")
        #expect(book.fold.isBehind)
        #expect(bench.turn.speak(sends: []).isEmpty)
    }

    @Test func `a record is named once in a call`() throws {
        let bench = try Workbench()
        let (_, _, key) = try merged(3, bench)
        let effects = bench.turn.speak(sends: [])
        #expect(effects == [.notify(.recordsChanged([key]))])
    }

    @Test func `a check finds nothing where rows are what the log says`() throws {
        let bench = try Workbench()
        var (book, chains, _) = try merged(3, bench)
        chains.folded(try book.foldAllRows(bench.log(of: chains)))
        try book.beginDeepCheck(bench.log(of: chains))
        var report: DeepCheckReport?
        while report == nil {
            report = try book.stepDeepCheck(
                20_000, bench.log(of: chains), &bench.turn, &chains
            ).report
        }
        #expect(report?.isClean == true && report?.records == 1)
    }

    @Test func `indexes that the store does not know of are made anew`() throws {
        let bench = try Workbench()
        let schema = try IndexedLife.schema(version: 1, isIndexed: true)
        let book = RecordBook(seed: 1, schema: schema)
        let log = BatchLog(
            store: bench.turn.store, chains: ChainIndex([]), group: bench.group, schema: schema)
        try bench.turn.writingDerived()
        try book.indexes.note(in: bench.turn.store)
        let known = try #require(try bench.turn.store.value(.indexes))
        try bench.turn.store.setValue(.indexes, nil)
        try book.indexes.adapt(book.rows(log), &bench.turn)
        #expect(try bench.turn.store.value(.indexes) == known)
    }
}
