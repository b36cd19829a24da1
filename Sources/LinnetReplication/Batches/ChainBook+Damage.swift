import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

extension ChainBook {
    /// Puts a checked batch in the place of its damaged copy; false when there is none.
    ///
    /// - Parameter schema: the schema under which all is folded anew.
    mutating func repair(
        with batch: SealedBatch, under schema: Schema, _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        let header = batch.header
        guard !damaged.isEmpty else { return false }
        for row in index.family(header.scope, author: batch.author)
        where damaged.contains(header.seq, of: row.key) {
            let stored = try turn.store.batch(chain: row.index, seq: header.seq)
            guard
                try continues(
                    batch, at: stored ?? .gap(in: row, at: header.seq), in: row, turn.store)
            else { continue }
            try turn.writing()
            if stored == nil {
                try turn.store.append(BatchRow(batch, in: row))
            } else {
                try turn.store.replaceBatch(BatchRow(batch, in: row))
            }
            damaged.repaired(header.seq, of: row.key)
            // The one before it may wait, since nothing said that it is the right one.
            waiting.mayGo(WaitingBatches.Family(row), at: header.seq - 1...header.seq)
            turn.announced.insert(row.key)
            isStale = true
            if damaged.isEmpty { try turn.store.setValue(.schema, schema.foldMark) }
            return true
        }
        return false
    }

    /// Returns true when a batch is the one that was stored here, as its id, the next batch or the
    /// head says.
    private func continues(
        _ batch: SealedBatch, at stored: BatchRow, in row: ChainRow, _ store: any Store
    ) throws(StorageError) -> Bool {
        if stored.id == batch.id { return true }
        if row.stored == stored.seq { return row.head == batch.id }
        return try store.batch(chain: row.index, seq: stored.seq + 1)?.prev == batch.id
    }
}

extension BatchRow {
    /// Returns what stands for a batch whose row is gone: it is damaged whatever is asked of it.
    static func gap(in row: ChainRow, at seq: UInt64) -> BatchRow {
        BatchRow(
            chain: row.index, seq: seq, id: seq == row.stored ? row.head : .zero,
            // A header has a predecessor exactly behind the first place.
            prev: seq == 1 ? .zero : Bytes32(repeating: 0xFF), epoch: .zero,
            nonce: [UInt8](repeating: 0, count: BatchHeader.nonceBytes),
            ciphertext: [], signature: [UInt8](repeating: 0, count: SigningKey.signatureBytes))
    }

    /// True when it stands for a batch whose row is gone, for no batch is without bytes.
    var isGap: Bool { ciphertext.isEmpty }
}

extension Store {
    /// Returns the batch at a place of a chain that has one there, or what stands for it when its
    /// row is gone.
    func heldBatch(of row: ChainRow, at seq: UInt64) throws(StorageError) -> BatchRow {
        try batch(chain: row.index, seq: seq) ?? .gap(in: row, at: seq)
    }

    /// Returns the id that the batch at a place has, or had as far as the next one or the head of
    /// the chain says.
    func expectedID(of row: ChainRow, at seq: UInt64) throws(StorageError) -> BatchID {
        if let id = try headID(of: row, at: seq) { return id }
        return try batch(chain: row.index, seq: seq + 1)?.prev ?? .zero
    }
}
