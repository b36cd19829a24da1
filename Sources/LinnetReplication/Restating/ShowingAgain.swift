import LinnetCRDT
import LinnetStorage

/// The look for batches that show while some are missing that are about to be said again.
struct ShowingAgain {
    /// The chains before anything was said again. Only what showed then shows again, and chains
    /// that are new since.
    let before: ChainIndex
    let group: GroupState
    let held: ScopeFilter

    /// Notes the batches that show, whose operations are merged later.
    func note(in chains: inout ChainBook, _ turn: inout Turn) throws(StorageError) {
        chains.hidden.isPatient = false
        defer { chains.hidden.isPatient = true }
        var progress = true
        while progress {
            progress = false
            for key in chains.behind {
                let end = before[key]?.applied ?? .max
                while chains[key]?.applied ?? 0 < end,
                    let batches = try chains.nextToShow(of: key, group: group, held: held, &turn)
                {
                    progress = true
                    for batch in batches { try note(batch, in: &chains.index, turn.store) }
                }
            }
        }
    }

    private func note(
        _ batch: VisibleBatch, in index: inout ChainIndex, _ store: any Store
    ) throws(StorageError) {
        if let body = try batch.read(of: group, in: store).body {
            _ = index.noteShown(restating: body.restates, in: batch.row, at: batch.seq)
        }
        index.advance(batch.row.key, to: batch.seq)
    }
}
