import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The name by which a dependency finds a part of its own commit.
struct PartName: Comparable {
    let scope: ScopeID
    let seq: UInt64
    let prefix: Bytes8

    static func < (left: PartName, right: PartName) -> Bool {
        (left.scope, left.seq, left.prefix) < (right.scope, right.seq, right.prefix)
    }
}

/// The batches that become visible together, as others name them.
struct CommitNames {
    /// The names of the batches themselves.
    let parts: OrderedSet<PartName>
    /// The places of the batches that they say again.
    var restated: OrderedSet<RestatedName> = OrderedSet()

    /// The names of batches of which each shows alone.
    static let none = CommitNames(parts: OrderedSet())

    /// The place of a batch that is said again.
    struct RestatedName: Comparable {
        let chain: ChainKey
        let seq: UInt64

        static func < (left: RestatedName, right: RestatedName) -> Bool {
            (left.chain, left.seq) < (right.chain, right.seq)
        }
    }

    /// Returns true when one of the batches says one of another group again that is waited for.
    func says(_ awaited: Awaited) -> Bool {
        guard case .restated(let chain, let seq) = awaited else { return false }
        return restated.contains(RestatedName(chain: chain, seq: seq))
    }

    /// Returns true when one of the batches is the one that a dependency names, or says it again.
    func hold(_ scope: ScopeID, _ chain: AuthorID, _ seq: UInt64, _ prefix: Bytes8) -> Bool {
        parts.contains(PartName(scope: scope, seq: seq, prefix: prefix))
            || restated.contains(
                RestatedName(chain: ChainKey(scope: scope, chain: chain), seq: seq))
    }
}

/// Commits of several parts. They are as large as their author likes, so that of their parts only
/// names stay in memory, and as many contents as there is room for.
extension HiddenBatches {
    /// Returns all parts of a commit, which show at once; nil when one of them has to wait, or when
    /// the next call goes on to open them.
    mutating func parts(
        of first: BatchRow, in row: ChainRow, _ chains: ChainIndex, _ group: GroupState,
        _ held: ScopeFilter, _ telling: CommitTelling?, _ limit: Int, _ turn: inout Turn
    ) throws(StorageError) -> [VisibleBatch]? {
        guard
            var commit = try begin(first, in: row, chains, group, held, telling, limit, &turn)
        else { return nil }
        switch try open(&commit, chains, group, limit, &turn) {
        case .unfinished:
            commit.close()
            begun = commit
            return nil
        case .waiting(nil): return nil
        case .waiting(let awaited?):
            blocked[row.key] = BlockedBatch(seq: first.seq, awaited: awaited)
            return nil
        case .open(let batches):
            blocked[row.key] = nil
            for part in commit.parts { opened.forget(part.id) }
            return batches
        }
    }

    /// Returns the commit to which a batch belongs, as far as it was opened; nil when parts of it
    /// are missing, or when the next call goes on to look for them.
    private mutating func begin(
        _ first: BatchRow, in row: ChainRow, _ chains: ChainIndex, _ group: GroupState,
        _ held: ScopeFilter, _ telling: CommitTelling?, _ limit: Int, _ turn: inout Turn
    ) throws(StorageError) -> BegunCommit? {
        guard let commit = first.commit else { return nil }
        if let known = begun, known.commit == commit {
            begun = nil
            if known.held == held, !known.parts.isEmpty { return known }
        }
        guard try tag(commit, from: first.seq, in: row, group, limit, &turn) else {
            begun = BegunCommit(commit, of: row.key, held)
            return nil
        }
        // Of a device whose batches do not all count, the rest of a commit may never come.
        let needed =
            group.counted.limits(row.device)
            ? nil : try partsNeeded(of: first, in: row, chains, group, held, turn.store)
        guard try turn.store.partCount(ofCommit: commit) >= needed ?? 1,
            let parts = try hiddenParts(
                of: commit, needed, by: row, chains, held, group.counted, turn.store)
        else { return nil }
        var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for part in parts {
            let key = part.row.key
            guard part.seq == next[key, default: part.row.applied + 1] else {
                blocked[row.key] = BlockedBatch(
                    seq: first.seq, awaited: .chain(key, upTo: part.seq - 1))
                return nil
            }
            next[key] = part.seq + 1
        }
        return BegunCommit(
            commit, of: row.key, held, parts: parts, room: partBytes,
            ShowingProgress(batches: parts.count, telling))
    }

