import LinnetCRDT
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
            guard let stored = try turn.store.batch(chain: row.index, seq: header.seq),
                try continues(batch, at: stored, in: row, turn.store)
            else { continue }
            try turn.writing()
            try turn.store.replaceBatch(BatchRow(batch, in: row))
            damaged.repaired(header.seq, of: row.key)
            waiting.mayGo(WaitingBatches.Family(row), at: header.seq...header.seq)
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

extension ChainBook {
    /// Returns the damaged batches, with those that this device wrote apart, since nobody else may
    /// have them.
    func damageFacts(in store: any Store) throws(StorageError) -> [WarningFact] {
        var facts: [WarningFact] = []
        for isOwn in [true, false] {
            var (count, example): (UInt64, BatchID?) = (0, nil)
            for (key, seqs) in damaged.table {
                guard let row = self[key], (row.device == device) == isOwn else { continue }
                count += UInt64(seqs.elements.count)
                guard let last = seqs.elements.last else { continue }
                example = try store.batchID(chain: row.index, seq: last) ?? example
            }
            guard count > 0, let example else { continue }
            facts.append(
                WarningFact(
                    warning: isOwn ? .damagedOwnBatch(example) : .damagedBatch(example),
                    count: count))
        }
        return facts
    }
}
