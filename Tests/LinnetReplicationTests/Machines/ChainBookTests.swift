import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct ChainBookTests {
    private func place(
        _ batch: SealedBatch, in book: inout ChainBook, _ bench: Workbench
    ) throws -> Placement {
        try book.place(batch, author: bench.author, under: bench.schema, &bench.turn)
    }

    private func show(
        _ key: ChainKey, in book: inout ChainBook, _ bench: Workbench
    ) throws -> [VisibleBatch]? {
        try book.nextToShow(of: key, group: bench.group, held: .everything, &bench.turn)
    }

    private func listed(
        _ key: ChainKey, of book: ChainBook, _ bench: Workbench
    ) throws -> [UInt64] {
        try book.listing(of: [key], in: bench.turn.store).scopes.flatMap(\.heads).map(\.seq)
    }

    @Test func `a batch continues its chain once and waits behind a hole`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(3)
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        #expect(try place(batches[0], in: &book, bench) == .stored(key))
        #expect(try place(batches[0], in: &book, bench) == .duplicate)
        #expect(try place(batches[2], in: &book, bench) == .waiting)
        #expect(try book.waiting.hold(batches[2], of: bench.group, &bench.turn))
        #expect(try place(batches[1], in: &book, bench) == .stored(key))
        try book.retryPending(
            of: bench.group, author: bench.author, under: bench.schema, &bench.turn)
        #expect(book[key]?.stored == 3 && book[key]?.head == batches[2].id)
        #expect(book.waiting.isSettled && bench.turn.grown[key] == 1)
    }

    @Test func `two histories divide a chain into branches`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(2)
        let other = try bench.batch(2, after: batches[0].id, try bench.body("another"))
        for batch in batches { _ = try place(batch, in: &book, bench) }
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        #expect(try place(other, in: &book, bench) == .forked(trunk: key))
        #expect(book[key]?.stored == 1 && book[key]?.forkedAt == 2)
        #expect(book.rows.count == 3 && book.isStale)
        #expect(bench.turn.rotation == nil)
    }

    @Test func `a fork whose kept proof is damaged is proven by its branches`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(2)
        let other = try bench.batch(2, after: batches[0].id, try bench.body("another"))
        for batch in batches + [other] { _ = try place(batch, in: &book, bench) }
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        let trunk = try #require(book[key])
        try bench.turn.store.addFork(
            ForkRow(scope: key.scope, chain: key.chain, seq: 2, proof: [1, 2, 3]))
        let proof = try #require(
            try book.proof(of: trunk, bench.group, in: bench.turn.store))
        #expect(proof.place(in: bench.group.log.group)?.seq == 2)
    }

    @Test func `another history of our own calls for a new life`() throws {
        let bench = try Workbench()
        bench.author = bench.writer
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(2)
        let other = try bench.batch(2, after: batches[0].id, try bench.body("another"))
        for batch in batches { _ = try place(batch, in: &book, bench) }
        _ = try place(other, in: &book, bench)
        #expect(bench.turn.rotation != nil)
    }

    @Test func `what a power cut could take is not listed before it is durable`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(3)
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        _ = try place(batches[0], in: &book, bench)
        try bench.turn.store.commit()
        bench.turn.isMoreComing = true
        for batch in batches[1...] { _ = try place(batch, in: &book, bench) }
        #expect(book.unsynced.catchUp?.batches == 2)
        #expect(try listed(key, of: book, bench) == [1])
        try bench.turn.store.commit()
        try book.unsynced.endCatchUp(at: bench.now, book.index, &bench.turn) { _, _ in true }
        #expect(book.unsynced.catchUp?.due == bench.now.uptimeMilliseconds + CatchUp.milliseconds)
        try book.unsynced.endCatchUp(at: bench.now, book.index, &bench.turn) { _, _ in false }
        #expect(try listed(key, of: book, bench) == [3])
    }

    @Test func `a damaged batch is told of once and replaced by its good copy`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batch = try bench.chain(1)[0]
        _ = try place(batch, in: &book, bench)
        let row = try #require(book.rows.values.first)
        // The one at hand is whole.
        var stored = try #require(try bench.turn.batch(chain: row.index, seq: 1))
        stored.ciphertext[0] ^= 1
        try bench.turn.store.replaceBatch(stored)
        let shown = try #require(try show(row.key, in: &book, bench))
        #expect(shown.count == 1)
        #expect(try shown[0].read(of: bench.group, in: bench.turn.store).body == nil)
        for _ in 0..<2 {
            try book.damaged.noteLoss(of: stored, in: row, &bench.turn)
        }
        #expect(bench.turn.takeDamaged().map(\.seq) == [1])
        #expect(try book.repair(with: batch, under: bench.schema, &bench.turn))
        #expect(book.damaged.isEmpty && book.isStale)
        let again = try #require(try show(row.key, in: &book, bench)?.first)
        #expect(try again.read(of: bench.group, in: bench.turn.store).body != nil)
    }

    @Test func `the parts of a commit show together`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let commit = CommitID(repeating: 6)
        let first = try bench.batch(1, try bench.body("one", commit: commit, part: 1, parts: 2))
        let second = try bench.batch(
            2, after: first.id, try bench.body("two", commit: commit, part: 2, parts: 2))
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        _ = try place(first, in: &book, bench)
        #expect(try show(key, in: &book, bench)?.isEmpty == true)
        #expect(try show(key, in: &book, bench) == nil)
        _ = try place(second, in: &book, bench)
        #expect(try show(key, in: &book, bench)?.map(\.seq) == [1, 2])
    }

    @Test func `a large commit shows whole, and only some of it is in memory`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let commit = CommitID(repeating: 6)
        var last = BatchID.zero
        for part in 1...12 as ClosedRange<UInt32> {
            var body = try bench.body("part \(part)", commit: commit, part: part, parts: 12)
            let large = try Value.text(String(repeating: "a", count: 60_000)).encoded()
            for _ in 0..<16 {
                var operation = body.operations[0]
                operation.payload = large
                body.operations.append(operation)
            }
            let batch = try bench.batch(UInt64(part), after: last, body)
            last = batch.id
            _ = try place(batch, in: &book, bench)
        }
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        #expect(try show(key, in: &book, bench)?.isEmpty == true)
        let shown = try #require(try show(key, in: &book, bench))
        let opened = shown.count { if case .opened = $0.content { true } else { false } }
        #expect(shown.map(\.seq) == Array(1...12) && opened > 0 && opened < 10)
        for batch in shown {
            let body = try batch.read(of: bench.group, in: bench.turn.store).body
            #expect(body?.operations.count == 17)
        }
    }

    @Test func `a batch that waits for another one leaves nothing but the reason in memory`() throws
    {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let (scope, missing) = (try bench.scope(), AuthorID(repeating: 8))
        var body = try bench.body(String(repeating: "a", count: 40_000))
        body.attributes.authors = [missing]
        body.attributes.dependencies = [
            BatchAttributes.ScopeDependencies(
                scope: scope,
                heads: [BatchAttributes.Dependency(author: 0, seq: 3, prefix: .zero)])
        ]
        let batch = try bench.batch(1, body)
        _ = try place(batch, in: &book, bench)
        let key = ChainKey(scope: scope, chain: bench.writer.id)
        for _ in 0..<2 { #expect(try show(key, in: &book, bench) == nil) }
        #expect(
            book.hidden.blocked[key]?.awaited
                == .batch(scope: scope, chain: missing, seq: 3, prefix: .zero))
        #expect(book.hidden.opened[batch.id] == nil && book.hidden.isBlocked(key))
        let row = try #require(book[key])
        #expect(
            book.hidden.reasonToWait(row, book.index)
                == "a change of a device that is not known here")
    }

    @Test func `a chain whose scope was left is empty`() throws {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        for batch in try bench.chain(2) { _ = try place(batch, in: &book, bench) }
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        try book.empty(key, in: bench.turn.store)
        #expect(book[key]?.stored == 0 && book[key]?.head == .zero)
        #expect(try bench.turn.store.batchTotals().count == 0)
    }

    @Test func `few and small opened batches are kept at hand`() throws {
        let bench = try Workbench()
        var parts = OpenedBatches()
        for number in 0..<40 {
            parts.keep(try bench.body("text"), of: BatchID(repeating: UInt8(number)))
        }
        #expect(parts[BatchID(repeating: 39)] == (try bench.body("text")))
        #expect(parts[BatchID(repeating: 0)] == nil)
        parts.forget(BatchID(repeating: 39))
        #expect(parts[BatchID(repeating: 39)] == nil)
        var large = try bench.body("text")
        for _ in 0..<400 { large.operations.append(large.operations[0]) }
        parts.keep(large, of: BatchID(repeating: 50))
        #expect(parts[BatchID(repeating: 50)] == nil)
        parts.removeAll()
        #expect(parts[BatchID(repeating: 38)] == nil)
    }
}
