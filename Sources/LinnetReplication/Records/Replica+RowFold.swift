import LinnetStorage
import LinnetWire

/// Batches are the truth; rows are what a reader finds without replaying them. A fold writes the
/// records that changed, in key order and a few for each transaction, and then moves the mark of
/// each chain up to where the chain was visible when the fold began. Rows may be ahead of the
/// mark: merging a batch twice changes nothing.
extension Replica {
    /// Counts what was merged, and writes some rows when it is time; inside a transaction.
    mutating func foldRows(after operations: Int) throws(StorageError) {
        let work = operations + foldPolicy.batchWork
        rowFold.work += work
        rowFold.workSinceBegin += work
        if rowFold.marks == nil {
            guard rowFold.work >= foldPolicy.work || overlay.dirtyWeight > foldPolicy.dirtyBytes
            else { return }
            beginRowFold()
        }
        try writeRows(max(foldPolicy.rowsAtLeast, work * foldPolicy.rowsForWork))
        // One transaction may make a long backlog visible.
        overlay.trim(to: foldPolicy.cleanBytes)
    }

    /// Writes all rows that are behind; inside a transaction.
    mutating func foldAllRows() throws(StorageError) {
        while rowFold.isBehind || overlay.dirtyCount > 0 {
            if rowFold.marks == nil { beginRowFold() }
            try writeRows(.max)
        }
    }

    private mutating func beginRowFold() {
        rowFold.marks = chains.rows.map { (key: $0.key, seq: $0.value.applied) }
        rowFold.workSinceBegin = 0
        overlay.beginFold()
    }

    private mutating func writeRows(_ limit: Int) throws(StorageError) {
        var written = 0
        while written < limit, let next = overlay.nextDue() {
            try write(next.held, at: next.slot, row: next.row)
            written += 1
        }
        guard overlay.isFoldDone, let marks = rowFold.marks else { return }
        rowFold.marks = nil
        rowFold.work = rowFold.workSinceBegin
        chains.folded(marks)
    }

    private mutating func write(
        _ held: Overlay.Held, at slot: Int, row: Int64?
    ) throws(StorageError) {
        let stored = held.isWhole ? nil : try storedRecord(RecordKey(held.state))
        let state = held.whole(over: stored?.state)
        let written = try store.putRecord(state, row: stored?.row ?? row)
        try index(state, row: written)
        overlay.wrote(slot, state, row: written)
    }

    /// Remembers which records have rows, as long as these are few.
    mutating func beginRowFilter() throws(StorageError) {
        guard let names = try store.recordNames(atMost: RowFilter.mostAtStart) else { return }
        overlay.know(
            rowsOf: names.map { RecordKey(collection: $0.collection, record: $0.id) })
    }

    /// Forgets how far rows are written, as after a transaction that was taken back.
    mutating func resetRows() {
        overlay.removeAll()
        rowFold = RowFold()
    }

    /// Ends a transaction's work on records: some go, and an idle fold is put off.
    mutating func tidyRecords(at now: Moment) {
        overlay.trim(to: foldPolicy.cleanBytes)
        rowFold.due =
            rowFold.isBehind ? now.uptimeMilliseconds + foldPolicy.idleMilliseconds : nil
    }

    /// Writes some rows while nothing else happens, in a transaction of its own: what a power cut
    /// takes of it is replayed.
    mutating func foldWhenIdle(at now: Moment) throws(StorageError) {
        guard let due = rowFold.due, due <= now.uptimeMilliseconds else { return }
        try store.begin(.relaxed)
        if rowFold.marks == nil { beginRowFold() }
        try writeRows(8 * foldPolicy.rowsAtLeast)
        try chains.save(to: store)
        try store.commit()
        tidyRecords(at: now)
        if rowFold.due != nil {
            rowFold.due = now.uptimeMilliseconds + foldPolicy.pauseMilliseconds
        }
    }
}
