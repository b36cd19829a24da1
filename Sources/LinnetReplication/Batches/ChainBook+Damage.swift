import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Some stored batches have bytes that are no longer those that their author signed.
///
/// Such a batch is never sent and never judged. It stays in its place, and every peer that lists
/// its chain is asked for it again. Its operations stay visible meanwhile. Only when all is folded
/// anew are they missing, until a good copy arrives and all is folded once more.
extension ChainBook {
    /// Remembers a damaged batch, and has the peers that list it asked for it.
    mutating func noteDamage(
        of stored: BatchRow, in row: ChainRow, _ turn: inout Turn
    ) {
        guard damaged[row.key, default: OrderedSet([])].insert(stored.seq) else { return }
        turn.outbox.warn(
            row.device == device ? .damagedOwnBatch(stored.id) : .damagedBatch(stored.id))
        turn.damaged.append(
            Damage(key: row.key, seq: stored.seq, all: damaged[row.key]?.elements ?? []))
    }

    /// Notes a damaged batch that had to be left out, so that the next opening folds all anew.
    mutating func noteLoss(
        of stored: BatchRow, in row: ChainRow, _ turn: inout Turn
    ) throws(StorageError) {
        noteDamage(of: stored, in: row, &turn)
        try turn.writing()
        try turn.store.setValue(.schema, nil)
    }

    /// Puts a checked batch in the place of its damaged copy; false when there is none.
    ///
    /// - Parameter schema: the schema under which all is folded anew.
    mutating func repair(
        with batch: SealedBatch, under schema: LinnetCRDT.Schema, _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        let header = batch.header
        guard !damaged.isEmpty else { return false }
        for row in index.family(header.scope, author: batch.author)
        where damaged[row.key]?.contains(header.seq) ?? false {
            guard let stored = try turn.store.batch(chain: row.index, seq: header.seq),
                try continues(batch, at: stored, in: row, turn.store)
            else { continue }
            try turn.writing()
            try turn.store.replaceBatch(BatchRow(batch, in: row))
            damaged[row.key]?.remove(header.seq)
            if damaged[row.key]?.elements.isEmpty ?? false { damaged[row.key] = nil }
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

/// A batch that was found damaged.
struct Damage {
    let key: ChainKey
    let seq: UInt64
    /// The damaged batches of the chain, this one among them.
    let all: [UInt64]

    /// Returns the ranges to ask of a peer that holds the chain up to `seq`.
    static func repairs(of all: [UInt64], upTo seq: UInt64, key: ChainKey) -> [NeededRange] {
        all.filter { $0 <= seq }.map {
            NeededRange(scope: key.scope, chain: key.chain, first: $0, last: $0)
        }
    }
}
