import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordBook {
    /// Has the next fold write anew the rows that were found damaged, and tells of them.
    mutating func mendRows(
        _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook
    ) throws(StorageError) {
        for (key, mended) in mender.take() {
            // A fold may have written the row since.
            guard try rows(log).isDamaged(key) else { continue }
            for loss in mended.losses {
                try chains.damaged.noteLoss(of: loss.stored, in: loss.row, &turn)
            }
            try replaceRow(of: key, at: mended.row, with: mended.state, isLatest: false, &turn)
            turn.outbox.warn(mended.losses.isEmpty ? .rowRebuilt(key) : .rowIncomplete(key))
        }
        guard mender.wantsCheck else { return }
        mender.wantsCheck = false
        try beginDeepCheck(log)
    }

    /// Puts a record as the log has it in place of its row; a fold writes it.
    ///
    /// - Parameter isLatest: true when the state holds all that is visible, so that nothing of what
    ///   is at hand is needed.
    mutating func replaceRow(
        of key: RecordKey, at row: Int64?, with state: RecordState, isLatest: Bool,
        _ turn: inout Turn
    ) throws(StorageError) {
        // It was begun over another state of the record.
        staged = nil
        // What it held is no record of any moment.
        watch.noteChange()
        let stored = row.map { KeptRecord(row: $0, state: state) }
        let place = overlay.place(of: key)
        fold.work += 1
        if let claim = overlay.claim(place, key.record) {
            let isWhole = overlay.isWhole(claim)
            var held = overlay.take(claim)
            if !isWhole || isLatest { overlay.complete(&held, at: claim, with: stored) }
            putBack(isLatest ? state : held, at: claim, isChanged: true, &turn)
        } else if state.generation > 0 {
            let claim = overlay.reserve(place, key.record, row: row)
            putBack(state, at: claim, isChanged: true, &turn)
        } else if let row {
            lines.note(key)
            try turn.writingDerived()
            try turn.store.removeRow(row, collection: key.collection)
        }
    }
}
