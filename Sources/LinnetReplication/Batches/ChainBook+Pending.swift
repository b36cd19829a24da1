import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// Some batches cannot be stored yet, since a predecessor is missing or their author is not known.
extension ChainBook {
    /// Keeps a batch that waits, within bounds; false when it is dropped, to be asked for again.
    mutating func hold(_ batch: SealedBatch, _ turn: inout Turn) throws(StorageError) -> Bool {
        let header = batch.header
        let isHeld = try turn.store.isPending(batch.id)
        guard !isHeld, header.seq <= StoreLimits.largestSequence else { return true }
        let chain = try turn.store.pendingTotals(
            scope: header.scope, device: header.device, incarnation: header.incarnation)
        let size = batch.headerBytes.count + batch.ciphertext.count + batch.signature.count
        guard chain.count < Limits.pendingBatchesPerChain,
            chain.bytes + size <= Limits.pendingBytesPerChain,
            turn.store.pendingTotals.bytes + size <= Limits.pendingBytes
        else { return false }
        try turn.writingDerived()
        try turn.store.insertPending(
            PendingRow(
                id: batch.id, scope: header.scope, device: header.device,
                incarnation: header.incarnation, seq: header.seq, header: batch.headerBytes,
                ciphertext: batch.ciphertext, signature: batch.signature))
        hasPending = true
        return true
    }

    /// Tries to store the batches that waited, after chains grew or members came.
    mutating func retryPending(
        of group: GroupState, author: Author, under schema: LinnetCRDT.Schema, _ turn: inout Turn
    ) throws(StorageError) {
        guard hasPending else { return }
        var progress = true
        while progress {
            progress = false
            let waiting = try turn.store.pendingChains()
            hasPending = !waiting.isEmpty
            for chain in waiting {
                for held in try turn.store.pending(
                    scope: chain.scope, device: chain.device, incarnation: chain.incarnation,
                    maxBytes: Limits.pendingBytesPerChain)
                where try retry(held, of: group, author, schema, &turn) {
                    progress = true
                }
            }
        }
    }

    private mutating func retry(
        _ held: PendingRow, of group: GroupState, _ author: Author, _ schema: LinnetCRDT.Schema,
        _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        guard
            let batch = try? SealedBatch(
                headerBytes: held.header, ciphertext: held.ciphertext, signature: held.signature,
                group: group.log.group)
        else {
            try turn.writingDerived()
            try turn.store.removePending(held.id)
            return false
        }
        guard group.isEntitled(batch.header.device),
            try place(batch, author: author, under: schema, &turn) != .waiting
        else { return false }
        try turn.writingDerived()
        try turn.store.removePending(held.id)
        return true
    }

    /// Forgets the batches of a scope that wait.
    func dropPending(of scope: ScopeID, in store: any Store) throws(StorageError) {
        for waiting in try store.pendingChains() where waiting.scope == scope {
            for held in try store.pending(
                scope: scope, device: waiting.device, incarnation: waiting.incarnation,
                maxBytes: .max)
            { try store.removePending(held.id) }
        }
    }
}
