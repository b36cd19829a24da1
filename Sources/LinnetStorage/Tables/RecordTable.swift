package import LinnetCRDT
internal import LinnetWire

/// The statements on records.
struct RecordTable: ~Copyable {
    let select: Statement
    let upsert: Statement
    let range: Statement
    let ids: Statement
    let deleteRange: Statement
    let deletePrefix: Statement

    init(_ connection: borrowing Connection) {
        select = connection.prepare(
            "SELECT version, sealed FROM records WHERE collection = ? AND id = ?", place: "records")
        upsert = connection.prepare(
            "INSERT OR REPLACE INTO records (collection, id, version, sealed) VALUES (?, ?, ?, ?)",
            place: "records")
        range = connection.prepare(
            """
            SELECT collection, id, version, sealed FROM records
            WHERE collection BETWEEN ? AND ? ORDER BY collection, id
            """, place: "records")
        ids = connection.prepare(
            "SELECT id FROM records WHERE collection = ? ORDER BY id", place: "records")
        deletePrefix = connection.prepare(
            "DELETE FROM records WHERE collection = ?1 AND id >= ?2 AND substr(id, 1, ?3) = ?2",
            place: "records")
        deleteRange = connection.prepare(
            "DELETE FROM records WHERE collection BETWEEN ? AND ?", place: "records")
    }
}

extension SQLiteStore {
    /// The state of a record, or nil when nothing was ever written to it.
    package func record(
        collection: UInt32, id: RecordID
    ) throws(StorageError) -> RecordState? {
        try file.records.select.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in
            try decode(
                collection: collection, id: id.utf8, version: try row.number(0),
                sealed: try row.bytes(1))
        }
    }

    /// Writes the state of a record over the one before.
    package func putRecord(_ state: RecordState) throws(StorageError) {
        checkTransaction()
        let key = Self.recordKey(collection: state.collection, id: state.record.utf8)
        let sealed = file.sealer.seal(.records, key, state.encoded)
        try file.records.upsert.run(
            .integer(Int64(state.collection)), .bytes(state.record.utf8),
            .integer(Int64(SealedTable.rowVersion)), .bytes(sealed))
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
            try body(
                try decode(
                    collection: try row.number(0), id: try row.bytes(1), version: try row.number(2),
                    sealed: try row.bytes(3)))
            return true
        }
    }

    /// Forgets the records of some collections, or of all when nil, before they are folded anew.
    package func removeAllRecords(collections: [UInt32]?) throws(StorageError) {
        checkTransaction()
        let ranges = collections.map { $0.map { $0...$0 } } ?? [0...UInt32.max]
        for range in ranges {
            try file.records.deleteRange.run(
                .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound)))
        }
    }

    /// Forgets the records of a collection whose identifiers begin with some bytes; without bytes
    /// all of them.
    package func removeRecords(
        collection: UInt32, prefix: [UInt8]
    ) throws(StorageError) {
        guard !prefix.isEmpty else { return try removeAllRecords(collections: [collection]) }
        checkTransaction()
        try file.records.deletePrefix.run(
            .integer(Int64(collection)), .bytes(prefix), .integer(Int64(prefix.count)))
    }

    private func decode(
        collection: UInt32, id: [UInt8], version: UInt32, sealed: [UInt8]
    ) throws(StorageError) -> RecordState {
        let key = Self.recordKey(collection: collection, id: id)
        let content = try file.sealer.open(.records, key, sealed, version: version)
        guard let record = Self.recordID(id),
            let state = try? RecordState.decode(content, collection: collection, record: record)
        else { throw .corrupt(where: "records") }
        return state
    }

    private static func recordID(_ bytes: [UInt8]) -> RecordID? {
        String(validating: bytes, as: UTF8.self).flatMap { RecordID($0) }
    }

    private static func recordKey(collection: UInt32, id: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        BigEndian.append(collection, to: &key)
        return key + id
    }
}
