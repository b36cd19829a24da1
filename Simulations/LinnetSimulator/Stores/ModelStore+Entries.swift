package import LinnetCRDT
package import LinnetStorage

extension ModelStore {
    /// Keeps by what a record is found, in place of what was kept before.
    package func putEntries(
        _ entries: [IndexEntry], collection: UInt32, row: Int64
    ) throws(StorageError) {
        checkTransaction()
        let place = Int(row)
        let before = tables.withShelf(collection) { shelf in
            shelf.setEntries(entries, at: place)
        }
        note(.entries(collection: collection, at: place, before))
    }

    /// Forgets by what the records of a collection are found.
    package func removeEntries(collection: UInt32) throws(StorageError) {
        checkTransaction()
        for place in 0..<(tables.shelf(collection)?.count ?? 0) {
            try putEntries([], collection: collection, row: Int64(place))
        }
    }

    /// Gives `body` the records that a search finds and the keys by which it does, in the order of
    /// the keys, until it returns false; `body` writes nothing. Blind keys come as nil.
    package func forEachFound(
        by search: IndexSearch, mending: RowMending,
        _ body: ([UInt8]?, RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let found = tables.shelf(search.collection)?.found(by: search) ?? []
        for (key, state) in search.isDescending ? found.reversed() : found {
            guard try body(search.kind == .blind ? nil : key, state) else { return }
        }
    }
}
