import LinnetWire
import Testing

@testable import LinnetCRDT

/// The order in which the runs of a text are known by name.
@Suite struct RunSortTests {
    private static let chains = (1...3).map { number in
        AuthorID(repeating: UInt8(number))
    }

    /// Makes runs of which no two begin alike, with parts of names up to a bound.
    private func runs(_ count: Int, seqs: UInt64, indices: UInt32) -> [TextRun] {
        var random = Seeded(3)
        var names: [TextID] = []
        var known: Set<TextID> = []
        while names.count < count {
            let name = TextID(
                position: Position(
                    chain: Self.chains[random.below(3)], seq: random.word() % seqs,
                    index: UInt32(random.word() % UInt64(indices))),
                offset: UInt32(random.below(40)))
            if known.insert(name).inserted { names.append(name) }
        }
        return names.map { TextRun(first: $0, count: 1, isDeleted: false) }
    }

    private func expectSorted(_ runs: [TextRun]) {
        let sorted = RunSort.byName(runs, chains: Self.chains)
        #expect(sorted.count == runs.count)
        let names = sorted.map { runs[Int($0)].first }
        #expect(names == runs.map(\.first).sorted())
    }

    @Test func `short names are sorted by their digits`() {
        expectSorted(runs(3_000, seqs: 5_000, indices: 4_096))
        expectSorted(runs(1, seqs: 1, indices: 1))
        expectSorted([])
    }

    @Test func `names that do not fit in 64 bits are compared`() {
        expectSorted(runs(500, seqs: .max, indices: .max))
    }
}
