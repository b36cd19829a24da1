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
    /// Returns the chain of the ended life, or of the device of another group, of which a batch of
    /// this chain says one again.
    func ended(by restates: Restatement) -> ChainKey {
        ChainKey(
            scope: scope,
            chain: AuthorName.author(
                device: restates.origin?.device ?? device, incarnation: restates.incarnation))
    }

    /// Returns false where a batch of this chain may not say another one again.
    fileprivate func maySay(_ restates: Restatement) -> Bool {
        restates.origin != nil || restates.incarnation != incarnation
    }
}

extension ChainIndex {
    /// Returns the batch that holds an operation: the one that says it again where the one that it
    /// counts in is not here.
    func home(of position: Position, in scope: ScopeID) -> (chain: ChainKey, seq: UInt64) {
        let key = ChainKey(scope: scope, chain: position.chain)
        if let row = self[key], position.seq <= row.stored { return (key, position.seq) }
        return restatements.first(of: key, at: position.seq).map { ($0.chain, $0.seq) }
            ?? (key, position.seq)
    }

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
        guard row.maySay(restates), restatements.admits(row.key, at: seq) else { return nil }
        let meant = names.resolve(Position(chain: old.chain, seq: restates.seq, index: 0)).chain
        let home = ChainKey(scope: row.scope, chain: meant)
        if let held = self[home], held.first <= restates.seq, restates.seq <= held.applied,
            !isDamaged(home, restates.seq)
        {
            return nil
        }
        if let first = restatements.first(of: old, at: restates.seq),
            first.comes(before: row.key, seq, restates)
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

    /// Returns the batch of another group that has to be said again before this one; nil where
    /// there is none.
    func earlier(of body: BatchBody, in row: ChainRow) -> Awaited? {
        guard let restates = body.restates, restates.origin != nil, restates.seq > 1 else {
            return nil
        }
        return .restated(row.ended(by: restates), seq: restates.seq - 1)
    }

    /// Notes that a batch shows, and says how it fits what shows already.
    mutating func noteShown(
        restating restates: Restatement?, in row: ChainRow, at seq: UInt64
    ) -> LateComing {
        guard let restates else {
            guard !restatements.isEmpty else { return .fits }
            let key = ChainKey(scope: row.scope, chain: row.author)
            if let first = restatements.first(of: key, at: seq), first.run.isWhole {
                return .takesPlace(of: first)
            }
            return restatements.any(of: key, from: seq) ? .differs : .fits
        }
        guard row.maySay(restates), restatements.admits(row.key, at: seq) else { return .fits }
        let old = row.ended(by: restates)
        let before = restatements.first(of: old, at: restates.seq)
        restatements.note(row.key, seq, saysAgain: old, restates)
        guard let before else {
            return restatements.any(of: old, from: restates.seq + 1) ? .differs : .fits
        }
        guard !before.comes(before: row.key, seq, restates),
            (before.chain, before.seq) != (row.key, seq)
        else { return .fits }
        return restates.indices == nil && before.run.isWhole ? .takesPlace(of: before) : .differs
    }
}

/// The relation of a batch that shows to what showed before.
enum LateComing: Equatable {
    /// It is merged behind what shows.
    case fits
    /// It has effect in place of a batch that was merged, and says the same unless somebody lied.
    case takesPlace(of: Restatements.Sayer)
    /// It was merged in another order than its place asks for, so that what shows is made anew.
    case differs
}
