import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The visible batches that say again what batches of ended lives of their devices held, by those
/// lives. It follows from the batches, and is kept so that no opening has to read them all.
struct Restatements: Equatable {
    /// Batches of one chain that follow one another and say again batches that follow one another.
    struct Run: Equatable {
        let chain: ChainKey
        let first: UInt64
        let oldFirst: UInt64
        var count: UInt64
        /// True when they say all that was said; false when they say what records showed of it.
        let isWhole: Bool

        /// Returns the number of the batch that says one of them again; nil where none does.
        func seq(of old: UInt64) -> UInt64? {
            guard oldFirst <= old, old - oldFirst < count else { return nil }
            return first + (old - oldFirst)
        }
    }

    /// The most runs that one chain begins; an honest device begins two for each batch that it
    /// lost.
    static let most = 256

    private var table: OrderedTable<ChainKey, [Run]> = OrderedTable()
    /// True when the store keeps something else.
    private(set) var isChanged = false

    init() {}

    var isEmpty: Bool { table.isEmpty }

    /// Returns the batches that say one of a life's batches again.
    func all(of old: ChainKey, at seq: UInt64) -> [Run] {
        isEmpty ? [] : table[old]?.filter { $0.seq(of: seq) != nil } ?? []
    }

    /// Returns the one of them that has effect, which is the same on every replica.
    func first(of old: ChainKey, at seq: UInt64) -> (chain: ChainKey, seq: UInt64, run: Run)? {
        all(of: old, at: seq).compactMap { run in
            run.seq(of: seq).map { (run.chain, $0, run) }
        }.min { ($0.0, $0.1) < ($1.0, $1.1) }
    }

    /// Returns true when any batch of a life from a sequence on is said again.
    func any(of old: ChainKey, from seq: UInt64) -> Bool {
        !isEmpty && table[old]?.contains { $0.oldFirst + $0.count > seq } ?? false
    }

    /// Returns true when a batch is said again as it was.
    func isWhole(_ old: ChainKey, at seq: UInt64) -> Bool {
        first(of: old, at: seq)?.run.isWhole ?? false
    }

    /// Returns the batch that a batch of a chain says again; nil when it says none or did not show.
    func named(by chain: ChainKey, at seq: UInt64) -> (chain: ChainKey, seq: UInt64)? {
        for (old, runs) in table {
            for run in runs
            where run.chain == chain && run.first <= seq && seq - run.first < run.count {
                return (old, run.oldFirst + (seq - run.first))
            }
        }
        return nil
    }

    /// Returns true when a chain may begin one more run at this place; otherwise the batch there
    /// has no effect.
    func admits(_ chain: ChainKey, at seq: UInt64) -> Bool {
        let begun = table.values.reduce(0) { count, runs in
            count + runs.count { $0.chain == chain && $0.first < seq }
        }
        return begun < Self.most
    }

    /// Notes that a batch shows which says another one again.
    mutating func note(
        _ chain: ChainKey, _ seq: UInt64, saysAgain old: ChainKey, at oldSeq: UInt64, isWhole: Bool
    ) {
        var runs = table[old] ?? []
        if runs.contains(where: { $0.chain == chain && $0.seq(of: oldSeq) == seq }) { return }
        isChanged = true
        let last = runs.lastIndex {
            $0.chain == chain && $0.isWhole == isWhole && $0.oldFirst + $0.count == oldSeq
                && $0.first + $0.count == seq
        }
        if let last {
            runs[last].count += 1
        } else {
            runs.append(
                Run(chain: chain, first: seq, oldFirst: oldSeq, count: 1, isWhole: isWhole))
        }
        table[old] = runs
    }

    /// Forgets all, before the batches are read again.
    mutating func removeAll() {
        isChanged = isChanged || !isEmpty
        table.removeAll()
    }

    /// Forgets a chain of which nothing is held any more.
    mutating func forget(_ chain: ChainKey) {
        for (old, runs) in table where runs.contains(where: { $0.chain == chain }) {
            isChanged = true
            let left = runs.filter { $0.chain != chain }
            table[old] = left.isEmpty ? nil : left
        }
    }
}

extension Restatements {
    /// Writes what the store does not keep yet.
    mutating func save(to store: any Store) throws(StorageError) {
        guard isChanged else { return }
        try store.setValue(.restatements, isEmpty ? nil : encoded)
        isChanged = false
    }

    private var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(table.count)
        for (old, runs) in table {
            writer.array(3)
            writer.bytes(old.scope)
            writer.bytes(old.chain)
            writer.array(runs.count)
            for run in runs {
                writer.array(5)
                writer.bytes(run.chain.chain)
                writer.unsigned(run.first)
                writer.unsigned(run.oldFirst)
                writer.unsigned(run.count)
                writer.bool(run.isWhole)
            }
        }
        return writer.bytes
    }

    /// Reads what `save` wrote.
    init(decoding bytes: [UInt8]) throws(WireError) {
        var reader = CBORReader(bytes, maxItems: bytes.count)
        for _ in 0..<(try reader.array(max: .max)) {
            try reader.array(exactly: 3)
            let scope = try reader.bytes16()
            let old = ChainKey(scope: scope, chain: try reader.bytes16())
            var runs: [Run] = []
            for _ in 0..<(try reader.array(max: .max)) {
                try reader.array(exactly: 5)
                let chain = ChainKey(scope: scope, chain: try reader.bytes16())
                let (first, oldFirst) = (try reader.unsigned(), try reader.unsigned())
                runs.append(
                    Run(
                        chain: chain, first: first, oldFirst: oldFirst,
                        count: try reader.unsigned(), isWhole: try reader.bool()))
            }
            table[old] = runs
        }
        try reader.finish()
    }
}
