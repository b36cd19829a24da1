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

    var isEmpty: Bool { cuts.isEmpty }
    /// The number of batches that cannot be read.
    var lostCount: Int { lost.values.reduce(0) { $0 + $1.elements.count } }

    /// Plans for every lost batch of this device of which `isHeld` says that no peer has it.
    init(
        _ chains: ChainBook, _ group: GroupState, in store: any Store,
        isHeld: (ChainKey, UInt64) -> Bool
    ) throws(StorageError) {
        for (key, seqs) in chains.damaged.table {
            guard let row = chains[key], row.canBeSaidAgain(by: chains.device),
                let first = seqs.elements.first(where: { !isHeld(key, $0) })
            else { continue }
            cuts[key] = first
        }
        guard !cuts.isEmpty else { return }
        try joinCommits(chains, group, in: store)
        try moveToKnownHeads(chains, in: store)
        for (key, cut) in cuts {
            lost[key] = OrderedSet(chains.damaged[key].filter { $0 >= cut })
        }
    }

    /// Returns true when a commit of several parts lost one in these chains.
    func isBroken(_ body: BatchBody) -> Bool {
        body.attributes.parts > 1 && broken.contains(body.attributes.commit)
    }

    /// Adds the chains that hold parts of a commit of which another part is lost: they would never
    /// show anywhere.
    private mutating func joinCommits(
        _ chains: ChainBook, _ group: GroupState, in store: any Store
    ) throws(StorageError) {
        var rows: OrderedTable<Int64, ChainRow> = OrderedTable()
        for row in chains.rows.values where row.device == chains.device { rows[row.index] = row }
        for commit in try store.commitsInParts() {
            var parts: [(row: ChainRow, part: CommitPart)] = []
            for part in try store.parts(ofCommit: commit) {
                guard let row = rows[part.chain], row.canBeSaidAgain(by: chains.device),
                    !chains.damaged.contains(part.seq, of: row.key)
                else { continue }
                parts.append((row, part))
            }
            guard let any = parts.first,
                OrderedSet(parts.map(\.part.part)).elements.count < any.part.parts,
                let stored = try store.batch(chain: any.row.index, seq: any.part.seq),
                let body = group.body(of: stored, in: any.row)
            else { continue }
            let missing = missing(in: body, parts.map(\.row))
            let isKnown = !body.attributes.partScopes.isEmpty
            if isKnown ? missing.contains(where: { isCut($0, chains) }) : cuts[any.row.key] != nil {
                broken.insert(commit)
                for (row, part) in parts { cuts[row.key] = min(cuts[row.key] ?? .max, part.seq) }
            } else if missing.contains(where: { isRestSaidAgain(of: $0, chains) }) {
                // A part that shows by its restatements is not said again for this.
                broken.insert(commit)
            }
        }
    }

    /// Returns the chains in which the parts of a commit may have been that are not here; none
    /// where its batches do not name their scopes.
    private func missing(in body: BatchBody, _ present: [ChainRow]) -> [ChainKey] {
        guard let row = present.first else { return [] }
        let lives = [row.incarnation] + (body.restates.map { [$0.incarnation] } ?? [])
        let scopes = body.attributes.partScopes.filter { scope in
            present.count { $0.scope == scope.scope } < scope.parts
        }
        return scopes.flatMap { scope in
            lives.map { life in
                let name = AuthorName.author(device: row.device, incarnation: life)
                return ChainKey(scope: scope.scope, chain: name)
            }
        }
    }

    /// Returns whether a chain is cut, or one that said batches of it again.
    private func isCut(_ chain: ChainKey, _ chains: ChainBook) -> Bool {
        cuts[chain] != nil
            || cuts.contains { key, cut in
                chains.index.restatements.said(by: key, from: cut).contains { $0.old == chain }
            }
    }

    /// Returns true when what says the batches again that a chain lost is here, so that none of
    /// them comes any more. What is damaged there comes from a peer.
    private func isRestSaidAgain(of chain: ChainKey, _ chains: ChainBook) -> Bool {
        let held = chains[chain]?.stored ?? 0
        return chains.index.restatements.runs(of: chain, beyond: held).contains { key, seqs in
            chains.damaged[key].count { seqs.contains($0) } < seqs.count
        }
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
    /// Notes the batches that changed on the disk.
    static func findChanges(
        in chains: inout ChainBook, of group: GroupID, heldUpTo: (ChainKey) -> UInt64,
        _ turn: inout Turn
    ) throws(StorageError) {
        var starts: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for row in chains.rows.values where row.canBeSaidAgain(by: chains.device) {
            starts[row.key] = heldUpTo(row.key) + 1
        }
        _ = try findChanges(in: &chains, of: group, from: starts, &turn)
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
