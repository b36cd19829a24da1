import LinnetCRDT
import LinnetStorage
import LinnetWire

/// Rows follow from the log: one that does not open, or is older than the one that was written
/// last, is made anew from the batches. A reader is given what these say at once; the row is
/// written by the next call.
extension Replica {
    /// Whether rows were met that have to be written anew: the shell calls at once then.
    package var hasDamagedRows: Bool { mender.isDue }

    /// The record of a damaged row as the log has it; nil when nobody knows whose row it is.
    func mended(_ row: DamagedRow) throws(StorageError) -> RecordState? {
        guard let id = row.id else {
            mender.wantsCheck = true
            return nil
        }
        let key = RecordKey(collection: row.collection, record: id)
        if let known = mender[key] { return known.state }
        // One bad page holds several rows, and the log is read once for all of them.
        var rows = OrderedTable([(key, row.row)])
        for other in try store.damagedRows(collection: row.collection) {
            guard let id = other.id else { continue }
            rows[RecordKey(collection: other.collection, record: id)] = other.row
        }
        let fold = try folded(OrderedSet(rows.keys))
        for (key, row) in rows where mender[key] == nil {
            mender[key] = RowMender.Mended(
                row: row, state: fold.state(of: key), losses: fold.losses)
        }
        return fold.state(of: key)
    }

    /// Some records as the log has them.
    private func folded(_ keys: OrderedSet<RecordKey>) throws(StorageError) -> LogFold {
        let scopes = keys.elements.compactMap { key in
            schema.collection(id: key.collection)?.scope.scope(of: key.record)
                .flatMap { group?.scope(named: $0) }
        }
        var fold = LogFold(self, .these(keys), scopes: OrderedSet(scopes))
        while !fold.isDone { _ = try fold.run(self, operations: .max) }
        return fold
    }

    /// Writes the rows anew that were met damaged, with the next fold, and tells of them.
    mutating func mendRows() throws(StorageError) {
        guard mender.isDue else { return }
        for (key, mended) in mender.take() {
            // A fold may have written the row since.
            guard try isRowDamaged(key) else { continue }
            for loss in mended.losses {
                try chains.noteLoss(of: loss.stored, in: loss.row, device: device, &turn)
            }
            try replaceRow(of: key, at: mended.row, with: mended.state, isLatest: false)
            turn.outbox.warn(mended.losses.isEmpty ? .rowRebuilt(key) : .rowIncomplete(key))
        }
        guard mender.wantsCheck else { return }
        mender.wantsCheck = false
        try beginDeepCheck()
    }

    private func isRowDamaged(_ key: RecordKey) throws(StorageError) -> Bool {
        var isDamaged = false
        _ = try store.storedRecord(collection: key.collection, id: key.record) { _ in
            isDamaged = true
            return nil
        }
        return isDamaged
    }

    /// Puts what the log says of a record in place of what its row says; a fold writes it.
    ///
    /// - Parameter isLatest: whether the state holds all that is visible, so that nothing of what
    ///   is at hand is needed.
    mutating func replaceRow(
        of key: RecordKey, at row: Int64?, with state: RecordState, isLatest: Bool
    ) throws(StorageError) {
        let stored = row.map { StoredRecord(row: $0, state: state) }
        let place = overlay.place(of: key)
        rowFold.work += 1
        if let claim = overlay.claim(place, key.record) {
            let isWhole = overlay.isWhole(claim)
            var held = overlay.take(claim)
            if !isWhole || isLatest { overlay.complete(&held, at: claim, with: stored) }
            keep(isLatest ? state : held, at: claim)
        } else if state.generation > 0 {
            keep(state, at: overlay.reserve(place, key.record, row: row))
        } else if let row {
            try turn.writingDerived()
            try store.removeRow(row, collection: key.collection)
        }
    }
}
