import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension ChainBook {
    /// Tries to store the batches that waited, after chains grew or members came.
    mutating func retryPending(
        of group: GroupState, author: Author, under schema: Schema, _ turn: inout Turn
    ) throws(StorageError) {
        while let rows = try waiting.next(of: group, in: turn.store) {
            for row in rows { try retry(row, of: group, author, schema, &turn) }
        }
    }

    private mutating func retry(
        _ held: PendingRow, of group: GroupState, _ author: Author, _ schema: Schema,
        _ turn: inout Turn
    ) throws(StorageError) {
        guard
            let batch = try? SealedBatch(
                headerBytes: held.header, ciphertext: held.ciphertext, signature: held.signature,
                group: group.log.group)
        else { return try waiting.remove(held, &turn) }
        guard try place(batch, author: author, under: schema, &turn) != .waiting else { return }
        try waiting.remove(held, &turn)
    }
}
