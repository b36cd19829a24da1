import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The place to which a received batch went.
enum Placement: Equatable {
    /// It continues this chain.
    case stored(ChainKey)
    /// It was there already.
    case duplicate
    /// A predecessor is missing, or the chain it belongs to is another one.
    case waiting
    /// It proves, with the batch already held, that its author wrote two histories.
    case forked(trunk: ChainKey)
}

extension ChainBook {
    /// Stores a checked batch where its sequence number and predecessor say. If this shows a fork
    /// of `author`, who writes here, the turn says that a new life has to begin.
    mutating func place(
        _ batch: SealedBatch, author: Author, under schema: Schema, _ turn: inout Turn
    ) throws(StorageError) -> Placement {
        let header = batch.header
        let isOwn = author.writes(batch.author)
        let family = index.family(header.scope, author: batch.author)
        guard !family.isEmpty else {
            guard header.seq == 1, header.prev == .zero else { return .waiting }
            let isKnown = rows.values.contains {
                $0.device == header.device && $0.incarnation == header.incarnation
            }
            if author.isOfOtherLife(header), !isKnown {
                turn.outbox.warn(.authorRenewed(header.device))
            }
            let root = ChainRow.root(
                scope: header.scope, device: header.device, incarnation: header.incarnation)
            return try append(batch, to: try insert(root, &turn), isOwn: isOwn, &turn)
        }
        // A batch that the base stands for is not taken in again.
        if family.contains(where: { $0.isFolded && header.seq < $0.first }) { return .duplicate }
        for row in family where row.first <= header.seq && header.seq <= row.stored {
            if try turn.store.batchID(chain: row.index, seq: header.seq) == batch.id {
                return .duplicate
            }
        }
        if family.contains(where: { $0.isFolded && header.seq <= $0.floor }) {
            // A history in the base cannot be divided any more.
            turn.outbox.warn(.historyPassedOver(header.device))
            return .duplicate
        }
        for row in family where row.stored == header.seq - 1 && row.head == header.prev {
            if let fork = row.forkedAt, header.seq >= fork {
                return try appendBranch(batch, to: row, isOwn: isOwn, &turn)
            }
            if row.isEmptyBranch, !index.begins(row, with: batch) { continue }
            return try append(batch, to: row, isOwn: isOwn, &turn)
        }
        for row in family where row.first <= header.seq && header.seq <= row.stored {
            let previous = try predecessor(of: header.seq, in: row, turn.store)
            guard previous == header.prev else { continue }
            let stored = try turn.store.heldBatch(of: row, at: header.seq)
            if !SealedBatch(stored, in: row, of: header.group).isIntact {
                damaged.note(stored, in: row, &turn)
                return try repair(with: batch, under: schema, &turn) ? .duplicate : .waiting
            }
            let trunk = try split(row, at: header.seq, author: author, &turn)
            // If it was our own, it is not any more.
            _ = try appendBranch(batch, to: trunk, isOwn: false, &turn)
            return .forked(trunk: trunk.key)
        }
        return .waiting
    }

    /// Returns the id that a batch at `seq` of this chain must name as its predecessor.
    private func predecessor(
        of seq: UInt64, in row: ChainRow, _ store: any Store
    ) throws(StorageError) -> BatchID? {
        if seq == 1 { return .zero }
        if seq > row.first { return try store.batchID(chain: row.index, seq: seq - 1) }
        return try store.batch(chain: row.index, seq: seq)?.prev
    }

    private mutating func insert(
        _ chain: NewChain, _ turn: inout Turn
    ) throws(StorageError) -> ChainRow {
        try turn.writingDerived()
        let row = try turn.store.insertChain(chain)
        index.insert(row)
        return row
    }

    private mutating func append(
        _ batch: SealedBatch, to row: ChainRow, isOwn: Bool, _ turn: inout Turn
    ) throws(StorageError) -> Placement {
        try unsynced.writing(batch.header.seq, to: row, isOwn: isOwn, &turn)
        var row = row
        let stored = BatchRow(batch, in: row)
        try turn.store.append(stored)
        turn.stored(stored)
        row.stored = batch.header.seq
        row.head = batch.id
        index[row.key] = row
        turn.grew(row.key, from: row.stored)
        waiting.mayGo(WaitingBatches.Family(row), at: row.stored...row.stored + 1)
        return .stored(row.key)
    }

