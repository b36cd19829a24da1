import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A batch whose operations become visible.
struct VisibleBatch {
    let row: ChainRow
    let stored: BatchRow
    /// Its content; nil when its bytes are damaged.
    let body: BatchBody?
}

/// The opened batches of commits of several parts, which are looked at again once the rest is
/// there. They are few and small; others are opened again.
struct OpenedParts {
    private static let most = 32
    private static let operations = 64
    private var bodies: OrderedTable<BatchID, BatchBody> = OrderedTable()

    subscript(id: BatchID) -> BatchBody? { bodies.isEmpty ? nil : bodies[id] }

    mutating func keep(_ body: BatchBody, of id: BatchID) {
        guard body.operations.count <= Self.operations else { return }
        if bodies.count >= Self.most { bodies.removeAll() }
        bodies[id] = body
    }

    mutating func forget(_ id: BatchID) {
        if !bodies.isEmpty { bodies[id] = nil }
    }

    mutating func removeAll() { bodies.removeAll() }
}

/// An opened batch whose dependencies are not visible yet.
struct BlockedBatch {
    let seq: UInt64
    let body: BatchBody
}

/// The stored batches that do not show yet: those of which a predecessor, a dependency, a key or
/// another part of their commit is missing.
struct HiddenBatches {
    /// The opened batches whose dependencies are missing, one for each chain.
    private var blocked: OrderedTable<ChainKey, BlockedBatch> = OrderedTable()
    /// The last sequence number of each chain that was looked at for parts of a waiting commit.
    private var taggedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// The opened batches of commits of several parts, until all of such a commit shows.
    private var openedParts = OpenedParts()

    /// Returns true when the first batch of a chain that does not show waits for others that it
    /// builds on.
    func isBlocked(_ key: ChainKey) -> Bool { blocked[key] != nil }

    /// Forgets what was found of all chains, so that it is looked at again.
    mutating func forget() { self = HiddenBatches() }

    /// Forgets the opened batches, as when all that shows is made anew.
    mutating func forgetOpened() { blocked.removeAll() }

    /// Returns the next commit of a chain, which is visible from now on: no batch where one without
    /// effect was passed, nil when the chain has to wait or shows all.
    mutating func next(
        of key: ChainKey, _ chains: inout ChainIndex, group: GroupState, held: ScopeFilter,
        telling: CommitTelling?, _ turn: inout Turn
    ) throws(StorageError) -> [VisibleBatch]? {
        guard let row = chains[key], row.applied < row.stored else { return nil }
        let seq = row.applied + 1
        guard let stored = try turn.batch(chain: row.index, seq: seq) else {
            throw .corrupt(where: "batch \(seq) of chain \(row.chain) is missing")
        }
        if stored.parts > 1 {
            return try parts(of: stored, in: row, chains, group, held, telling, &turn)
        }
        let body: BatchBody
        if let waiting = blocked[row.key], waiting.seq == seq {
            body = waiting.body
        } else {
            switch group.open(stored, in: row) {
            case .waiting: return nil
            case .void where !SealedBatch(stored, in: row, of: group.log.group).isIntact:
                return [VisibleBatch(row: row, stored: stored, body: nil)]
            case .void:
                try Self.skip(stored, in: row, &chains, &turn)
                return []
            case .body(let opened): body = opened
            }
        }
        if body.attributes.parts > 1 {
            try turn.writingDerived()
            try turn.store.setCommit(of: stored, body.attributes)
            openedParts.keep(body, of: stored.id)
            return []
        }
        guard try areMet(body.attributes, within: [], held, chains, turn.store) else {
            blocked[row.key] = BlockedBatch(seq: seq, body: body)
            return nil
        }
        blocked[row.key] = nil
        return [VisibleBatch(row: row, stored: stored, body: body)]
    }

