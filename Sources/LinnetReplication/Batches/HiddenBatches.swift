import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A stored batch that does not show, and what it waits for.
struct BlockedBatch {
    let seq: UInt64
    let awaited: Awaited
}

/// The stored batches that do not show yet: those of which a predecessor, a dependency, a key or
/// another part of their commit is missing.
struct HiddenBatches {
    /// The batches whose dependencies are missing, one for each chain.
    var blocked: OrderedTable<ChainKey, BlockedBatch> = OrderedTable()
    /// The last sequence number of each chain that was looked at for parts of a waiting commit.
    var taggedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// Opened batches that wait for others.
    var opened = OpenedBatches()
    /// The memory of opened parts of a commit that are not opened a second time, in bytes.
    var partBytes = 8 << 20
    /// The commit of several parts that is being opened; nil between two of them.
    var begun: BegunCommit?
    /// True while batches that say others again wait for those before them.
    var isPatient = true
    /// True when one of them waited.
    var hasHeldBack = false

    /// Returns true when the first batch of a chain that does not show waits for others that it
    /// builds on.
    func isBlocked(_ key: ChainKey) -> Bool { blocked[key] != nil }

    /// Forgets what was found of all chains, so that it is looked at again.
    mutating func forget() {
        let partBytes = partBytes
        self = HiddenBatches()
        self.partBytes = partBytes
    }

    /// Forgets what waits for others, as when all that shows is made anew.
    mutating func forgetBlocked() {
        blocked.removeAll()
        begun = nil
    }

    /// Returns the next commit of a chain, which is visible from now on: no batch where one without
    /// effect was passed, nil when the chain has to wait or shows all. What is left of a scope that
    /// is held no more shows by itself.
    ///
    /// - Parameter limit: the work of a call from which the parts of a commit are opened in the
    ///   next one; `begun` is left then.
    mutating func next(
        of key: ChainKey, _ chains: inout ChainIndex, group: GroupState, held: ScopeFilter,
        telling: CommitTelling?, upTo limit: Int = .max, _ turn: inout Turn
    ) throws(StorageError) -> [VisibleBatch]? {
        guard let row = chains[key], row.applied < row.stored else { return nil }
        let seq = row.applied + 1
        guard group.counted.counts(seq, of: row) else {
            try turn.writingDerived()
            blocked[key] = nil
            chains.advance(key, to: seq)
            return []
        }
        if let waiting = blocked[key], waiting.seq == seq,
            try !chains.shows(waiting.awaited, in: turn.store), !chains.isSaidAgain(row, at: seq)
        {
            return nil
        }
        let stored = try turn.batch(chain: row.index, seq: seq) ?? .gap(in: row, at: seq)
        if stored.parts > 1, held.holds(row.scope) {
            let all = try parts(of: stored, in: row, chains, group, held, telling, limit, &turn)
            let isUnfinished = begun?.key == key
            return isUnfinished ? nil : all ?? saidAgain(stored, in: row, chains, group)
        }
        let body: BatchBody
        if let kept = opened[stored.id] {
            body = kept
        } else {
            switch group.open(stored, in: row) {
            case .waiting where stored.isGap:
                return [VisibleBatch(row: row, seq: seq, content: .damaged(stored))]
            case .waiting: return nil
            case .void where !SealedBatch(stored, in: row, of: group.log.group).isIntact:
                return [VisibleBatch(row: row, seq: seq, content: .damaged(stored))]
            case .void:
                try Self.skip(stored, in: row, &chains, &turn)
                return []
            case .body(let found): body = found
            }
        }
        if body.attributes.parts > 1, held.holds(row.scope) {
            try turn.writingDerived()
            try turn.store.setCommit(of: stored, body.attributes)
            opened.keep(body, of: stored.id)
            return []
        }
        if isPatient, chains.hasEarlier(of: body, in: row) {
            hasHeldBack = true
            return nil
        }
        if let missing = try missing(body, in: row, within: .none, held, chains, turn.store) {
            if let passed = saidAgain(stored, in: row, chains, group) { return passed }
            blocked[key] = BlockedBatch(seq: seq, awaited: missing)
            opened.keep(body, of: stored.id)
            return nil
        }
        blocked[key] = nil
        opened.forget(stored.id)
        return [VisibleBatch(row: row, seq: seq, content: .opened(stored, body))]
    }

    /// Returns a batch that would have to wait, when another one says all of it again and shows. Of
    /// one whose bytes the disk changed, the others are asked.
    private func saidAgain(
        _ stored: BatchRow, in row: ChainRow, _ chains: ChainIndex, _ group: GroupState
    ) -> [VisibleBatch]? {
        guard chains.isSaidAgain(row, at: stored.seq) else { return nil }
        if let body = group.body(of: stored, in: row) {
            return [VisibleBatch(row: row, seq: stored.seq, content: .opened(stored, body))]
        }
        guard !SealedBatch(stored, in: row, of: group.log.group).isIntact else { return nil }
        return [VisibleBatch(row: row, seq: stored.seq, content: .damaged(stored))]
    }

    /// Says what the first batch of a chain that does not show waits for.
    func reasonToWait(_ row: ChainRow, _ chains: ChainIndex) -> String {
        blocked[row.key].map { chains.reason($0.awaited) }
            ?? "the rest of a commit, or the keys of an epoch"
    }

    /// Marks a batch without effect as done.
    private static func skip(
        _ stored: BatchRow, in row: ChainRow, _ chains: inout ChainIndex, _ turn: inout Turn
    ) throws(StorageError) {
        try turn.writingDerived()
        try turn.store.quarantine(QuarantineRow(batch: stored.id, index: nil, reason: 0))
        turn.outbox.warn(.quarantined(stored.id, operation: nil))
        chains.advance(row.key, to: stored.seq)
    }

    /// Returns the first dependency that is neither visible nor one of the batches that become
    /// visible together; nil when there is none.
    func missing(
        _ body: BatchBody, in row: ChainRow, within commit: CommitNames, _ held: ScopeFilter,
        _ chains: ChainIndex, _ store: any Store
    ) throws(StorageError) -> Awaited? {
        let attributes = body.attributes
        let isForeign = body.restates?.origin != nil
        if let earlier = chains.earlier(of: body, in: row), !commit.says(earlier),
            try !chains.shows(earlier, in: store)
        {
            return earlier
        }
        for scope in attributes.dependencies where held.holds(scope.scope) {
            for dependency in scope.heads {
                let author = attributes.authors[dependency.author]
                if commit.hold(scope.scope, author, dependency.seq, dependency.prefix) { continue }
                let awaited: Awaited =
                    isForeign
                    ? .restated(
                        ChainKey(scope: scope.scope, chain: author), seq: dependency.seq)
                    : .batch(
                        scope: scope.scope, chain: author, seq: dependency.seq,
                        prefix: dependency.prefix)
                guard try chains.shows(awaited, in: store) else { return awaited }
            }
        }
        return nil
    }
}
