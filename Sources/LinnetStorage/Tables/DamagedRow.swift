package import LinnetCRDT

/// The name of a record in a store.
package struct RecordName: Equatable, Sendable {
    /// Number of the collection.
    package let collection: UInt32
    /// The record's identifier.
    package let id: RecordID

    /// Joins both parts.
    package init(collection: UInt32, id: RecordID) {
        self.collection = collection
        self.id = id
    }
}

/// A row of a record that does not hold what was written into it last.
package struct DamagedRow: Equatable, Sendable {
    /// Number of the collection.
    package let collection: UInt32
    /// The record's identifier; nil when that cannot be read either.
    package let id: RecordID?
    /// The number of the row.
    package let row: Int64
    /// The state of a row that opens and is not the one written last; nil when it does not open.
    package let older: RecordState?

    /// Joins the parts.
    package init(collection: UInt32, id: RecordID?, row: Int64, older: RecordState?) {
        self.collection = collection
        self.id = id
        self.row = row
        self.older = older
    }
}

/// Tells the state of a record whose row is damaged; nil to pass over it.
package typealias RowMending = (DamagedRow) throws(StorageError) -> RecordState?

extension SQLiteStore {
    /// Returns the number of records that have a row, of one collection or of all when nil.
    package func recordCount(collection: UInt32?) throws(StorageError) -> Int {
        let range = collection.map { $0...$0 } ?? 0...UInt32.max
        return try file.records.count.firstRow(
            .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))
        ) { (row) throws(StorageError) in try row.number(0) } ?? 0
    }

    /// The names of all records that have a row; nil when they may be more than `limit`, or when
    /// one cannot be read.
    package func recordNames(atMost limit: Int) throws(StorageError) -> [RecordName]? {
        let last = try file.records.last.firstRow { (row) throws(StorageError) in
            try row.integer(0)
        }
        guard let last, last <= limit else { return nil }
        var names: [RecordName] = []
        var isWhole = true
        try file.records.names.forEachRow { (row) throws(StorageError) in
            guard let id = Self.recordID(try row.bytes(1)) else {
                isWhole = false
                return false
            }
            names.append(RecordName(collection: try row.number(0), id: id))
            return true
        }
        return isWhole ? names : nil
    }

    /// The names of the records that follow one, in order, at most `limit`; those that cannot be
    /// read are left out.
    package func recordNames(
        after last: RecordName?, limit: Int
    ) throws(StorageError) -> [RecordName] {
        var names: [RecordName] = []
        try file.records.followingNames.forEachRow(
            .integer(last.map { Int64($0.collection) } ?? -1), .bytes(last?.id.utf8 ?? []),
            .integer(Int64(limit))
        ) { (row) throws(StorageError) in
            if let id = Self.recordID(try row.bytes(1)) {
                names.append(RecordName(collection: try row.number(0), id: id))
            }
            return true
        }
        return names
    }

    /// The records of a collection that were ever written to, deleted ones too, in bytewise order.
    package func recordIDs(collection: UInt32) throws(StorageError) -> [RecordID] {
        var found: [RecordID] = []
        try file.records.ids.forEachRow(.integer(Int64(collection))) { (row) throws(StorageError) in
            guard let id = Self.recordID(try row.bytes(0)) else { throw row.corrupt }
            found.append(id)
            return true
        }
        return found
    }

    /// The sealed bytes of a record's row, as the file has them.
    package func sealedRow(
        collection: UInt32, id: RecordID
    ) throws(StorageError) -> [UInt8]? {
        try file.records.select.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in try row.bytes(2) }
    }

    /// The rows of a collection that do not hold what was written into them last.
    package func damagedRows(collection: UInt32) throws(StorageError) -> [DamagedRow] {
        var rows: [DamagedRow] = []
        try file.records.all.forEachRow(.integer(Int64(collection))) { (row) throws(StorageError) in
            if case .damaged(let row) = try rowFound(in: row, collection: collection) {
                rows.append(row)
            }
            return true
        }
        return rows
    }

    /// Takes a row away, with the entries by which its record was found.
    package func removeRow(
        _ number: Int64, collection: UInt32
    ) throws(StorageError) {
        checkTransaction()
        try putEntries([], collection: collection, row: number)
        try file.records.delete.run(.integer(number))
        if try marks.set(nil, isLive: false, ofRow: number, in: file.marks) {
            try living.add(-1, collection, in: file)
        }
        try forgetPages(collections: collection...collection)
    }
}
