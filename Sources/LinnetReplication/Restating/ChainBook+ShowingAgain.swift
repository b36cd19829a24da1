import LinnetCRDT
import LinnetStorage

extension ChainBook {
    /// Notes the batches that show again, of those that showed before and of chains that are new.
    /// Their operations are merged later.
    mutating func noteShown(
        again before: ChainIndex, of group: GroupState, held: ScopeFilter, _ turn: inout Turn
    ) throws(StorageError) {
        hidden.isPatient = false
        defer { hidden.isPatient = true }
        var progress = true
        while progress {
            progress = false
            for key in behind {
                let end = before[key]?.applied ?? .max
                while index[key]?.applied ?? 0 < end,
                    let batches = try nextToShow(of: key, group: group, held: held, &turn)
                {
                    progress = true
                    for batch in batches { try noteShown(batch, of: group, in: turn.store) }
                }
            }
        }
    }

    private mutating func noteShown(
        _ batch: VisibleBatch, of group: GroupState, in store: any Store
    ) throws(StorageError) {
        if let body = try batch.read(of: group, in: store).body {
            _ = index.noteShown(restating: body.restates, in: batch.row, at: batch.seq)
        }
        index.advance(batch.row.key, to: batch.seq)
    }
}
