import LinnetCRDT
import LinnetStorage
import LinnetWire

/// A walk over the chains of one scope, read from their ends, the batch with the latest time first.
struct LogWalk {
    /// A batch whose ops are read.
    struct Step {
        let row: ChainRow
        let seq: UInt64
        let body: BatchBody
    }

    private var heads: [Step] = []

    /// Opens the last batch of every chain of a scope.
    init(_ log: BatchLog, scope: ScopeID) throws(StorageError) {
        for row in log.chains.rows.values where row.scope == scope {
            if let step = try Self.step(log, row, from: row.stored) { heads.append(step) }
        }
    }

    /// Returns the next batch; nil when every chain was read to its beginning.
    mutating func next(_ log: BatchLog) throws(StorageError) -> Step? {
        var latest: Int?
        for index in heads.indices {
            guard let best = latest else {
                latest = index
                continue
            }
            if Self.comes(heads[best], before: heads[index]) { latest = index }
        }
        guard let latest else { return nil }
        let found = heads[latest]
        if let step = try Self.step(log, found.row, from: found.seq - 1) {
            heads[latest] = step
        } else {
            heads.remove(at: latest)
        }
        return found
    }

    private static func comes(_ left: Step, before right: Step) -> Bool {
        (left.body.attributes.baseStamp, left.row.chain)
            < (right.body.attributes.baseStamp, right.row.chain)
    }

    /// Returns the batch at a place in a chain, or the last one before it that can be read; nil if
    /// there is none.
    private static func step(
        _ log: BatchLog, _ row: ChainRow, from seq: UInt64
    ) throws(StorageError) -> Step? {
        var seq = seq
        while seq >= row.first, seq > 0 {
            if log.group?.counted.counts(seq, of: row) ?? true,
                let stored = try log.store.batch(chain: row.index, seq: seq),
                let body = log.group?.body(of: stored, in: row)
            {
                return Step(row: row, seq: seq, body: body)
            }
            seq -= 1
        }
        return nil
    }
}
