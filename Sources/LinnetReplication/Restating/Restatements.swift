import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The visible batches that say again what batches of ended lives of their devices, or of other
/// groups, held, by the chains of those. It follows from the batches, and is kept so that no
/// opening has to read them all.
struct Restatements: Equatable {
    /// Batches of one chain that follow one another and say again batches that follow one another.
    struct Run: Equatable {
        let chain: ChainKey
        let first: UInt64
        let oldFirst: UInt64
        var count: UInt64
        /// True when they say all that was said; false when they say what records showed of it.
        let isWhole: Bool
        /// The life that wrote the batches in another group; nil where the device says its own
        /// again.
        var foreign: ForeignLife?

        /// Returns the number of the batch that says one of them again; nil where none does.
        func seq(of old: UInt64) -> UInt64? {
            guard oldFirst <= old, old - oldFirst < count else { return nil }
            return first + (old - oldFirst)
        }
    }

    /// A life of a device of another group.
    struct ForeignLife: Equatable {
        let origin: Restatement.Origin
        let incarnation: Incarnation
    }

    /// The most runs that one chain begins; an honest device begins two for each batch that it
    /// lost, and one for each life of another group.
    static let most = 256

    private var table: OrderedTable<ChainKey, [Run]> = OrderedTable()
    /// True when the store keeps something else.
    private(set) var isChanged = false

    init() {}

    var isEmpty: Bool { table.isEmpty }
    /// The chains of which batches are said again.
    var lives: [ChainKey] { table.keys }

    /// Returns the batches that say one of a life's batches again.
    func all(of old: ChainKey, at seq: UInt64) -> [Run] {
        isEmpty ? [] : table[old]?.filter { $0.seq(of: seq) != nil } ?? []
    }

    /// Returns the one of them that has effect, which is the same on every replica.
    func first(of old: ChainKey, at seq: UInt64) -> Sayer? {
        all(of: old, at: seq).compactMap { run in
            run.seq(of: seq).map { Sayer(chain: run.chain, seq: $0, run: run) }
        }.min()
    }

    /// Returns the first batch by which a device says one of its own again.
    func firstOwn(of old: ChainKey, at seq: UInt64) -> Sayer? {
        first(of: old, at: seq).flatMap { $0.run.foreign == nil ? $0 : nil }
    }

    /// Returns true when any batch of a life from a sequence on is said again.
    func any(of old: ChainKey, from seq: UInt64) -> Bool {
        !isEmpty && table[old]?.contains { $0.oldFirst + $0.count > seq } ?? false
    }

    /// Returns true when any batch of its device says one again as it was.
    func isWhole(_ old: ChainKey, at seq: UInt64) -> Bool {
        all(of: old, at: seq).contains { $0.foreign == nil && $0.isWhole }
    }

    /// Returns the batch that a batch of a chain says again; nil when it says none or did not show.
    func named(
        by chain: ChainKey, at seq: UInt64
    ) -> (chain: ChainKey, seq: UInt64, foreign: ForeignLife?)? {
        for (old, runs) in table {
            for run in runs
            where run.chain == chain && run.first <= seq && seq - run.first < run.count {
                return (old, run.oldFirst + (seq - run.first), run.foreign)
            }
        }
        return nil
    }

    /// Returns the chains of which batches of a chain from a place on say some again, each with the
    /// first of these.
    func said(by chain: ChainKey, from seq: UInt64) -> [(old: ChainKey, seq: UInt64)] {
        table.flatMap { old, runs in
            runs.filter { $0.chain == chain && $0.first + $0.count > seq }.map { run in
                (old, run.oldFirst + (max(run.first, seq) - run.first))
            }
        }
    }

    /// Returns the batches by which a device says its own of a life behind a place again.
    func runs(
        of old: ChainKey, beyond seq: UInt64
    ) -> [(chain: ChainKey, seqs: ClosedRange<UInt64>)] {
        (table[old] ?? []).filter { $0.foreign == nil && $0.oldFirst + $0.count - 1 > seq }
            .map { run in
                let skipped = max(run.oldFirst, seq + 1) - run.oldFirst
                return (run.chain, run.first + skipped...run.first + (run.count - 1))
            }
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
        _ chain: ChainKey, _ seq: UInt64, saysAgain old: ChainKey, _ restates: Restatement
    ) {
        let (oldSeq, isWhole) = (restates.seq, restates.indices == nil)
        let foreign = restates.origin.map {
            ForeignLife(origin: $0, incarnation: restates.incarnation)
        }
        var runs = table[old] ?? []
        if runs.contains(where: { $0.chain == chain && $0.seq(of: oldSeq) == seq }) { return }
        isChanged = true
        let last = runs.lastIndex {
            $0.chain == chain && $0.isWhole == isWhole && $0.foreign == foreign
                && $0.oldFirst + $0.count == oldSeq && $0.first + $0.count == seq
        }
        if let last {
            runs[last].count += 1
        } else {
            runs.append(
                Run(
                    chain: chain, first: seq, oldFirst: oldSeq, count: 1, isWhole: isWhole,
                    foreign: foreign))
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
                writer.array(run.foreign == nil ? 5 : 8)
                writer.bytes(run.chain.chain)
                writer.unsigned(run.first)
                writer.unsigned(run.oldFirst)
                writer.unsigned(run.count)
                writer.bool(run.isWhole)
                guard let foreign = run.foreign else { continue }
                writer.bytes(foreign.origin.group)
                writer.bytes(foreign.origin.device)
                writer.bytes(foreign.incarnation)
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
                runs.append(try Run(from: &reader, in: scope))
            }
            table[old] = runs
        }
        try reader.finish()
    }
}

extension Restatements.Run {
    fileprivate init(from reader: inout CBORReader, in scope: ScopeID) throws(WireError) {
        let count = try reader.array(max: 8)
        guard count == 5 || count == 8 else { throw .badLength }
        chain = ChainKey(scope: scope, chain: try reader.bytes16())
        (first, oldFirst) = (try reader.unsigned(), try reader.unsigned())
        (self.count, isWhole) = (try reader.unsigned(), try reader.bool())
        guard count == 8 else { return }
        foreign = Restatements.ForeignLife(
            origin: Restatement.Origin(
                group: try reader.bytes32(), device: try reader.bytes32()),
            incarnation: try reader.bytes8())
    }
}

extension Restatements {
    /// A batch that says another one again. Those of the device itself come before those of other
    /// groups.
    struct Sayer: Comparable {
        let chain: ChainKey
        let seq: UInt64
        let run: Run

        static func < (left: Sayer, right: Sayer) -> Bool {
            let (isLeft, isRight) = (left.run.foreign != nil, right.run.foreign != nil)
            if isLeft != isRight { return isRight }
            return (left.chain, left.seq) < (right.chain, right.seq)
        }

        static func == (left: Sayer, right: Sayer) -> Bool {
            left.chain == right.chain && left.seq == right.seq
        }

        /// Returns true when it has effect in place of another batch that says the same one again.
        func comes(before chain: ChainKey, _ seq: UInt64, _ restates: Restatement) -> Bool {
            let (isForeign, isOther) = (run.foreign != nil, restates.origin != nil)
            return isForeign == isOther ? (self.chain, self.seq) < (chain, seq) : isOther
        }
    }
}
