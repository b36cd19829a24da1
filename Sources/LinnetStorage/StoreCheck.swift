internal import LinnetCRDT
internal import LinnetWire

/// A fault that a check of the whole file found.
package struct StoreFault: Equatable, Sendable {
    /// The table.
    package let table: String
    /// The fault in words, without values of records.
    package let text: String
}

/// A check of everything in a store but its batches, a few rows at a time: every sealed row is
/// opened, and the structure of the file is looked at.
package struct StoreCheck: Sendable {
    /// Faults that are named; those beyond them are counted alone.
    private static let namedFaults = 20

    /// The number of rows when the check began.
    package let totalRows: Int
    /// The number of rows that were opened.
    package private(set) var checkedRows = 0
    /// The faults that were found, the first ones alone.
    package private(set) var faults: [StoreFault] = []
    /// The number of all faults.
    package private(set) var faultCount = 0

    private var tables = SealedTable.checked[...]
    /// The primary key of the last row that was looked at.
    private var last: [Binding] = []

    /// Begins; nothing is read but the number of rows.
    package init(_ store: SQLiteStore) throws(StorageError) {
        var total = 0
        for table in SealedTable.checked {
            total += Int(
                try store.file.connection.integer("SELECT count(*) FROM \(table.rawValue)"))
        }
        totalRows = total
    }

    /// True when every row was looked at.
    package var isDone: Bool { tables.isEmpty }

    /// Opens up to `count` rows more.
    package mutating func step(_ store: SQLiteStore, rows count: Int) {
        guard let table = tables.first else { return }
        do throws(StorageError) {
            let found = try table.rows(after: last, limit: count, in: store)
            checkedRows += found.checked
            found.faults.forEach { note($0) }
            if let key = found.last { last = key }
            guard found.checked < count else { return }
        } catch {
            note(StoreFault(table: table.rawValue, text: "pages cannot be read: \(error)"))
        }
        tables = tables.dropFirst()
        last = []
    }

    /// Lets SQLite check the structure of the whole file, which takes as long as reading it.
    package mutating func checkStructure(_ store: SQLiteStore) {
        do throws(StorageError) {
            var lines: [String] = []
            try store.file.connection.prepare("PRAGMA integrity_check", place: "file").forEachRow {
                (row) throws(StorageError) in
                lines.append(try row.text(0))
                return true
            }
            if lines == ["ok"] { return }
            for line in lines { note(StoreFault(table: "file", text: line)) }
        } catch {
            note(StoreFault(table: "file", text: "\(error)"))
        }
    }

    private mutating func note(_ fault: StoreFault) {
        faultCount += 1
        if faults.count < Self.namedFaults { faults.append(fault) }
    }
}

/// Some rows of a table that were looked at.
private struct CheckedRows {
    var checked = 0
    var faults: [StoreFault] = []
    var last: [Binding]?
}

extension SealedTable {
    /// All but `pages`, whose rows are made anew where they do not open.
    fileprivate static let checked: [SealedTable] = [.meta, .peers, .intents, .lanes, .records]

    /// The columns of the primary key; of records that of the row.
    private var keys: [String] {
        switch self {
        case .meta, .intents, .lanes: ["key"]
        case .peers: ["device", "incarnation"]
        case .records: ["number"]
        case .pages: ["collection", "last"]
        }
    }

    fileprivate func rows(
        after last: [Binding], limit: Int, in store: SQLiteStore
    ) throws(StorageError) -> CheckedRows {
        let columns = self == .records ? "number, collection, id" : keys.joined(separator: ", ")
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        let place = last.isEmpty ? "" : "WHERE (\(keys.joined(separator: ", "))) > (\(places))"
        let statement = store.file.connection.prepare(
            "SELECT version, sealed, \(columns) FROM \(rawValue) \(place) "
                + "ORDER BY \(keys.joined(separator: ", ")) LIMIT \(limit)", place: rawValue)
        var found = CheckedRows()
        try statement.forEachRow(last) { (row) throws(StorageError) in
            let key = try key(in: row)
            found.checked += 1
            found.last = key.place
            if let text = fault(in: row, key, store) {
                found.faults.append(StoreFault(table: rawValue, text: "\(key.name): \(text)"))
            }
            return true
        }
        return found
    }

    /// The row's primary key as its seal has it, as a parameter, and in words.
    private func key(
        in row: borrowing Statement
    ) throws(StorageError) -> (sealed: [UInt8], place: [Binding], name: String) {
        switch self {
        case .meta:
            let key = try row.text(2)
            return (Array(key.utf8), [.text(key)], "the value '\(key)'")
        case .intents, .lanes:
            let key = try row.bytes(2)
            return (key, [.bytes(key)], "the row \(Hex.encode(Array(key.prefix(8))))")
        case .peers:
            let (device, incarnation) = (try row.bytes(2), try row.bytes(3))
            return (
                device + incarnation, [.bytes(device), .bytes(incarnation)],
                "what is known of device \(Hex.encode(Array(device.prefix(4))))"
            )
        case .pages:
            let (collection, last) = (try row.integer(2), try row.bytes(3))
            return (
                last, [.integer(collection), .bytes(last)], "a page of collection \(collection)"
            )
        case .records:
            let number = try row.integer(2)
            let (collection, id) = (try row.number(3, as: UInt32.self), try row.bytes(4))
            var key: [UInt8] = []
            BigEndian.append(collection, to: &key)
            let name = String(validating: id, as: UTF8.self) ?? Hex.encode(id)
            return (
                key + id, [.integer(number)], "the record '\(name)' of collection \(collection)"
            )
        }
    }

    /// Returns what is wrong with a row; nil when it opens and reads.
    private func fault(
        in row: borrowing Statement, _ key: (sealed: [UInt8], place: [Binding], name: String),
        _ store: SQLiteStore
    ) -> String? {
        do throws(StorageError) {
            let content = try store.file.sealer.open(
                self, key.sealed, try row.bytes(1), version: try row.number(0))
            guard self == .records else { return nil }
            let id = try row.bytes(4)
            guard let record = String(validating: id, as: UTF8.self).flatMap({ RecordID($0) }),
                (try? RecordRow.decode(
                    content, collection: try row.number(3), record: record)) != nil
            else { return "it opens and makes no sense" }
            return nil
        } catch {
            return "it fails its seal"
        }
    }
}