    private enum Found {
        case open([VisibleBatch])
        case waiting(Awaited?)
        case unfinished
    }

    /// Opens each part and looks for what it builds on.
    private func open(
        _ commit: inout BegunCommit, _ chains: ChainIndex, _ group: GroupState, _ limit: Int,
        _ turn: inout Turn
    ) throws(StorageError) -> Found {
        let (store, held) = (turn.store, commit.held)
        while let part = commit.next {
            guard turn.shown < limit else { return .unfinished }
            commit.progress.opened()
            guard let stored = try store.batch(chain: part.row.index, seq: part.seq) else {
                return .waiting(nil)
            }
            let found =
                opened[part.id].map(OpenedBatch.body) ?? group.open(stored, in: part.row)
            if case .body(let body) = found {
                var awaited = try missing(
                    body, in: part.row, within: commit.names, held, chains, store)
                if awaited != nil, !commit.knowsRestated {
                    try tellRestated(&commit, group, store)
                    awaited = try missing(
                        body, in: part.row, within: commit.names, held, chains, store)
                }
                if let awaited {
                    // One of these may say what is waited for.
                    return commit.damaged.isEmpty ? .waiting(awaited) : .open(commit.damaged)
                }
                turn.shown += body.openingWork
                commit.take(body, of: stored)
            } else if SealedBatch(stored, in: part.row, of: group.log.group).isIntact {
                return .waiting(nil)
            } else {
                commit.takeDamaged(stored)
            }
        }
        return .open(commit.shown)
    }

    /// Finds the places of the batches that parts of a commit say again: other parts may name
    /// those, since they were written before. Damaged parts do not tell theirs.
    private func tellRestated(
        _ commit: inout BegunCommit, _ group: GroupState, _ store: any Store
    ) throws(StorageError) {
        commit.knowsRestated = true
        var places: [CommitNames.RestatedName] = []
        for part in commit.parts {
            guard let stored = try store.batch(chain: part.row.index, seq: part.seq) else {
                continue
            }
            guard let body = opened[part.id] ?? group.body(of: stored, in: part.row) else {
                commit.noteDamage(of: part, stored, group)
                continue
            }
            guard let restates = body.restates else { continue }
            places.append(
                CommitNames.RestatedName(chain: part.row.ended(by: restates), seq: restates.seq))
        }
        commit.names.restated = OrderedSet(places)
    }

    /// Returns the parts of a commit, in scopes that are held, that do not show yet, in the order
    /// of their chains; nil when some are missing.
    private func hiddenParts(
        of commit: CommitID, _ needed: Int?, by author: ChainRow, _ chains: ChainIndex,
        _ held: ScopeFilter, _ counted: CountedChains, _ store: any Store
    ) throws(StorageError) -> [HiddenPart]? {
        var homes: OrderedTable<Int64, ChainRow> = OrderedTable()
        // A part may be said again by a later life of its device.
        for row in chains.rows.values
        where row.device == author.device && held.holds(row.scope) {
            homes[row.index] = row
        }
        var parts: [(part: HiddenPart, number: UInt32)] = []
        // The rest of the commit shows already if its scope was left and subscribed to again.
        var numbers: OrderedSet<UInt32> = OrderedSet()
        var shown: OrderedSet<UInt32> = OrderedSet()
        for part in try store.parts(ofCommit: commit) {
            guard let home = homes[part.chain], part.seq <= home.stored,
                counted.counts(part.seq, of: home)
            else { continue }
            if part.seq <= home.floor {
                // The whole of it in this scope is in the base, and is not waited for.
                shown.insert(part.part)
                continue
            }
            if part.seq > home.applied {
                guard let id = try store.batchID(chain: part.chain, seq: part.seq)
                else { continue }
                parts.append((HiddenPart(row: home, seq: part.seq, id: id), part.part))
            } else {
                shown.insert(part.part)
            }
            numbers.insert(part.part)
        }
        guard needed.map({ $0 == numbers.elements.count }) ?? true else { return nil }
        parts.sort { ($0.part.row.key, $0.part.seq) < ($1.part.row.key, $1.part.seq) }
        return Self.withoutSpares(parts, shown)
    }

