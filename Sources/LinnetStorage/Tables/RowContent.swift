package import LinnetCRDT

/// The content of a row, before a record is made of it.
package enum RowContent {
    /// The bytes that the row holds.
    case bytes(RecordID, [UInt8])
    /// The record of a row that does not hold what was written last, and of one in a model.
    case state(RecordState)
}

extension SQLiteStore {
    /// Gives `body` the contents of the rows of a collection by id, those that follow `after`.
    package func forEachContent(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (RowContent) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try file.records.following.forEachRow(
            .integer(Int64(collection)), .bytes(after)
        ) { (row) throws(StorageError) in
            if let id = RecordID(utf8: try row.bytes(1)[...]),
                let content = try content(in: row, of: collection, id)
            {
                return try body(.bytes(id, content))
            }
            let found = try rowFound(in: row, collection: collection)
            guard let whole = try whole(found, mending) else { return true }
            return try body(.state(whole.state))
        }
    }

    /// Returns the bytes of a row that holds what was written last; nil of any other.
    private func content(
        in row: borrowing Statement, of collection: UInt32, _ id: RecordID
    ) throws(StorageError) -> [UInt8]? {
        do throws(StorageError) {
            let sealed = try row.bytes(3)
            let mark = try marks.mark(ofRow: try row.integer(0), in: file.marks)
            guard mark == nil || mark == RowMarks.mark(of: sealed) else { return nil }
            return try file.sealer.openRecord(
                collection: collection, id.utf8, sealed, version: try row.number(2))
        } catch .corrupt {
            return nil
        }
    }
}
