package import LinnetCRDT
package import LinnetStorage

/// The model keeps no numbers and no hashes beside its rows: each question is answered by looking
/// at all of them, so that what the real store keeps is held against it.
extension ModelStore {
    /// True: nothing has to be counted beforehand.
    package func hasCountedRows() throws(StorageError) -> Bool { true }

    /// Has nothing to do.
    package func countRows(mending: RowMending) throws(StorageError) { checkTransaction() }

    /// Returns the number of rows of a collection whose records are live.
    package func liveRowCount(collection: UInt32) throws(StorageError) -> Int {
        var count = 0
        try forEachRecord(collection: collection, mending: { _ in nil }) { state in
            if state.isLive { count += 1 }
        }
        return count
    }

    /// Returns what the row of a record is.
    package func rowLife(collection: UInt32, id: RecordID) throws(StorageError) -> RowLife {
        guard let shelf = tables.shelf(collection), let place = shelf.place(of: id),
            let state = shelf.state(id)
        else { return .none }
        return state.isLive ? .live(row: Int64(place)) : .deleted(row: Int64(place))
    }

    /// False: nothing is noted that could be wrong.
    package func correctLife(
        _ isLive: Bool, row: Int64, collection: UInt32
    ) throws(StorageError) -> Bool { false }

    /// False: no sum is kept.
    package func addUpRows(collection: UInt32) throws(StorageError) -> Bool { false }

    /// Gives `body` the records of a collection, which have no contents apart from themselves.
    package func forEachContent(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (RowContent) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try forEachRow(collection: collection, after: after, mending: mending) {
            (row) throws(StorageError) in try body(.state(row.state))
        }
    }

    /// None: every hash is made anew.
    package func pages(collection: UInt32) throws(StorageError) -> [KnownPage] { [] }

    /// Keeps none.
    package func keepPages(_ pages: [MadePage]) {}

    /// Has none to forget.
    package func forgetPages() throws(StorageError) { checkTransaction() }
}