    /// Leaves out parts that come behind others of their chain that have to wait, where another
    /// batch bears the same number and does not: a part that is said again may be here twice.
    private static func withoutSpares(
        _ parts: [(part: HiddenPart, number: UInt32)], _ shown: OrderedSet<UInt32>
    ) -> [HiddenPart] {
        var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
        var ready = shown
        var isReady: [Bool] = []
        for (part, number) in parts {
            let follows = part.seq == next[part.row.key, default: part.row.applied + 1]
            isReady.append(follows)
            guard follows else { continue }
            next[part.row.key] = part.seq + 1
            ready.insert(number)
        }
        return zip(parts, isReady).compactMap { pair, isReady in
            isReady || !ready.contains(pair.number) ? pair.part : nil
        }
    }

    /// Returns the number of parts of a commit that this replica waits for, which are those in
    /// scopes that it holds and that are not folded.
    private func partsNeeded(
        of first: BatchRow, in row: ChainRow, _ chains: ChainIndex, _ group: GroupState,
        _ held: ScopeFilter, _ store: any Store
    ) throws(StorageError) -> Int {
        guard held != .everything || chains.hasFloors,
            let body = opened[first.id] ?? group.body(of: first, in: row),
            !body.attributes.partScopes.isEmpty
        else { return Int(first.parts) }
        var needed = 0
        for part in body.attributes.partScopes where held.holds(part.scope) {
            if let other = chains[ChainKey(scope: part.scope, chain: row.author)], other.isFolded,
                let floor = try store.batch(chain: other.index, seq: other.floor),
                let last = group.body(of: floor, in: other),
                last.attributes.baseStamp >= body.attributes.baseStamp
            {
                continue
            }
            needed += Int(part.parts)
        }
        return needed
    }

    /// Notes which of the following batches belong to the same commit; false when the next call
    /// goes on with it.
    private mutating func tag(
        _ commit: CommitID, from seq: UInt64, in row: ChainRow, _ group: GroupState, _ limit: Int,
        _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        var seq = max(seq, taggedUpTo[row.key] ?? 0) + 1
        while seq <= row.stored, let stored = try turn.store.batch(chain: row.index, seq: seq) {
            if stored.parts == 0 {
                guard turn.shown < limit else { return false }
                guard case .body(let body) = group.open(stored, in: row),
                    body.attributes.commit == commit, body.attributes.parts > 1
                else { return true }
                turn.shown += body.openingWork
                try turn.writingDerived()
                try turn.store.setCommit(of: stored, body.attributes)
                opened.keep(body, of: stored.id)
            } else if stored.commit != commit {
                return true
            }
            taggedUpTo[row.key] = seq
            seq += 1
        }
        return true
    }
}

extension Store {
    /// Notes which part of which commit a stored batch is.
    func setCommit(
        of stored: BatchRow, _ attributes: BatchAttributes
    ) throws(StorageError) {
        try setCommit(
            chain: stored.chain, seq: stored.seq, commit: attributes.commit, part: attributes.part,
            parts: attributes.parts)
    }
}
