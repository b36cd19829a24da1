import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// What came of opening a stored batch.
private enum Opened {
    case body(BatchBody)
    /// The keys of its epoch are not here yet.
    case waiting
    /// It will never have an effect, on any replica.
    case void
}

extension Replica {
    /// Makes visible whatever has become visible, until nothing more does.
    mutating func fold(at now: Moment) throws(StorageError) {
        guard group != nil else { return }
        if mustRefold { try forgetVisible() }
        var progress = true
        while progress {
            progress = false
            for key in chains.behind {
                while let row = chains[key], row.applied < row.stored,
                    try foldNext(row, at: now)
                {
                    progress = true
                }
            }
        }
    }

    /// Starts over from the batches: names changed, or this version understands more.
    private mutating func forgetVisible() throws(StorageError) {
        try turn.writingDerived()
        mustRefold = false
        inspection.refolds += 1
        try store.removeAllRecords()
        resetRows()
        for var row in chains.rows.values {
            row.applied = row.first - 1
            row.folded = row.first - 1
            chains[row.key] = row
        }
        blocked.removeAll()
    }

    /// Folds the next commit of a chain; false when it has to wait.
    private mutating func foldNext(
        _ row: ChainRow, at now: Moment
    ) throws(StorageError) -> Bool {
        let seq = row.applied + 1
        guard let stored = try turn.batch(chain: row.index, seq: seq) else {
            throw .corrupt(where: "batch \(seq) of chain \(row.chain) is missing")
        }
        if stored.parts > 1 { return try foldParts(of: stored, in: row, at: now) }
        let body: BatchBody
        if let waiting = blocked[row.key], waiting.seq == seq {
            body = waiting.body
        } else {
            switch open(stored, in: row) {
            case .waiting: return false
            case .void where !isIntact(stored, in: row):
                try foldWithout(stored, in: row)
                return true
            case .void:
                try skip(row, seq: seq, id: stored.id)
                return true
            case .body(let opened): body = opened
            }
        }
        if body.attributes.parts > 1 {
            try turn.writingDerived()
            try store.setCommit(
                chain: row.index, seq: seq, commit: body.attributes.commit,
                part: body.attributes.part, parts: body.attributes.parts)
            return true
        }
        guard try areMet(body.attributes, within: []) else {
            blocked[row.key] = BlockedBatch(seq: seq, body: body)
            return false
        }
        blocked[row.key] = nil
        try apply(body, of: stored, in: row, at: now)
        return true
    }

    /// Marks a batch without effect as done.
    private mutating func skip(
        _ row: ChainRow, seq: UInt64, id: BatchID
    ) throws(StorageError) {
        try turn.writingDerived()
        try store.quarantine(QuarantineRow(batch: id, index: nil, reason: 0))
        turn.outbox.warn(.quarantined(id, operation: nil))
        try advance(row.key, to: seq)
    }

    mutating func advance(_ key: ChainKey, to seq: UInt64) throws(StorageError) {
        guard var row = chains[key] else { return }
        row.applied = seq
        chains[key] = row
    }

    /// What a stored batch says; nil when its keys are not here or it can never be read.
    func body(of stored: BatchRow, in row: ChainRow) -> BatchBody? {
        if case .body(let body) = open(stored, in: row) { body } else { nil }
    }

    private func open(_ stored: BatchRow, in row: ChainRow) -> Opened {
        guard let group else { return .waiting }
        guard let keys = group.ring.keys(of: stored.epoch)?.dataKey else { return .waiting }
        let batch = sealed(stored, in: row)
        do {
            let key = batchKeys.key(
                epoch: stored.epoch, author: batch.author, scope: row.scope, dataKey: keys)
            let plaintext = try batch.open(key: key.bytes)
            return .body(try BatchBody.decode(plaintext: plaintext))
        } catch {
            return .void
        }
    }

