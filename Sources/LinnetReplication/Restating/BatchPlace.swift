import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The place at which the operations of a batch count: its own, or that of the batch which it says
/// again.
struct BatchPlace {
    let chain: AuthorID
    let seq: UInt64
    private let restates: Restatement?

    /// The place of a batch by itself.
    init(_ row: ChainRow, _ seq: UInt64) {
        (chain, self.seq, restates) = (row.chain, seq, nil)
    }

    fileprivate init(_ restates: Restatement, in chain: AuthorID) {
        (self.chain, seq, self.restates) = (chain, restates.seq, restates)
    }

    /// Returns the position of an operation of the batch.
    func position(of index: Int) -> Position {
        Position(chain: chain, seq: seq, index: restates?.index(of: index) ?? UInt32(index))
    }
}

extension ChainRow {
    /// Returns the chain of the ended life of which a batch of this chain says one again.
    func ended(by restates: Restatement) -> ChainKey {
        ChainKey(
            scope: scope,
            chain: AuthorName.author(device: device, incarnation: restates.incarnation))
    }
}

extension ChainIndex {
    /// Returns the place at which a batch counts; nil when it has no effect, since the batch that
    /// it says again shows itself, or another batch says it again first.
    ///
    /// - Parameter isDamaged: tells of a batch of a chain that it cannot be read here.
    func place(
        of body: BatchBody, in row: ChainRow, at seq: UInt64, _ names: BranchNames,
        isDamaged: (ChainKey, UInt64) -> Bool
    ) -> BatchPlace? {
        guard let restates = body.restates else { return BatchPlace(row, seq) }
        let old = row.ended(by: restates)
        guard restates.incarnation != row.incarnation, restatements.admits(row.key, at: seq) else {
            return nil
        }
        let meant = names.resolve(Position(chain: old.chain, seq: restates.seq, index: 0)).chain
        let home = ChainKey(scope: row.scope, chain: meant)
        if let held = self[home], held.first <= restates.seq, restates.seq <= held.applied,
            !isDamaged(home, restates.seq)
        {
            return nil
        }
        if let first = restatements.first(of: old, at: restates.seq),
            (first.chain, first.seq) < (row.key, seq)
        {
            return nil
        }
        return BatchPlace(restates, in: meant)
    }

    /// Returns true when a batch that shows says all of another one again.
    func isSaidAgain(_ row: ChainRow, at seq: UInt64) -> Bool {
        !restatements.isEmpty
            && restatements.isWhole(ChainKey(scope: row.scope, chain: row.author), at: seq)
    }

    /// Returns true when a batch has to be merged after others of the life that it says again,
    /// which are here and do not show yet.
    func hasEarlier(of body: BatchBody, in row: ChainRow) -> Bool {
        guard let restates = body.restates, let old = self[row.ended(by: restates)] else {
            return false
        }
        return old.applied < min(old.stored, restates.seq)
    }

    /// Notes that a batch shows; returns true when what shows has to be made anew, since it was
    /// merged in another order than its places ask for.
    mutating func noteShown(_ body: BatchBody, in row: ChainRow, at seq: UInt64) -> Bool {
        guard let restates = body.restates else {
            guard !restatements.isEmpty else { return false }
            let key = ChainKey(scope: row.scope, chain: row.author)
            if restatements.isWhole(key, at: seq) { return false }
            return restatements.any(of: key, from: seq)
        }
        guard restates.incarnation != row.incarnation, restatements.admits(row.key, at: seq) else {
            return false
        }
        let old = row.ended(by: restates)
        let before = restatements.first(of: old, at: restates.seq)
        restatements.note(
            row.key, seq, saysAgain: old, at: restates.seq, isWhole: restates.indices == nil)
        guard let before, (row.key, seq) < (before.chain, before.seq) else { return false }
        return restates.indices != nil || !before.run.isWhole
    }
}
