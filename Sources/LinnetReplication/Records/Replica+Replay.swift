import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// Merges again what was visible and may be missing in the rows: batches after the marks, each
    /// after those that it builds on.
    mutating func replay() throws(StorageError) {
        var next: OrderedTable<ChainKey, UInt64> = OrderedTable()
        for (key, row) in chains.rows where row.folded < row.applied { next[key] = row.folded + 1 }
        var waiting: OrderedTable<ChainKey, (BatchRow, BatchBody)> = OrderedTable()
        while !next.isEmpty {
            var progress = false
            for key in next.keys {
                while try replayNext(of: key, &next, &waiting, forced: false) { progress = true }
            }
            // Parts of one commit may build on one another; they became visible together.
            if !progress, let key = next.first?.key {
                _ = try replayNext(of: key, &next, &waiting, forced: true)
            }
        }
        // Nobody hears of what was merged again.
        overlay.beginCall()
    }

    /// Replays the next batch of a chain; false when it has to wait, or when there is none.
    private mutating func replayNext(
        of key: ChainKey, _ next: inout OrderedTable<ChainKey, UInt64>,
        _ waiting: inout OrderedTable<ChainKey, (BatchRow, BatchBody)>, forced: Bool
    ) throws(StorageError) -> Bool {
        guard let seq = next[key], let row = chains[key] else { return false }
        if waiting[key] == nil, let opened = try replayable(row, seq) { waiting[key] = opened }
        if let (stored, body) = waiting[key] {
            guard forced || isReplayed(body.attributes, next) else { return false }
            waiting[key] = nil
            try merge(body, of: stored, in: row, at: nil)
            rowFold.work += body.operations.count + foldPolicy.batchWork
        }
        next[key] = seq < row.applied ? seq + 1 : nil
        return true
    }

    /// A batch to be merged again; nil when it has no effect, or its bytes were damaged since.
    private mutating func replayable(
        _ row: ChainRow, _ seq: UInt64
    ) throws(StorageError) -> (BatchRow, BatchBody)? {
        guard let stored = try store.batch(chain: row.index, seq: seq) else {
            throw .corrupt(where: "batch \(seq) of chain \(row.chain) is missing")
        }
        if let body = body(of: stored, in: row) { return (stored, body) }
        guard !isIntact(stored, in: row) else { return nil }
        try noteDamage(of: stored, in: row)
        try writing()
        try store.setValue(.schema, nil)
        return nil
    }

    private func isReplayed(
        _ attributes: BatchAttributes, _ next: OrderedTable<ChainKey, UInt64>
    ) -> Bool {
        attributes.dependencies.allSatisfy { scope in
            scope.heads.allSatisfy { head in
                chains.family(named: attributes.authors[head.author], scope: scope.scope)
                    .allSatisfy { row in
                        guard let seq = next[row.key] else { return true }
                        return head.seq < seq || row.applied < head.seq
                    }
            }
        }
    }
}
