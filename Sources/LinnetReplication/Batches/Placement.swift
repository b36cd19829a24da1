import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Where a received batch went.
enum Placement: Equatable {
    /// It continues this chain.
    case stored(ChainKey)
    /// It was there.
    case duplicate
    /// A predecessor is missing, or the chain it belongs to is another one.
    case waiting
    /// It proves, with the batch already held, that its author wrote two histories.
    case forked(trunk: ChainKey)
}

extension Replica {
    /// Stores a checked batch where its sequence and predecessor say.
    mutating func place(_ batch: SealedBatch) throws(StorageError) -> Placement {
        let header = batch.header
        let family = chains.family(header.scope, author: batch.author)
        guard !family.isEmpty else {
            guard header.seq == 1, header.prev == .zero else { return .waiting }
            let root = ChainRow.root(
                scope: header.scope, device: header.device, incarnation: header.incarnation)
            return try append(batch, to: try insert(root))
        }
        for row in family where row.first <= header.seq && header.seq <= row.stored {
            if try store.batchID(chain: row.index, seq: header.seq) == batch.id {
                return .duplicate
            }
        }
        for row in family where row.stored == header.seq - 1 && row.head == header.prev {
            if let fork = row.forkedAt, header.seq >= fork {
                return try appendBranch(batch, to: row)
            }
            if row.isEmptyBranch, !chains.begins(row, with: batch) { continue }
            return try append(batch, to: row)
        }
        for row in family where row.first <= header.seq && header.seq <= row.stored {
            let previous = try predecessor(of: header.seq, in: row)
            guard previous == header.prev else { continue }
            if let stored = try store.batch(chain: row.index, seq: header.seq),
                !isIntact(stored, in: row)
            {
                try noteDamage(of: stored, in: row)
                return try repair(with: batch) ? .duplicate : .waiting
            }
            return try fork(row, by: batch)
        }
        return .waiting
    }

    /// The id that a batch at `seq` of this chain must name as its predecessor.
    func predecessor(
        of seq: UInt64, in row: ChainRow
    ) throws(StorageError) -> BatchID? {
        if seq == 1 { return .zero }
        if seq > row.first { return try store.batchID(chain: row.index, seq: seq - 1) }
        return try store.batch(chain: row.index, seq: seq)?.prev
    }

    private mutating func insert(_ chain: NewChain) throws(StorageError) -> ChainRow {
        try turn.writingDerived()
        let row = try store.insertChain(chain)
        chains.insert(row)
        return row
    }

    mutating func append(
        _ batch: SealedBatch, to row: ChainRow
    ) throws(StorageError) -> Placement {
        try writing(batch, to: row)
        var row = row
        let stored = BatchRow(
            chain: row.index, seq: batch.header.seq, id: batch.id, prev: batch.header.prev,
            epoch: batch.header.epoch, nonce: batch.header.nonce, ciphertext: batch.ciphertext,
            signature: batch.signature, commit: nil, part: 0, parts: 0)
        try store.append(stored)
        turn.stored(stored)
        row.stored = batch.header.seq
        row.head = batch.id
        chains[row.key] = row
        turn.grew(row.key, from: row.stored)
        return .stored(row.key)
    }

    /// One more branch where a fork is known.
    private mutating func appendBranch(
        _ batch: SealedBatch, to trunk: ChainRow
    ) throws(StorageError) -> Placement {
        let branch = trunk.branch(
            at: batch.header.seq, after: batch.header.prev, beginningWith: batch.id)
        let key = ChainKey(scope: branch.scope, chain: branch.chain)
        if let known = chains[key] {
            if ChainIndex.holdsAny(known) { return .duplicate }
            // Its scope was left, and is taken up again.
            return try append(batch, to: known)
        }
        // What referred to the author by name may mean another branch now.
        mustRefold = true
        return try append(batch, to: try insert(branch))
    }

    /// Splits a chain where the batch left it; both sides become branches.
    private mutating func fork(
        _ row: ChainRow, by batch: SealedBatch
    ) throws(StorageError) -> Placement {
        let trunk = try split(row, at: batch.header.seq)
        _ = try appendBranch(batch, to: trunk)
        return .forked(trunk: trunk.key)
    }

    /// Ends a chain before `seq` and renames what it held from there on.
    mutating func split(_ row: ChainRow, at seq: UInt64) throws(StorageError) -> ChainRow {
        try turn.writing()
        var trunk = row
        trunk.forkedAt = seq
        if row.stored >= seq, let first = try store.batch(chain: row.index, seq: seq) {
            var branch = try insert(
                row.branch(at: seq, after: first.prev, beginningWith: first.id))
            branch.forkedAt = row.forkedAt
            branch.stored = row.stored
            branch.head = row.head
            try store.moveBatches(from: row.index, startingAt: seq, to: branch.index)
            chains[branch.key] = branch
            try adoptChildren(of: row.index, from: branch)
            trunk.stored = seq - 1
            trunk.head = first.prev
        }
        chains[trunk.key] = trunk
        turn.divided.insert(trunk.key)
        turn.outbox.warn(.authorForked(row.device))
        mustRefold = true
        if author.wrote(row) {
            try author.rotate(
                "another copy of this home wrote under the same incarnation", &entropy, &turn)
        }
        return trunk
    }

    /// Branches that left the part which was renamed now leave its new name.
    private mutating func adoptChildren(
        of index: Int64, from branch: ChainRow
    ) throws(StorageError) {
        for child in chains.rows.values
        where child.parent == index && child.index != branch.index && child.first > branch.first {
            var child = child
            child.parent = branch.index
            chains[child.key] = child
        }
    }
}
