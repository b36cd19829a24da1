import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// Stored batches whose bytes are no longer those that their author signed.
///
/// A damaged batch is never sent and never judged: it stays in its place, and every peer that lists
/// its chain is asked for it again. What it made visible stays visible meanwhile; only when all is
/// folded anew it is missing, until its good copy arrives and all is folded once more.
extension Replica {
    /// Whether a stored batch still has the bytes that its identifier names.
    func isIntact(_ stored: BatchRow, in row: ChainRow) -> Bool {
        let batch = sealed(stored, in: row)
        return BatchName.id(
            batch.headerBytes, ciphertextHash: Hash.blake2b(nil, batch.ciphertext)) == stored.id
    }

    /// Whether a stored batch carries its author's signature, which is not looked at when a later
    /// one spoke for it; without one it counts as damaged.
    mutating func isProven(_ stored: BatchRow, in row: ChainRow) -> Bool {
        if row.device == device || proven.contains(stored.id) { return true }
        guard sealed(stored, in: row).isSigned else { return false }
        proven.insert(stored.id)
        return true
    }

    /// Remembers a damaged batch, and asks whoever has it.
    mutating func noteDamage(of stored: BatchRow, in row: ChainRow) throws(StorageError) {
        guard damaged[row.key, default: OrderedSet([])].insert(stored.seq) else { return }
        turn.outbox.warn(
            row.device == device ? .damagedOwnBatch(stored.id) : .damagedBatch(stored.id))
        for session in sessions.values {
            guard case .open(let state) = session.state, let head = state.peer[row.key],
                head.seq >= stored.seq
            else { continue }
            do throws(SessionFault) {
                try ask(repairs(of: head, key: row.key), on: session)
            } catch {
                if case .storage(let failure) = error { throw failure }
            }
        }
    }

    /// Folds on without a damaged batch; the next opening folds anew, too, and finds it again.
    mutating func foldWithout(_ stored: BatchRow, in row: ChainRow) throws(StorageError) {
        try noteDamage(of: stored, in: row)
        try turn.writing()
        try store.setValue(.schema, nil)
        try advance(row.key, to: stored.seq)
    }

    /// What to ask of a peer that holds a chain this far.
    func repairs(of head: ListedHead, key: ChainKey) -> [NeededRange] {
        (damaged[key]?.elements ?? []).filter { $0 <= head.seq }.map {
            NeededRange(scope: key.scope, chain: key.chain, first: $0, last: $0)
        }
    }

    /// Puts a checked batch in the place of its damaged copy; false when it has none.
    mutating func repair(with batch: SealedBatch) throws(StorageError) -> Bool {
        let header = batch.header
        guard !damaged.isEmpty else { return false }
        for row in chains.family(header.scope, author: batch.author)
        where damaged[row.key]?.contains(header.seq) ?? false {
            guard let stored = try store.batch(chain: row.index, seq: header.seq),
                try continues(batch, at: stored, in: row)
            else { continue }
            try turn.writing()
            try store.replaceBatch(
                BatchRow(
                    chain: row.index, seq: header.seq, id: batch.id, prev: header.prev,
                    epoch: header.epoch, nonce: header.nonce, ciphertext: batch.ciphertext,
                    signature: batch.signature))
            damaged[row.key]?.remove(header.seq)
            if damaged[row.key]?.elements.isEmpty ?? false { damaged[row.key] = nil }
            turn.announced.insert(row.key)
            mustRefold = true
            // It may name what its author had seen of a branch.
            branchReader = BranchReader()
            if damaged.isEmpty { try store.setValue(.schema, Self.foldMark(schema)) }
            return true
        }
        return false
    }

    /// Whether a batch is the one that was stored here: the next one, or the head, names it.
    private func continues(
        _ batch: SealedBatch, at stored: BatchRow, in row: ChainRow
    ) throws(StorageError) -> Bool {
        if stored.id == batch.id { return true }
        if row.stored == stored.seq { return row.head == batch.id }
        return try store.batch(chain: row.index, seq: stored.seq + 1)?.prev == batch.id
    }
}
