import LinnetWire

/// Sorts the runs of a text by the names of their first scalars.
///
/// The four parts of a name nearly always fit in one number of 64 bits, and such numbers are
/// sorted by their digits, the low ones first, in a time that grows with their count alone.
enum RunSort {
    private typealias Key = (name: UInt64, node: Int32)
    private static let digitBits: UInt64 = 11

    /// Returns the numbers of the runs in the order of their names; `chains` ascends and has the
    /// chain of each.
    static func byName(_ runs: [TextRun], chains: [AuthorID]) -> [Int32] {
        guard let keys = keys(runs, chains: chains) else {
            return runs.indices.map { Int32(truncatingIfNeeded: $0) }.sorted {
                runs[Int($0)].first < runs[Int($1)].first
            }
        }
        return sort(keys).map(\.node)
    }

    /// Returns the names as numbers that stand in the same order; nil when they are too long.
    private static func keys(_ runs: [TextRun], chains: [AuthorID]) -> [Key]? {
        let ranks = ranks(runs, chains: chains)
        var (seqs, indices, offsets): (UInt64, UInt32, UInt32) = (0, 0, 0)
        for run in runs {
            seqs |= run.first.position.seq
            indices |= run.first.position.index
            offsets |= run.first.offset
        }
        let offsetBits = UInt32.bitWidth - offsets.leadingZeroBitCount
        let indexBits = UInt32.bitWidth - indices.leadingZeroBitCount
        let seqBits = UInt64.bitWidth - seqs.leadingZeroBitCount
        let rankBits = Int.bitWidth - chains.count.leadingZeroBitCount
        guard offsetBits + indexBits + seqBits + rankBits <= UInt64.bitWidth else { return nil }
        return zip(runs.indices, ranks).map { node, rank in
            let first = runs[node].first
            var name = UInt64(rank)
            name = name << UInt64(seqBits) | first.position.seq
            name = name << UInt64(indexBits) | UInt64(first.position.index)
            name = name << UInt64(offsetBits) | UInt64(first.offset)
            return (name, Int32(truncatingIfNeeded: node))
        }
    }

    /// Returns the place of each run's chain among all, which neighbours mostly share.
    private static func ranks(_ runs: [TextRun], chains: [AuthorID]) -> [Int] {
        let places = OrderedSet(chains)
        var (last, rank): (AuthorID?, Int) = (nil, 0)
        return runs.map { run in
            let chain = run.first.position.chain
            if chain != last { (last, rank) = (chain, places.indexOfCollected(chain)) }
            return rank
        }
    }

    private static func sort(_ unsorted: [Key]) -> [Key] {
        var keys = unsorted
        let used = keys.reduce(0) { $0 | $1.name }
        var sorted = keys
        var shift: UInt64 = 0
        while shift < UInt64.bitWidth, used >> shift > 0 {
            var starts = [Int](repeating: 0, count: 1 << digitBits + 1)
            let digit = { (key: Key) in Int((key.name >> shift) & (1 << digitBits - 1)) }
            for key in keys { starts[digit(key) + 1] += 1 }
            for place in 1..<starts.count { starts[place] += starts[place - 1] }
            for key in keys {
                sorted[starts[digit(key)]] = key
                starts[digit(key)] += 1
            }
            swap(&keys, &sorted)
            shift += digitBits
        }
        return keys
    }
}
