package import LinnetCRDT
internal import LinnetWire

/// The statements on the entries by which records are found.
struct EntryTable: ~Copyable {
    let ofRecord: Statement
    let insert: Statement
    let delete: Statement
    let deleteRange: Statement
    let deletePrefix: Statement
    let ascending: Statement
    let descending: Statement

    init(_ connection: borrowing Connection) {
        ofRecord = connection.prepare(
            "SELECT field, key FROM entries WHERE record = ? ORDER BY field, key",
            place: "entries")
        insert = connection.prepare(
            "INSERT INTO entries (collection, field, key, record) VALUES (?, ?, ?, ?)",
            place: "entries")
        delete = connection.prepare(
            "DELETE FROM entries WHERE collection = ? AND field = ? AND key = ? AND record = ?",
            place: "entries")
        deleteRange = connection.prepare(
            "DELETE FROM entries WHERE collection BETWEEN ? AND ?", place: "entries")
        deletePrefix = connection.prepare(
            """
            DELETE FROM entries WHERE record IN (SELECT number FROM records
            WHERE collection = ?1 AND id >= ?2 AND substr(id, 1, ?3) = ?2)
            """, place: "entries")
        let search = { (order: String) in
            """
            SELECT records.number, records.id, records.version, records.sealed, entries.key
            FROM entries CROSS JOIN records ON records.number = entries.record
            WHERE entries.collection = ? AND entries.field = ? AND entries.key BETWEEN ? AND ?
            ORDER BY entries.key \(order), entries.record \(order)
            """
        }
        ascending = connection.prepare(search("ASC"), place: "entries")
        descending = connection.prepare(search("DESC"), place: "entries")
    }
}

extension SQLiteStore {
    /// An entry as the file has it.
    private struct Kept: Comparable {
        let field: UInt32
        let key: [UInt8]

        static func < (left: Kept, right: Kept) -> Bool {
            if left.field != right.field { return left.field < right.field }
            return left.key.lexicographicallyPrecedes(right.key)
        }
    }

    /// Keeps the entries by which a record is found, in place of those kept before.
    package func putEntries(
        _ entries: [IndexEntry], collection: UInt32, row: Int64
    ) throws(StorageError) {
        checkTransaction()
        let wanted = OrderedSet(
            entries.map {
                Kept(field: $0.field, key: kept($0.key, $0.kind, collection, $0.field))
            })
        var found: [Kept] = []
        try file.entries.ofRecord.forEachRow(.integer(row)) { (entry) throws(StorageError) in
            found.append(Kept(field: try entry.number(0), key: try entry.bytes(1)))
            return true
        }
        for entry in found where !wanted.contains(entry) {
            try change(file.entries.delete, entry, collection, row)
        }
        let before = OrderedSet(found)
        for entry in wanted where !before.contains(entry) {
            try change(file.entries.insert, entry, collection, row)
        }
    }

    private func change(
        _ statement: borrowing Statement, _ entry: Kept, _ collection: UInt32, _ row: Int64
    ) throws(StorageError) {
        try statement.run(
            .integer(Int64(collection)), .integer(Int64(entry.field)), .bytes(entry.key),
            .integer(row))
    }

    /// Forgets the entries by which the records of a collection are found.
    package func removeEntries(collection: UInt32) throws(StorageError) {
        try removeEntries(collections: collection...collection)
    }

    func removeEntries(collections: ClosedRange<UInt32>) throws(StorageError) {
        checkTransaction()
        try file.entries.deleteRange.run(
            .integer(Int64(collections.lowerBound)), .integer(Int64(collections.upperBound)))
    }

    /// Gives `body` the records that a search finds, in the order of the keys.
    package func forEachFound(
        by search: IndexSearch, mending: RowMending,
        _ body: ([UInt8]?, RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        if search.isDescending {
            try read(file.entries.descending, search, mending, body)
        } else {
            try read(file.entries.ascending, search, mending, body)
        }
    }

    private func read(
        _ statement: borrowing Statement, _ search: IndexSearch, _ mending: RowMending,
        _ body: ([UInt8]?, RecordState) throws(StorageError) -> Bool
    ) throws(StorageError) {
        let key = { (key: [UInt8]) in
            Binding.bytes(self.kept(key, search.kind, search.collection, search.field))
        }
        try statement.forEachRow(
            .integer(Int64(search.collection)), .integer(Int64(search.field)),
            key(search.lower), key(search.upper)
        ) { (row) throws(StorageError) in
            let found = try rowFound(in: row, collection: search.collection)
            guard let whole = try whole(found, mending) else { return true }
            return try body(search.kind == .blind ? nil : try row.bytes(4), whole.state)
        }
    }

    private func kept(
        _ key: [UInt8], _ kind: FieldIndex, _ collection: UInt32, _ field: UInt32
    ) -> [UInt8] {
        switch kind {
        case .clear: key
        case .blind: file.sealer.index(of: key, collection: collection, field: field)
        }
    }
}
