package import LinnetCRDT
internal import LinnetWire

/// A record and where its row is.
package struct KeptRecord: Equatable, Sendable {
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
    let count: Statement
    let followingNames: Statement
    let all: Statement
    let delete: Statement
    let deleteRange: Statement
    let withPrefix: Statement
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
            SELECT number, id, version, sealed, collection FROM records
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
        count = connection.prepare(
            "SELECT count(*) FROM records WHERE collection BETWEEN ? AND ?", place: "records")
        followingNames = connection.prepare(
            """
            SELECT collection, id FROM records WHERE (collection, id) > (?, ?)
            ORDER BY collection, id LIMIT ?
            """, place: "records")
        all = connection.prepare(
            "SELECT number, id, version, sealed FROM records WHERE collection = ? ORDER BY number",
            place: "records")
        delete = connection.prepare("DELETE FROM records WHERE number = ?", place: "records")
        withPrefix = connection.prepare(
            """
            SELECT number FROM records
            WHERE collection = ?1 AND id >= ?2 AND substr(id, 1, ?3) = ?2
            """, place: "records")
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
        collection: UInt32, id: RecordID, mending: RowMending
    ) throws(StorageError) -> KeptRecord? {
        let found = try file.records.select.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in
            try rowFound(in: row, collection: collection, id: id)
        }
        return try found.flatMap { (found) throws(StorageError) in
            try whole(found, mending)
        }
    }

    /// Writes the state of a record over the one before, and returns the number of its row.
    package func putRecord(
        _ state: RecordState, row: Int64?, content: [UInt8]?
    ) throws(StorageError) -> Int64 {
        checkTransaction()
        let key = Self.recordKey(collection: state.collection, id: state.record.utf8)
        let sealed = file.sealer.seal(.records, key, content ?? RecordRow.encode(state))
        let version = Binding.integer(Int64(SealedTable.rowVersion))
        let number: Int64
        try makePageStale(of: state.collection, state.record)
        // Whether rows were counted shows before the first one is written.
        _ = try living.isCounted(in: file)
        if let row {
            try file.records.update.run(.integer(row), version, .bytes(sealed))
            number = row
        } else {
            try file.records.insert.run(
                .integer(Int64(state.collection)), .bytes(state.record.utf8), version,
                .bytes(sealed))
            number = file.connection.lastInsertedRow
        }
        let isLive = state.isLive
        let noted = try marks.set(
            RowMarks.mark(of: sealed), isLive: isLive, ofRow: number, in: file.marks)
        // The number of a new row may have been that of one which is gone.
        let wasLive = row != nil && noted
        let difference = (isLive ? 1 : 0) - (wasLive ? 1 : 0)
        try living.add(difference, state.collection, in: file)
        return number
    }

    /// Gives `body` every record, of one collection or of all, by collection and then by id.
    package func forEachRecord(
        collection: UInt32?, mending: RowMending,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let range = collection.map { $0...$0 } ?? 0...UInt32.max
        try file.records.range.forEachRow(
            .integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))
        ) { (row) throws(StorageError) in
            let found = try rowFound(in: row, collection: try row.number(4))
            if let whole = try whole(found, mending) { try body(whole.state) }
            return true
        }
    }

    /// Gives `body` the records of a collection and their rows by id, those that follow `after`.
    package func forEachRow(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (KeptRecord) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try file.records.following.forEachRow(
            .integer(Int64(collection)), .bytes(after)
        ) { (row) throws(StorageError) in
            let found = try rowFound(in: row, collection: collection)
            guard let whole = try whole(found, mending) else { return true }
            return try body(whole)
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
            try living.empty(range, in: file)
            try forgetPages(collections: range)
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
        var removed: [Int64] = []
        try file.records.withPrefix.forEachRow(range) { (row) throws(StorageError) in
            removed.append(try row.integer(0))
            return true
        }
        var live = 0
        for number in removed
        where try marks.set(nil, isLive: false, ofRow: number, in: file.marks) { live += 1 }
        try file.entries.deletePrefix.run(range)
        try file.records.deletePrefix.run(range)
        try living.add(-live, collection, in: file)
        try forgetPages(collections: collection...collection)
    }

    /// The record in the columns from the row's number on: that, its identifier, version and sealed
    /// content.
    func rowFound(
        in row: borrowing Statement, collection: UInt32, id known: RecordID? = nil
    ) throws(StorageError) -> FoundRow {
        let number = try row.integer(0)
        var id = known
        do throws(StorageError) {
            // A row has its number first, and its identifier next only if that was not known
            // before.
            let first: Int32 = known == nil ? 2 : 1
            if known == nil { id = Self.recordID(try row.bytes(1)) }
            guard let id else { throw row.corrupt }
            let sealed = try row.bytes(first + 1)
            let state = try decode(
                collection: collection, id: id, version: try row.number(first), sealed: sealed)
            let mark = try marks.mark(ofRow: number, in: file.marks)
            let stored = KeptRecord(row: number, state: state)
            guard mark == nil || mark == RowMarks.mark(of: sealed) else {
                return .damaged(
                    DamagedRow(collection: collection, id: id, row: number, older: state))
            }
            return .sound(stored)
        } catch .corrupt {
            return .damaged(DamagedRow(collection: collection, id: id, row: number, older: nil))
        }
    }

    /// The record of a row, mended where it has to be; nil for one that is passed over.
    func whole(
        _ found: FoundRow, _ mending: RowMending
    ) throws(StorageError) -> KeptRecord? {
        switch found {
        case .sound(let stored): stored
        case .damaged(let row):
            try mending(row).map { KeptRecord(row: row.row, state: $0) }
        }
    }

    private func decode(
        collection: UInt32, id: RecordID, version: UInt32, sealed: [UInt8]
    ) throws(StorageError) -> RecordState {
        let key = Self.recordKey(collection: collection, id: id.utf8)
        let content = try file.sealer.open(.records, key, sealed, version: version)
        do {
            return try RecordRow.decode(content, collection: collection, record: id)
        } catch {
            throw .corrupt(where: "records")
        }
    }

    static func recordID(_ bytes: [UInt8]) -> RecordID? {
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

/// A row as it was found.
enum FoundRow {
    case sound(KeptRecord)
    case damaged(DamagedRow)
}
