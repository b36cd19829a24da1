import LinnetCRDT
import LinnetStorage
import LinnetWire

/// A search for own batches whose rows are gone, of those that no peer is known to have.
///
/// Counting them reads the whole table of batches, so that an opening leaves it for later and a
/// replica does it in steps.
struct GapSearch {
    /// The time from which the next step may be done, in uptime milliseconds.
    let due: Int64
    /// The chain that is next; nil for the first.
    private var chain: ChainKey?
    /// The batch of that chain that is next.
    private var seq: UInt64 = 0

    init(due: Int64) {
        self.due = due
    }

    /// Counts some more rows and notes the batches of which there is none; returns true when all
    /// were looked for.
    mutating func step(
        in chains: inout ChainBook, heldUpTo: (ChainKey) -> UInt64, _ turn: inout Turn
    ) throws(StorageError) -> Bool {
        var left = Limits.gapSearchBatches
        while let (key, row) = next(of: chains.rows) {
            if chain != key { (chain, seq) = (key, 0) }
            seq = max(seq, row.first, min(heldUpTo(key), row.stored) + 1)
            if row.canBeSaidAgain(by: chains.device), seq <= row.stored {
                guard left > 0 else { return false }
                let last = min(row.stored, seq + left - 1)
                try note(seq...last, in: row, &chains, &turn)
                left -= last - seq + 1
                seq = last + 1
            } else {
                seq = .max
            }
        }
        return true
    }

    /// Returns the chain that is looked at, or the one after it when it is done.
    private func next(
        of rows: OrderedTable<ChainKey, ChainRow>
    ) -> (key: ChainKey, value: ChainRow)? {
        guard let chain else { return rows.first }
        guard let found = rows.first(atOrAfter: chain) else { return nil }
        guard found.key == chain, seq > found.value.stored else { return found }
        return rows.index(of: chain).flatMap { rows.entry(at: $0 + 1) }
    }

    /// Notes the batches in a range whose rows are gone.
    private func note(
        _ seqs: ClosedRange<UInt64>, in row: ChainRow, _ chains: inout ChainBook,
        _ turn: inout Turn
    ) throws(StorageError) {
        let count = try turn.store.batchCount(chain: row.index, in: seqs)
        guard UInt64(count) < seqs.upperBound - seqs.lowerBound + 1 else { return }
        for seq in seqs where try turn.store.batchID(chain: row.index, seq: seq) == nil {
            chains.damaged.note(.gap(in: row, at: seq), in: row, &turn)
        }
    }
}