    /// Whether every dependency is visible, or one of the batches that become so together.
    private func areMet(
        _ attributes: BatchAttributes, within parts: [(ChainKey, BatchRow)]
    ) throws(StorageError) -> Bool {
        for scope in attributes.dependencies where holds(scope.scope) {
            for dependency in scope.heads {
                let name = attributes.authors[dependency.author]
                let inside = parts.contains { key, part in
                    key.scope == scope.scope && part.seq == dependency.seq
                        && part.id.prefix8 == dependency.prefix
                }
                if inside { continue }
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

    /// Folds all parts of a commit at once, or none.
    private mutating func foldParts(
        of first: BatchRow, in row: ChainRow, at now: Moment
    ) throws(StorageError) -> Bool {
        guard let commit = first.commit else { return false }
        try tag(commit, from: first.seq, in: row)
        var parts: [(ChainKey, BatchRow)] = []
        guard let needed = try partsNeeded(of: first, in: row),
            try store.partCount(ofCommit: commit) >= needed
        else { return false }
        // Where a scope was taken up again, the rest of the commit shows already.
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
            parts.append((home.key, stored))
        }
        guard OrderedSet(parts.map(\.1.part) + done).elements.count == needed else {
            return false
        }
        var bodies: [(ChainKey, BatchRow, BatchBody?)] = []
        var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for (key, part) in parts.sorted(by: { ($0.0, $0.1.seq) < ($1.0, $1.1.seq) }) {
            guard let home = chains[key] else { return false }
            guard part.seq == next[key, default: home.applied + 1] else { return false }
            next[key] = part.seq + 1
            guard case .body(let body) = open(part, in: home) else {
                guard !isIntact(part, in: home) else { return false }
                bodies.append((key, part, nil))
                continue
            }
            guard
                try areMet(body.attributes, within: parts)
            else { return false }
            bodies.append((key, part, body))
        }
        for (key, part, body) in bodies {
            guard let home = chains[key] else { continue }
            if let body {
                try apply(body, of: part, in: home, at: now)
            } else {
                try foldWithout(part, in: home)
            }
        }
        return true
    }

    /// How many parts of a commit this replica waits for: those in scopes that it holds; nil when
    /// the part that is here cannot be read.
    private func partsNeeded(of first: BatchRow, in row: ChainRow) throws(StorageError) -> Int? {
        if subscription == .all { return Int(first.parts) }
        guard case .body(let body) = open(first, in: row) else { return Int(first.parts) }
        let scopes = body.attributes.partScopes
        if scopes.isEmpty { return Int(first.parts) }
        return scopes.reduce(0) { $0 + (holds($1.scope) ? Int($1.parts) : 0) }
    }

    /// Notes which of the batches that follow belong to the same commit.
    private mutating func tag(
        _ commit: CommitID, from seq: UInt64, in row: ChainRow
    ) throws(StorageError) {
        var seq = max(seq, taggedUpTo[row.key] ?? 0) + 1
        while seq <= row.stored, let stored = try store.batch(chain: row.index, seq: seq) {
            if stored.parts == 0 {
                guard case .body(let body) = open(stored, in: row),
                    body.attributes.commit == commit, body.attributes.parts > 1
                else { return }
                try turn.writingDerived()
                try store.setCommit(
                    chain: row.index, seq: seq, commit: commit, part: body.attributes.part,
                    parts: body.attributes.parts)
            } else if stored.commit != commit {
                return
            }
            taggedUpTo[row.key] = seq
            seq += 1
        }
    }

    /// The batch as its author signed it, from what the store keeps.
    func sealed(_ stored: BatchRow, in row: ChainRow) -> SealedBatch {
        let header = BatchHeader(
            group: group?.log.group ?? .zero, device: row.device, incarnation: row.incarnation,
            scope: row.scope, seq: stored.seq, prev: stored.prev, epoch: stored.epoch,
            nonce: stored.nonce)
        return SealedBatch(
            trusted: header, headerBytes: header.encoded, ciphertext: stored.ciphertext,
            signature: stored.signature, id: stored.id, author: row.author)
    }
}

/// An opened batch whose dependencies are not visible yet.
struct BlockedBatch {
    let seq: UInt64
    let body: BatchBody
}
