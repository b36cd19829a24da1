import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The search for own batches whose rows are gone, alone.
@Suite struct GapSearchTests {
    private let bench: Workbench
    private let batches: [SealedBatch]
    private var chains: ChainBook
    private let row: ChainRow

    /// A chain that says that it has so many batches, of which the store has three.
    init() throws {
        bench = try Workbench()
        batches = try bench.chain(3)
        var row = try bench.row(of: bench.writer)
        for batch in batches { try bench.turn.store.append(BatchRow(batch, in: row)) }
        row.stored = Limits.gapSearchBatches + 10
        self.row = row
        chains = ChainBook([row], device: bench.writer.device, isStale: false)
    }

    /// The number of batches that were noted after each step, with the numbers up to `held` at a
    /// peer.
    private mutating func steps(held: UInt64) throws -> [Int] {
        var search = GapSearch(due: 0)
        var noted: [Int] = []
        var isDone = false
        while !isDone, noted.count < 10 {
            isDone = try search.step(in: &chains, heldUpTo: { _ in held }, &bench.turn)
            noted.append(chains.damaged[row.key].count)
        }
        return noted
    }

    @Test mutating func `one step looks for so many batches, and the next goes on`() throws {
        let most = Int(Limits.gapSearchBatches)
        #expect(try steps(held: 0) == [most - 3, most + 7])
        #expect(chains.damaged[row.key].first == 4 && chains.damaged.isRestatingDue)
    }

    @Test(arguments: [(3, 4), (Limits.gapSearchBatches + 9, Limits.gapSearchBatches + 10)])
    mutating func `what a peer is known to have is not looked for`(
        _ held: UInt64, _ first: UInt64
    ) throws {
        _ = try steps(held: held)
        #expect(chains.damaged[row.key].first == first)
    }

    @Test(arguments: [Limits.gapSearchBatches + 10, .max])
    mutating func `a peer that has all of it leaves nothing to look for`(_ held: UInt64) throws {
        #expect(try steps(held: held) == [0])
    }

    @Test mutating func `chains of others are passed over`() throws {
        chains = ChainBook([row], device: bench.author.device, isStale: false)
        #expect(try steps(held: 0) == [0])
    }
}
