import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// Merges batches into the base, commit by commit and each after those that it builds on, so that
/// what the base holds is closed at any time.
struct BaseBuilder {
    private var ends: OrderedTable<ChainKey, UInt64>
    /// By chain, the last batch that can be merged.
    private let most: OrderedTable<ChainKey, UInt64>
    private let takesPast: Bool
    private let keptFrom: Timestamp
    private let held: ScopeFilter
    /// By chain, the last batch that was merged since the step began.
    private(set) var floors = OrderedTable<ChainKey, UInt64>()
    private(set) var fold: LogFold
    private(set) var holdbacks: [CompactionHoldback] = []
    /// The batches that were merged.
    private(set) var batches = 0
    private var stopped = OrderedSet<ChainKey>()
    /// True when more came to be wanted.
    private var hasGrown = false

    /// - Parameters:
    ///   - ends: by chain, the last batch that is wanted.
    ///   - most: by chain, the last batch that can be merged.
    ///   - past: true where all is wanted that these build on.
    ///   - keptFrom: the time of the oldest batches that stay as they are.
    init(
        _ ends: OrderedTable<ChainKey, UInt64>, most: OrderedTable<ChainKey, UInt64>,
        andPast past: Bool, keptFrom: Timestamp, held: ScopeFilter, _ log: BatchLog,
        _ policy: FoldPolicy
    ) {
        (self.ends, self.most, takesPast, self.held) = (ends, most, past, held)
        self.keptFrom = keptFrom
        for (key, end) in ends { self.ends[key] = min(end, most[key] ?? 0) }
        fold = LogFold(log, .range(after: nil, upTo: nil), scopes: OrderedSet(), policy)
    }

    /// Merges commits until so many operations were merged; false when none is left.
    mutating func run(_ log: BatchLog, operations: Int) throws(StorageError) -> Bool {
        var left = operations
        var progress = true
        while progress {
            progress = false
            for key in ends.keys {
                while left > 0, let row = log.chains[key], floor(of: row) < ends[key] ?? 0,
                    !stopped.contains(key), let commit = try commit(after: row, log)
                {
                    for step in commit {
                        try fold.merge(step, log)
                        floors[step.row.key] = step.stored.seq
                        left -= 24 + (step.body?.operations.count ?? 0)
                        batches += 1
                    }
                    progress = true
                }
                if left <= 0 { return true }
            }
            if hasGrown { (progress, hasGrown) = (true, false) }
        }
        return false
    }

    private func floor(of row: ChainRow) -> UInt64 { floors[row.key] ?? row.start }

    /// Notes that a batch is needed by one that is wanted; false where it is not to be merged.
    private mutating func want(_ key: ChainKey, _ seq: UInt64) -> Bool {
        if seq <= ends[key] ?? 0 { return true }
        guard takesPast, seq <= most[key] ?? 0 else { return false }
        ends[key] = seq
        hasGrown = true
        return true
    }

    private mutating func stop(_ row: ChainRow, _ holdback: CompactionHoldback) -> [LogReplay.Step]?
    {
        stopped.insert(row.key)
        if !holdbacks.contains(holdback) { holdbacks.append(holdback) }
        return nil
    }

    /// Returns the next batch of a chain with the other parts of its commit; nil while one of them
    /// cannot be merged.
    private mutating func commit(
        after row: ChainRow, _ log: BatchLog
    ) throws(StorageError) -> [LogReplay.Step]? {
        let stored = try log.store.heldBatch(of: row, at: floor(of: row) + 1)
        var places = [(row, stored.seq)]
        if stored.parts > 1, let commit = stored.commit {
            places = try parts(of: commit, by: row, log)
            guard isWithin(places) else { return nil }
        }
        var steps: [LogReplay.Step] = []
        for (row, seq) in places {
            let stored = try log.store.heldBatch(of: row, at: seq)
            guard !stored.isGap, let group = log.group else {
                return stop(row, .unreadable(row.device))
            }
            switch group.open(stored, in: row) {
            case .waiting: return stop(row, .unreadable(row.device))
            case .void:
                guard SealedBatch(stored, in: row, of: group.log.group).isIntact else {
                    return stop(row, .unreadable(row.device))
                }
                // It has no effect on any replica.
                steps.append(LogReplay.Step(row: row, stored: stored, body: nil))
            case .body(let body):
                guard body.attributes.baseStamp < keptFrom else {
                    stopped.insert(row.key)
                    return nil
                }
                guard body.restates == nil else { return stop(row, .saidAgain(row.device)) }
                guard understands(body, in: row, log) else {
                    return stop(row, .unknownChanges(row.device))
                }
                guard isClosed(body, with: places, log) else { return nil }
                steps.append(LogReplay.Step(row: row, stored: stored, body: body))
            }
        }
        return steps
    }

    private func parts(
        of commit: CommitID, by author: ChainRow, _ log: BatchLog
    ) throws(StorageError) -> [(ChainRow, UInt64)] {
        var rows = OrderedTable<Int64, ChainRow>()
        for row in log.chains.rows.values
        where row.device == author.device && row.incarnation == author.incarnation {
            rows[row.index] = row
        }
        return try log.store.parts(ofCommit: commit).compactMap { part in
            rows[part.chain].map { ($0, part.seq) }
        }.sorted { ($0.0.key, $0.1) < ($1.0.key, $1.1) }
    }

    /// True when these batches follow the floors of their chains, and may all be folded.
    private mutating func isWithin(_ places: [(row: ChainRow, seq: UInt64)]) -> Bool {
        var next = OrderedTable<ChainKey, UInt64>()
        for (row, seq) in places {
            guard want(row.key, seq), seq == next[row.key] ?? floor(of: row) + 1,
                !stopped.contains(row.key)
            else { return false }
            next[row.key] = seq + 1
        }
        return true
    }

    /// True when this version of the application knows all that a batch changes: what it does not
    /// know the base could not keep.
    private func understands(_ body: BatchBody, in row: ChainRow, _ log: BatchLog) -> Bool {
        var rules = MergeRules(body.operations.shapes.count)
        for index in 0..<body.operations.count {
            log.enter(body.operations.key(at: index), in: row.scope, &rules)
            if case .unknown = rules.admission(of: body.operations[index]) { return false }
        }
        return true
    }

    /// True when the base holds all that a batch builds on.
    private mutating func isClosed(
        _ body: BatchBody, with places: [(row: ChainRow, seq: UInt64)], _ log: BatchLog
    ) -> Bool {
        for scope in body.attributes.dependencies where held.holds(scope.scope) {
            for head in scope.heads {
                let name = body.attributes.authors[head.author]
                let key = ChainKey(scope: scope.scope, chain: name)
                guard let row = log.chains[key], head.seq > floor(of: row) else { continue }
                guard places.contains(where: { $0.row.key == key && $0.seq == head.seq }) else {
                    _ = want(key, head.seq)
                    return false
                }
            }
        }
        return true
    }
}
