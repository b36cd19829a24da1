import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The decision which of its own batches a device says again, after its disk lost some that nobody
/// else can have.
struct RestatingPlan {
    /// The first batch of each chain that is said again, as all after it are.
    private(set) var cuts: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The batches from there on that cannot be read.
    private(set) var lost: OrderedTable<ChainKey, OrderedSet<UInt64>> = OrderedTable()
    /// The commits of several parts of which one is lost; the other parts are said again singly.
    private(set) var broken: OrderedSet<CommitID> = OrderedSet()

    /// The chains before anything was said again.
    let before: ChainIndex

    var isEmpty: Bool { cuts.isEmpty }
    /// The number of batches that cannot be read.
    var lostCount: Int { lost.values.reduce(0) { $0 + $1.elements.count } }

    /// Plans for every lost batch of this device of which `isHeld` says that no peer has it.
    init(
        _ chains: ChainBook, _ group: GroupState, _ held: ScopeFilter, in store: any Store,
        isHeld: (ChainKey, UInt64) -> Bool
    ) throws(StorageError) {
        before = chains.index
        for (key, seqs) in chains.damaged.table {
            guard let row = chains[key], row.canBeSaidAgain(by: chains.device),
                let first = seqs.elements.first(where: { !isHeld(key, $0) })
            else { continue }
            cuts[key] = first
        }
        guard !cuts.isEmpty else { return }
        try joinCommits(chains, group, held, in: store)
        try moveToKnownHeads(chains, in: store)
        for (key, cut) in cuts {
            lost[key] = OrderedSet(chains.damaged[key].filter { $0 >= cut })
        }
    }

    /// Returns true when a commit of several parts lost one, now or before.
    func isBroken(_ body: BatchBody) -> Bool {
        body.attributes.parts > 1 && broken.contains(body.attributes.commit)
    }

    /// Adds the chains that hold parts of a commit of which another part is lost: they would never
    /// show anywhere.
    private mutating func joinCommits(
        _ chains: ChainBook, _ group: GroupState, _ held: ScopeFilter, in store: any Store
    ) throws(StorageError) {
        var rows: OrderedTable<Int64, ChainRow> = OrderedTable()
        for row in chains.rows.values where row.canBeSaidAgain(by: chains.device) {
            rows[row.index] = row
        }
        let commits = try store.commitsInParts()
        var grew = true
        while grew {
            grew = false
            for commit in commits where !broken.contains(commit) {
                let left = try store.parts(ofCommit: commit).compactMap { part in
                    rows[part.chain].map { (row: $0, part: part) }
                }.filter { !isLost($0.part.seq, of: $0.row, chains) }
                guard try isIncomplete(left, group, held, in: store) else { continue }
                broken.insert(commit)
                for (row, part) in left where part.seq <= row.applied {
                    // One that shows by what says it again does not need the others.
                    guard part.seq < cuts[row.key] ?? .max,
                        !chains.index.isSaidAgain(row, at: part.seq)
                    else { continue }
                    cuts[row.key] = part.seq
                    grew = true
                }
            }
        }
    }

    private func isLost(_ seq: UInt64, of row: ChainRow, _ chains: ChainBook) -> Bool {
        cuts[row.key].map { $0 <= seq } ?? false && chains.damaged.contains(seq, of: row.key)
    }

    /// Returns true when these are fewer parts of a commit than there have to be in the scopes that
    /// are held.
    private func isIncomplete(
        _ parts: [(row: ChainRow, part: CommitPart)], _ group: GroupState, _ held: ScopeFilter,
        in store: any Store
    ) throws(StorageError) -> Bool {
        guard let any = parts.first else { return false }
        var needed = Int(any.part.parts)
        for (row, part) in parts where held != .everything {
            guard let stored = try store.batch(chain: row.index, seq: part.seq),
                let scopes = group.body(of: stored, in: row)?.attributes.partScopes
            else { continue }
            guard !scopes.isEmpty else { break }
            needed = scopes.reduce(0) { $0 + (held.holds($1.scope) ? Int($1.parts) : 0) }
            break
        }
        return OrderedSet(parts.map(\.part.part)).elements.count < needed
    }

    /// Begins earlier where the batch before the first one is gone as well, whose id would be the
    /// end of the chain.
    private mutating func moveToKnownHeads(
        _ chains: ChainBook, in store: any Store
    ) throws(StorageError) {
        for (key, cut) in cuts {
            guard let row = chains[key] else { continue }
            var cut = cut
            while cut > row.first, try store.batchID(chain: row.index, seq: cut - 1) == nil {
                cut -= 1
            }
            cuts[key] = cut
        }
    }
}

extension ChainRow {
    /// Returns true when a device can say the batches of the chain again: it wrote them, and no
    /// second history of that life is known.
    func canBeSaidAgain(by device: DeviceID) -> Bool {
        self.device == device && parent == nil && forkedAt == nil
    }
}

/// The look for batches of this device that changed on its disk, of those that no peer is known to
/// have.
extension RestatingPlan {
    /// Notes the batches that changed on the disk; returns true when any of them was not known.
    @discardableResult
    static func findChanges(
        in chains: inout ChainBook, of group: GroupID, heldUpTo: (ChainKey) -> UInt64,
        _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        var starts: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for row in chains.rows.values where row.canBeSaidAgain(by: chains.device) {
            starts[row.key] = heldUpTo(row.key) + 1
        }
        return try findChanges(in: &chains, of: group, from: starts, &turn)
    }

    /// Notes the batches of some chains that changed on the disk, each from a place on; returns
    /// true when any of them was not known.
    static func findChanges(
        in chains: inout ChainBook, of group: GroupID, from starts: OrderedTable<ChainKey, UInt64>,
        _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        var isAny = false
        for (key, start) in starts {
            guard let row = chains[key] else { continue }
            let first = max(row.first, start)
            guard first <= row.stored else { continue }
            for seq in first...row.stored where !chains.damaged.contains(seq, of: key) {
                let stored = try turn.store.heldBatch(of: row, at: seq)
                if !SealedBatch(stored, in: row, of: group).isIntact {
                    chains.damaged.note(stored, in: row, &turn)
                    isAny = true
                }
            }
        }
        return isAny
    }
}