    /// Says what the first batch of a chain that does not show waits for.
    func reasonToWait(_ row: ChainRow, _ chains: ChainIndex) -> String {
        guard let waiting = blocked[row.key] else {
            return "the rest of a commit, or the keys of an epoch"
        }
        let attributes = waiting.body.attributes
        for scope in attributes.dependencies {
            for head in scope.heads {
                let family = chains.family(
                    named: attributes.authors[head.author], scope: scope.scope)
                if let row = family.first {
                    if family.contains(where: { $0.applied >= head.seq }) { continue }
                    return "change \(head.seq) of device \(row.device.shortName)"
                }
                return "a change of a device that is not known here"
            }
        }
        return "a change that it builds on"
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

    /// Returns true when every dependency is visible, or is one of the batches that become visible
    /// together.
    private func areMet(
        _ attributes: BatchAttributes, within parts: [VisibleBatch], _ held: ScopeFilter,
        _ chains: ChainIndex, _ store: any Store
    ) throws(StorageError) -> Bool {
        for scope in attributes.dependencies where held.holds(scope.scope) {
            for dependency in scope.heads {
                let name = attributes.authors[dependency.author]
                let inside = parts.contains { part in
                    part.row.scope == scope.scope && part.stored.seq == dependency.seq
                        && part.stored.id.prefix8 == dependency.prefix
                }
                if inside { continue }
                if let row = chains[ChainKey(scope: scope.scope, chain: name)],
                    row.forkedAt == nil
                {
                    guard row.first <= dependency.seq, dependency.seq <= row.applied,
                        try store.headID(of: row, at: dependency.seq)?.prefix8
                            == dependency.prefix
                    else { return false }
                    continue
                }
                var met = false
                for row in chains.family(named: name, scope: scope.scope)
                where row.first <= dependency.seq && dependency.seq <= row.applied {
                    let id = try store.headID(of: row, at: dependency.seq)
                    if id?.prefix8 == dependency.prefix { met = true }
                }
                guard met else { return false }
            }
        }
        return true
    }

    /// Returns all parts of a commit, which show at once; nil when one of them has to wait.
    private mutating func parts(
        of first: BatchRow, in row: ChainRow, _ chains: ChainIndex, _ group: GroupState,
        _ held: ScopeFilter, _ telling: CommitTelling?, _ turn: inout Turn
    ) throws(StorageError) -> [VisibleBatch]? {
        guard let commit = first.commit else { return nil }
        try tag(commit, from: first.seq, in: row, group, &turn)
        let store = turn.store
        let needed = partsNeeded(of: first, in: row, group, held)
        guard try store.partCount(ofCommit: commit) >= needed else { return nil }
        var parts: [VisibleBatch] = []
        // The rest of the commit shows already if its scope was left and subscribed to again.
        var done: [UInt32] = []
        for part in try store.parts(ofCommit: commit) {
            guard let home = chains.rows.values.first(where: { $0.index == part.chain }),
                home.device == row.device, home.incarnation == row.incarnation
            else { continue }
            guard part.seq > home.applied else {
                done.append(part.part)
                continue
            }
            guard let stored = try store.batch(chain: part.chain, seq: part.seq)
            else { continue }
            parts.append(VisibleBatch(row: home, stored: stored, body: nil))
        }
        guard OrderedSet(parts.map(\.stored.part) + done).elements.count == needed else {
            return nil
        }
        var opened: [VisibleBatch] = []
        var progress = ShowingProgress(batches: parts.count, telling)
        var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for part in parts.sorted(by: { ($0.row.key, $0.stored.seq) < ($1.row.key, $1.stored.seq) })
        {
            progress.opened()
            let key = part.row.key
            guard part.stored.seq == next[key, default: part.row.applied + 1] else { return nil }
            next[key] = part.stored.seq + 1
            let found =
                openedParts[part.stored.id].map(OpenedBatch.body)
                ?? group.open(part.stored, in: part.row)
            guard case .body(let body) = found else {
                let sealed = SealedBatch(part.stored, in: part.row, of: group.log.group)
                guard !sealed.isIntact else { return nil }
                opened.append(part)
                continue
            }
            guard try areMet(body.attributes, within: parts, held, chains, store) else {
                return nil
            }
            opened.append(VisibleBatch(row: part.row, stored: part.stored, body: body))
        }
        for part in parts { openedParts.forget(part.stored.id) }
        return opened
    }

    /// Returns the number of parts of a commit that this replica waits for, which are those in
    /// scopes that it holds.
    private func partsNeeded(
        of first: BatchRow, in row: ChainRow, _ group: GroupState, _ held: ScopeFilter
    ) -> Int {
        guard held != .everything, case .body(let body) = group.open(first, in: row),
            !body.attributes.partScopes.isEmpty
        else { return Int(first.parts) }
        return body.attributes.partScopes.reduce(0) {
            $0 + (held.holds($1.scope) ? Int($1.parts) : 0)
        }
    }

    /// Notes which of the following batches belong to the same commit.
    private mutating func tag(
        _ commit: CommitID, from seq: UInt64, in row: ChainRow, _ group: GroupState,
        _ turn: inout Turn
    ) throws(StorageError) {
        var seq = max(seq, taggedUpTo[row.key] ?? 0) + 1
        while seq <= row.stored, let stored = try turn.store.batch(chain: row.index, seq: seq) {
            if stored.parts == 0 {
                guard case .body(let body) = group.open(stored, in: row),
                    body.attributes.commit == commit, body.attributes.parts > 1
                else { return }
                try turn.writingDerived()
                try turn.store.setCommit(of: stored, body.attributes)
                openedParts.keep(body, of: stored.id)
            } else if stored.commit != commit {
                return
            }
            taggedUpTo[row.key] = seq
            seq += 1
        }
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
