package import LinnetCRDT
internal import LinnetWire

/// A record and where its row is.
package struct StoredRecord: Equatable, Sendable {
    /// The number of the row.
    package let row: Int64
    /// The record.
    package let state: RecordState

    /// Joins a record and the number of its row.
    package init(row: Int64, state: RecordState) {
        self.row = row
        self.state = state
    }
}

/// What names a record in a store.
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

/// The statements on records. Rows are found by number: a table in the order of long keys would
/// hold the records themselves in its inner pages.
struct RecordTable: ~Copyable {
    let select: Statement
    let insert: Statement
    let update: Statement
    let range: Statement
    let following: Statement
    let ids: Statement
    let names: Statement
    let last: Statement
    let deleteRange: Statement
    let deletePrefix: Statement

    init(_ connection: borrowing Connection) {
        select = connection.prepare(
            "SELECT number, version, sealed FROM records WHERE collection = ? AND id = ?",
            place: "records")
        insert = connection.prepare(
            "INSERT INTO records (collection, id, version, sealed) VALUES (?, ?, ?, ?)",
            place: "records")
        update = connection.prepare(
            "UPDATE records SET version = ?2, sealed = ?3 WHERE number = ?1", place: "records")
        range = connection.prepare(
            """
            SELECT collection, id, version, sealed FROM records
            WHERE collection BETWEEN ? AND ? ORDER BY collection, id
            """, place: "records")
        following = connection.prepare(
            """
            SELECT number, id, version, sealed FROM records
            WHERE collection = ? AND id > ? ORDER BY id
            """, place: "records")
        ids = connection.prepare(
            "SELECT id FROM records WHERE collection = ? ORDER BY id", place: "records")
        names = connection.prepare(
            "SELECT collection, id FROM records ORDER BY collection, id", place: "records")
        last = connection.prepare("SELECT ifnull(max(number), 0) FROM records", place: "records")
        deletePrefix = connection.prepare(
            "DELETE FROM records WHERE collection = ?1 AND id >= ?2 AND substr(id, 1, ?3) = ?2",
            place: "records")
        deleteRange = connection.prepare(
            "DELETE FROM records WHERE collection BETWEEN ? AND ?", place: "records")
    }
}

extension SQLiteStore {
    /// The state of a record and the number of its row, or nil when nothing was ever written.
    package func storedRecord(
        collection: UInt32, id: RecordID
    ) throws(StorageError) -> StoredRecord? {
        try file.records.select.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in
            StoredRecord(
                row: try row.integer(0),
                state: try decode(
                    collection: collection, id: id, version: try row.number(1),
                    sealed: try row.bytes(2)))
        }
    }

    /// Writes the state of a record over the one before, and returns the number of its row.
    package func putRecord(_ state: RecordState, row: Int64?) throws(StorageError) -> Int64 {
        checkTransaction()
        let key = Self.recordKey(collection: state.collection, id: state.record.utf8)
        let sealed = file.sealer.seal(.records, key, RecordRow.encode(state))
        let version = Binding.integer(Int64(SealedTable.rowVersion))
        if let row {
            try file.records.update.run(.integer(row), version, .bytes(sealed))
            return row
        }
        try file.records.insert.run(
            .integer(Int64(state.collection)), .bytes(state.record.utf8), version, .bytes(sealed))
        return file.connection.lastInsertedRow
    }

    /// The names of all records that have a row; nil when they may be more than `limit`.
    package func recordNames(atMost limit: Int) throws(StorageError) -> [RecordName]? {
        let last = try file.records.last.firstRow { (row) throws(StorageError) in
            try row.integer(0)
        }
        guard let last, last <= limit else { return nil }
        var names: [RecordName] = []
        try file.records.names.forEachRow { (row) throws(StorageError) in
            guard let id = Self.recordID(try row.bytes(1)) else { throw row.corrupt }
            names.append(RecordName(collection: try row.number(0), id: id))
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

    /// Gives `body` every record, of one collection or of all, by collection and then by id.
    package func forEachRecord(
        collection: UInt32?, _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let range = collection.map { $0...$0 } ?? 0...UInt32.max
        try file.records.range.forEachRow(
            .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))
        ) { (row) throws(StorageError) in
            try body(try state(in: row, collection: try row.number(0), from: 1))
            return true
        }
    }

    /// Gives `body` the records of a collection and their rows by id, those that follow `after`.
    package func forEachRow(
        collection: UInt32, after: RecordID?,
        _ body: (StoredRecord) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try file.records.following.forEachRow(
            .integer(Int64(collection)), .bytes(after?.utf8 ?? [])
        ) { (row) throws(StorageError) in
            try body(
                StoredRecord(
                    row: try row.integer(0),
                    state: try state(in: row, collection: collection, from: 1)))
        }
    }

    /// Forgets the records of some collections, or of all when nil, before they are folded anew.
    package func removeAllRecords(collections: [UInt32]?) throws(StorageError) {
        checkTransaction()
        let ranges = collections.map { $0.map { $0...$0 } } ?? [0...UInt32.max]
        for range in ranges {
            try file.records.deleteRange.run(
                .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)))
            try removeEntries(collections: range)
        }
    }

    /// Forgets the records of a collection whose identifiers begin with some bytes; without bytes
    /// all of them.
    package func removeRecords(
        collection: UInt32, prefix: [UInt8]
    ) throws(StorageError) {
        guard !prefix.isEmpty else { return try removeAllRecords(collections: [collection]) }
        checkTransaction()
        let range = [
            Binding.integer(Int64(collection)), .bytes(prefix), .integer(Int64(prefix.count)),
        ]
        try file.entries.deletePrefix.run(range)
        try file.records.deletePrefix.run(range)
    }

    /// The record in the columns from `first` on: its identifier, version and sealed content.
    func state(
        in row: borrowing Statement, collection: UInt32, from first: Int32
    ) throws(StorageError) -> RecordState {
        guard let id = Self.recordID(try row.bytes(first)) else { throw row.corrupt }
        return try decode(
            collection: collection, id: id, version: try row.number(first + 1),
            sealed: try row.bytes(first + 2))
    }

    private func decode(
        collection: UInt32, id: RecordID, version: UInt32, sealed: [UInt8]
    ) throws(StorageError) -> RecordState {
        let key = Self.recordKey(collection: collection, id: id.utf8)
        let content = try file.sealer.open(.records, key, sealed, version: version)
        guard let state = try? RecordRow.decode(content, collection: collection, record: id)
        else { throw .corrupt(where: "records") }
        return state
    }

    private static func recordID(_ bytes: [UInt8]) -> RecordID? {
        String(validating: bytes, as: UTF8.self).flatMap { RecordID($0) }
    }

    private static func recordKey(collection: UInt32, id: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(4 + id.count)
        BigEndian.append(collection, to: &key)
        key.append(contentsOf: id)
        return key
    }
}
