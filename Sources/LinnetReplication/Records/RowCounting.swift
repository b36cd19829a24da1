import LinnetCRDT
import LinnetStorage

/// The store keeps the number of live rows of each collection, in the transaction that writes them.
/// Here it is made for homes of releases that did not, and held against the rows.
struct RowCounting {
    let rows: RecordRows

    private var store: any Store { rows.log.store }

    /// Counts the rows that a release wrote which did not count them.
    func countOld(_ turn: Turn) throws(StorageError) {
        guard try !store.hasCountedRows() else { return }
        try turn.writingDerived()
        try store.countRows(mending: rows.mended)
    }

    /// Holds what is noted of a row against what it holds, and puts it right; true when it was
    /// wrong.
    func noteLife(
        of stored: KeptRecord, in collection: UInt32, _ turn: Turn
    ) throws(StorageError) -> Bool {
        let life = try store.rowLife(collection: collection, id: stored.state.record)
        let isLive = stored.state.isLive
        guard life != (isLive ? .live(row: stored.row) : .deleted(row: stored.row)) else {
            return false
        }
        try turn.writingDerived()
        return try store.correctLife(isLive, row: stored.row, collection: collection)
    }

    /// Ends a check of every row: adds up what is noted of them, and has the digest made anew from
    /// rows that were compared with the log.
    func recount(_ report: inout DeepCheckReport, _ turn: Turn) throws(StorageError) {
        try turn.writingDerived()
        for collection in rows.log.schema.collections
        where try store.addUpRows(collection: collection.id) {
            report.noteMiscounted(collection.id)
        }
        try store.forgetPages()
    }
}

extension DeepCheckReport {
    /// Notes a collection whose number was wrong.
    mutating func noteMiscounted(_ collection: UInt32) {
        guard !miscounted.contains(collection) else { return }
        miscounted.append(collection)
        miscounted.sort()
    }
}
