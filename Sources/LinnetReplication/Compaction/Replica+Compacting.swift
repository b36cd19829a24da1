import LinnetCRDT
import LinnetMembership
import LinnetStorage
package import LinnetWire

/// The outcome of one step of a compaction.
package struct CompactionProgress: Equatable, Sendable {
    /// The batches that were folded into the base.
    package var batches = 0
    /// True when no more can be folded now.
    package var isDone = true
    /// The reasons for which the rest is held back.
    package var holdbacks: [CompactionHoldback] = []
}

extension Replica {
    /// Folds some batches that every member holds into the base, and deletes them.
    ///
    /// Records show the same as before, and the digests of chains stay. The last batch of each
    /// chain that is folded is kept, so that the next one can be linked.
    ///
    /// - Parameters:
    ///   - lapsedBefore: the time, in Unix milliseconds, before which a member that was not heard
    ///     since holds nothing back.
    ///   - keptFrom: the time, in Unix milliseconds, from which on all stays as it was written.
    ///   - operations: the changes after which the step ends; a commit is folded whole.
    package mutating func compact(
        lapsedBefore: Int64 = .min, keptFrom: Int64 = .max,
        operations: Int = Limits.compactedOperations, at now: Moment
    ) throws(ReplicaError) -> (CompactionProgress, [Effect]) {
        if let failure { throw .storage(failure) }
        guard group != nil else { throw .notAMember }
        do throws(StorageError) {
            let oldest = keptFrom == .max ? .ceiling : Timestamp(wallMilliseconds: keptFrom)
            let progress = try compactSome(lapsedBefore: lapsedBefore, oldest, operations)
            return (progress, try settle(at: now))
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Returns the numbers and bytes of the batches that are kept, and of the records of the base.
    package func logAndBase() throws(ReplicaError) -> (
        log: (count: Int, bytes: Int), base: (count: Int, bytes: Int)
    ) {
        try storage { () throws(StorageError) in
            let (log, base) = (
                try store.batchTotals(chain: nil), try store.baseTotals(on: .own)
            )
            return ((log.count, log.bytes), (base.count, base.bytes))
        }
    }

    private mutating func compactSome(
        lapsedBefore: Int64, _ keptFrom: Timestamp, _ operations: Int
    ) throws(StorageError) -> CompactionProgress {
        guard let group, author.open == nil, recordBook.staged == nil, !chains.isStale else {
            return CompactionProgress()
        }
        // A peer takes the base as it was offered.
        guard !sessions.open.contains(where: { $0.state.sending.base.isUnderWay }) else {
            return CompactionProgress()
        }
        guard posts.posts.isEmpty else {
            return CompactionProgress(holdbacks: [.mailbox])
        }
        guard group.ring.writing != nil else {
            return CompactionProgress(holdbacks: [.noKeys])
        }
        if recordBook.fold.isBehind {
            try turn.writingDerived()
            try foldAllRows()
        }
        let plan = try CompactionPlan(
            chains, group, on: device, sessions, lapsedBefore: lapsedBefore, in: store)
        var progress = try fold(upTo: plan.ends, keptFrom: keptFrom, operations: operations)
        progress.holdbacks = plan.holdbacks + progress.holdbacks
        return progress
    }

    /// Folds batches that show, and whose rows are written, into the base.
    ///
    /// - Parameter past: true to fold all that these build on, and the rest of their commits.
    mutating func fold(
        upTo ends: OrderedTable<ChainKey, UInt64>, andPast past: Bool = false,
        keptFrom: Timestamp = .ceiling, operations: Int
    ) throws(StorageError) -> CompactionProgress {
        guard let group, !ends.isEmpty else { return CompactionProgress() }
        var most = OrderedTable<ChainKey, UInt64>()
        for (key, row) in chains.rows
        where row.parent == nil && !chains.index.hasForks(in: key.scope) {
            let shown = group.counted.shown(of: row)
            most[key] = min(shown, row.applied, row.folded, chains.durableSeq(row))
        }
        var builder = BaseBuilder(
            ends, most: most, andPast: past, keptFrom: keptFrom, held: scopeFilter, log, foldPolicy)
        var progress = CompactionProgress()
        progress.isDone = try !builder.run(log, operations: operations)
        progress.holdbacks = builder.holdbacks
        guard builder.batches > 0 else { return progress }
        let sealer = BaseSealer(group: group)
        var rows: [BaseRow] = []
        for key in builder.fold.keys {
            let state = try builder.fold.state(of: key, log)
            guard state.setAsideUpTo == 0 else {
                return CompactionProgress(holdbacks: progress.holdbacks + [.tooLarge(key)])
            }
            let name = RecordName(collection: key.collection, id: key.record)
            guard let scope = log.scope(of: key),
                let row = sealer.seal(RecordRow.encode(state), of: name, in: scope)
            else { return CompactionProgress(holdbacks: progress.holdbacks + [.noKeys]) }
            rows.append(row)
        }
        try turn.writing()
        for row in rows { try store.putBase(row, on: .own) }
        for (key, floor) in builder.floors {
            try chains.index.raiseFloor(of: key, to: floor, in: store)
        }
        progress.batches = builder.batches
        return progress
    }
}

extension ChainIndex {
    /// Forgets the batches of a chain before one that the base holds, too.
    mutating func raiseFloor(
        of key: ChainKey, to floor: UInt64, in store: any Store
    ) throws(StorageError) {
        guard var row = self[key], floor > row.floor else { return }
        (row.first, row.floor) = (floor, floor)
        self[key] = row
        try store.setFloor(of: row.index, floor)
        try store.removeBatches(chain: row.index, below: floor)
    }
}
