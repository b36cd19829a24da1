import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The rows of records, for one step of a call; nobody keeps it.
///
/// Rows follow from the log. One that does not open, or is older than the one that was written
/// last, is made anew from the batches. A reader is given what these say at once; the next call
/// writes the row.
struct RecordRows {
    let mender: RowMender
    /// Says what opening a batch again costs, and which records are too large to be held.
    let policy: FoldPolicy
    let log: BatchLog

    private var store: any Store { log.store }

    /// Returns what the row of a record says; nil when it has none.
    func record(_ key: RecordKey) throws(StorageError) -> KeptRecord? {
        try store.storedRecord(collection: key.collection, id: key.record, mending: mended)
    }

    /// Returns the record of a damaged row as the log has it; nil when nobody knows whose row it
    /// is.
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
                row: row, state: try fold.state(of: key, log), losses: fold.losses)
        }
        return try fold.state(of: key, log)
    }

    /// Returns some records as the log has them.
    private func folded(
        _ keys: OrderedSet<RecordKey>
    ) throws(StorageError) -> LogFold {
        let scopes = keys.elements.compactMap { log.scope(of: $0) }
        var fold = LogFold(log, .these(keys), scopes: OrderedSet(scopes), policy)
        while !fold.isDone {
            _ = try fold.run(log, operations: .max)
        }
        return fold
    }

    /// Returns true when a record has a row that does not hold what was written last.
    func isDamaged(_ key: RecordKey) throws(StorageError) -> Bool {
        var isDamaged = false
        _ = try store.storedRecord(collection: key.collection, id: key.record) { _ in
            isDamaged = true
            return nil
        }
        return isDamaged
    }
}
