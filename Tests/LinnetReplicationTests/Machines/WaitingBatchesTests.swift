import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Batches that wait are read again only when the reason for which they wait may have gone.
@Suite struct WaitingBatchesTests {
    private let everything = UInt64(0)...UInt64.max

    private func family(_ author: Author, _ bench: Workbench) throws -> WaitingBatches.Family {
        WaitingBatches.Family(
            scope: try bench.scope(), device: author.device, incarnation: author.incarnation)
    }

    private func next(
        _ waiting: inout WaitingBatches, _ bench: Workbench
    ) throws -> [UInt64]? {
        try waiting.next(of: bench.group, in: bench.turn.store)?.map(\.seq)
    }

    /// Some batches of the writer that wait, the first ones of which are missing.
    private func held(_ count: Int, _ bench: Workbench) throws -> WaitingBatches {
        var waiting = WaitingBatches()
        for batch in try bench.chain(count + 2).dropFirst(2) {
            #expect(try waiting.hold(batch, of: bench.group, &bench.turn))
        }
        return waiting
    }

    @Test func `after the opening all that waits is read once`() throws {
        let bench = try Workbench()
        var waiting = try held(3, bench)
        #expect(!waiting.isSettled)
        #expect(try next(&waiting, bench) == [3, 4, 5])
        #expect(try next(&waiting, bench) == nil && waiting.isSettled)
    }

    @Test func `what grew at another place lets nothing be read`() throws {
        let bench = try Workbench()
        var waiting = try held(3, bench)
        while try next(&waiting, bench) != nil {}
        waiting.mayGo(try family(bench.author, bench), at: everything)
        waiting.mayGo(try family(bench.writer, bench), at: 1...2)
        #expect(try next(&waiting, bench) == nil && waiting.isSettled)
    }

    @Test func `a chain that grew lets those alone be read that may follow`() throws {
        let bench = try Workbench()
        var waiting = try held(3, bench)
        while try next(&waiting, bench) != nil {}
        waiting.mayGo(try family(bench.writer, bench), at: 2...3)
        #expect(!waiting.isSettled)
        #expect(try next(&waiting, bench) == [3])
        waiting.mayGo(try family(bench.writer, bench), at: 4...4)
        waiting.mayGo(try family(bench.writer, bench), at: 3...3)
        #expect(try next(&waiting, bench) == [3, 4])
        #expect(try next(&waiting, bench) == nil)
    }

    @Test func `a batch that came later is known of, and one that went is not`() throws {
        let bench = try Workbench()
        var waiting = WaitingBatches()
        #expect(try next(&waiting, bench) == nil)
        let batches = try bench.chain(4)
        for batch in batches[2...] {
            #expect(try waiting.hold(batch, of: bench.group, &bench.turn))
            #expect(try waiting.hold(batch, of: bench.group, &bench.turn))
        }
        #expect(waiting.isSettled && bench.turn.store.pendingTotals.count == 2)
        waiting.mayGo(try family(bench.writer, bench), at: 3...3)
        let rows = try #require(try waiting.next(of: bench.group, in: bench.turn.store))
        #expect(rows.map(\.id) == [batches[2].id])
        try waiting.remove(rows[0], &bench.turn)
        waiting.mayGo(try family(bench.writer, bench), at: everything)
        #expect(try next(&waiting, bench) == [4])
        try waiting.drop(try bench.scope(), in: bench.turn.store)
        waiting.mayGo(try family(bench.writer, bench), at: everything)
        #expect(try next(&waiting, bench) == nil)
        #expect(bench.turn.store.pendingTotals.count == 0)
    }

    @Test func `batches of a stranger are read once the group grew`() throws {
        let bench = try Workbench()
        var waiting = WaitingBatches()
        #expect(try next(&waiting, bench) == nil)
        let batch = try bench.author.seal(
            try bench.body("text"), scope: try bench.scope(), seq: 1, after: .zero,
            for: bench.group, bench.keys.signing)
        #expect(!bench.group.isKept(bench.author.device))
        #expect(try waiting.hold(batch, of: bench.group, &bench.turn))
        #expect(waiting.isSettled)
        waiting.groupGrew()
        #expect(!waiting.isSettled)
        // The one that came is another.
        #expect(try next(&waiting, bench) == nil && waiting.isSettled)
    }

    @Test func `a chain that closes its gap shows all that waited, and what is wrong waits on`()
        throws
    {
        let bench = try Workbench()
        var book = ChainBook([], device: bench.author.device, isStale: false)
        let batches = try bench.chain(6)
        let wrong = try bench.batch(4, after: BatchID(repeating: 7), try bench.body("wrong"))
        let key = ChainKey(scope: try bench.scope(), chain: bench.writer.id)
        func settle() throws {
            try book.retryPending(
                of: bench.group, author: bench.author, under: bench.schema, &bench.turn)
        }
        for batch in [batches[5], wrong] + batches[2...4].reversed() {
            #expect(try book.waiting.hold(batch, of: bench.group, &bench.turn))
        }
        try settle()
        for batch in batches[0...1] {
            #expect(
                try book.place(
                    batch, author: bench.author, under: bench.schema, &bench.turn) == .stored(key))
        }
        try settle()
        #expect(book[key]?.stored == 6 && book[key]?.head == batches[5].id)
        #expect(book.waiting.isSettled && bench.turn.store.pendingTotals.count == 1)
    }
}