    /// Adds one more branch where a fork is known.
    private mutating func appendBranch(
        _ batch: SealedBatch, to trunk: ChainRow, isOwn: Bool, _ turn: inout Turn
    ) throws(StorageError) -> Placement {
        let branch = trunk.branch(
            at: batch.header.seq, after: batch.header.prev, beginningWith: batch.id)
        let key = ChainKey(scope: branch.scope, chain: branch.chain)
        if let known = index[key] {
            if ChainIndex.holdsAny(known) { return .duplicate }
            // Its scope was left, and is subscribed to again.
            return try append(batch, to: known, isOwn: isOwn, &turn)
        }
        // Ops that refer to the author by name may mean another branch now.
        isStale = true
        return try append(batch, to: try insert(branch, &turn), isOwn: isOwn, &turn)
    }

    /// Splits whichever chains pass or end where two batches share the predecessor of `header`.
    mutating func splitFamily(
        at header: BatchHeader, author: Author, _ turn: inout Turn
    ) throws(StorageError) -> [ChainKey] {
        var trunks: [ChainKey] = []
        let name = AuthorName.author(device: header.device, incarnation: header.incarnation)
        for row in index.family(header.scope, author: name)
        where row.forkedAt != header.seq && header.seq > row.floor {
            let ends =
                row.stored == header.seq - 1 && row.head == header.prev && row.forkedAt == nil
            var passes = false
            if row.first <= header.seq, header.seq <= row.stored {
                let isBranch = row.first == header.seq && row.parent != nil
                let previous = try predecessor(of: header.seq, in: row, turn.store)
                passes = !isBranch && previous == header.prev
            }
            guard ends || passes else { continue }
            trunks.append(try split(row, at: header.seq, author: author, &turn).key)
        }
        return trunks
    }

    /// Ends a chain before `seq` and moves the batches from there on to a branch with a name of its
    /// own.
    private mutating func split(
        _ row: ChainRow, at seq: UInt64, author: Author, _ turn: inout Turn
    ) throws(StorageError) -> ChainRow {
        try turn.writing()
        var trunk = row
        trunk.forkedAt = seq
        if row.stored >= seq, let first = try turn.store.batch(chain: row.index, seq: seq) {
            var branch = try insert(
                row.branch(at: seq, after: first.prev, beginningWith: first.id), &turn)
            branch.forkedAt = row.forkedAt
            branch.stored = row.stored
            branch.head = row.head
            // All is made anew at once; what showed under the old name shows again in that call.
            branch.applied = max(branch.applied, row.applied)
            try turn.store.moveBatches(from: row.index, startingAt: seq, to: branch.index)
            index[branch.key] = branch
            adoptChildren(of: row.index, from: branch)
            trunk.stored = seq - 1
            trunk.head = first.prev
        }
        index[trunk.key] = trunk
        waiting.mayGo(WaitingBatches.Family(row), at: seq...seq + 1)
        turn.divided.insert(trunk.key)
        turn.outbox.warn(.authorForked(row.device))
        isStale = true
        if author.wrote(row) {
            turn.rotation = "another copy of this home wrote under the same incarnation"
        }
        return trunk
    }

    /// Lets branches that left the part which was renamed leave its new name.
    private mutating func adoptChildren(of parent: Int64, from branch: ChainRow) {
        for child in rows.values
        where child.parent == parent && child.index != branch.index && child.first > branch.first {
            var child = child
            child.parent = branch.index
            index[child.key] = child
        }
    }
}

extension BatchRow {
    /// Makes the row of a batch as it is stored in a chain, before it was opened.
    init(_ batch: SealedBatch, in row: ChainRow) {
        self.init(
            chain: row.index, seq: batch.header.seq, id: batch.id, prev: batch.header.prev,
            epoch: batch.header.epoch, nonce: batch.header.nonce, root: batch.header.root,
            ciphertext: batch.ciphertext,
            signature: batch.signature)
    }
}
