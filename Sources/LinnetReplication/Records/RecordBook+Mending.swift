import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Rows follow from the log. One that does not open, or is older than the one that was written
/// last, is made anew from the batches. A reader is given what these say at once; the next call
/// writes the row.
extension RecordBook {
    /// Returns the record of a damaged row as the log has it; nil when nobody knows whose row it
    /// is.
    func mended(_ row: DamagedRow, _ log: BatchLog) throws(StorageError) -> RecordState? {
        guard let id = row.id else {
            mender.wantsCheck = true
            return nil
        }
        let key = RecordKey(collection: row.collection, record: id)
        if let known = mender[key] { return known.state }
        // One bad page holds several rows, and the log is read once for all of them.
        var rows = OrderedTable([(key, row.row)])
        for other in try log.store.damagedRows(collection: row.collection) {
            guard let id = other.id else { continue }
            rows[RecordKey(collection: other.collection, record: id)] = other.row
        }
        let fold = try folded(OrderedSet(rows.keys), log)
        for (key, row) in rows where mender[key] == nil {
            mender[key] = RowMender.Mended(
                row: row, state: fold.state(of: key), losses: fold.losses)
        }
        return fold.state(of: key)
    }

    /// Returns some records as the log has them.
    private func folded(
        _ keys: OrderedSet<RecordKey>, _ log: BatchLog
    ) throws(StorageError) -> LogFold {
        let scopes = keys.elements.compactMap { log.scope(of: $0) }
        var fold = LogFold(log, .these(keys), scopes: OrderedSet(scopes))
        while !fold.isDone {
            _ = try fold.run(log, operations: .max, batchWork: policy.batchWork)
        }
        return fold
    }

    /// Has the next fold write anew the rows that were found damaged, and tells of them.
    mutating func mendRows(
        _ log: BatchLog, _ turn: inout Turn, _ chains: inout ChainBook
    ) throws(StorageError) {
        for (key, mended) in mender.take() {
            // A fold may have written the row since.
            guard try isRowDamaged(key, log.store) else { continue }
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

    private func isRowDamaged(_ key: RecordKey, _ store: any Store) throws(StorageError) -> Bool {
        var isDamaged = false
        _ = try store.storedRecord(collection: key.collection, id: key.record) { _ in
            isDamaged = true
            return nil
        }
        return isDamaged
    }

    /// Puts a record as the log has it in place of its row; a fold writes it.
    ///
    /// - Parameter isLatest: true when the state holds all that is visible, so that nothing of what
    ///   is at hand is needed.
    mutating func replaceRow(
        of key: RecordKey, at row: Int64?, with state: RecordState, isLatest: Bool,
        _ turn: inout Turn
    ) throws(StorageError) {
        let stored = row.map { KeptRecord(row: $0, state: state) }
        let place = overlay.place(of: key)
        fold.work += 1
        if let claim = overlay.claim(place, key.record) {
            let isWhole = overlay.isWhole(claim)
            var held = overlay.take(claim)
            if !isWhole || isLatest { overlay.complete(&held, at: claim, with: stored) }
            keep(isLatest ? state : held, at: claim, &turn)
        } else if state.generation > 0 {
            keep(state, at: overlay.reserve(place, key.record, row: row), &turn)
        } else if let row {
            try turn.writingDerived()
            try turn.store.removeRow(row, collection: key.collection)
        }
    }
}
