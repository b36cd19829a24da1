/// A row of the companion lanes between a phone and its watch; the store gives it no meaning.
package struct LaneRow: Equatable, Sendable {
    /// The row's name; the first byte is its family.
    package var key: [UInt8]
    /// The value, which the lanes alone understand.
    package var value: [UInt8]

    /// Joins key and value.
    package init(key: [UInt8], value: [UInt8]) {
        self.key = key
        self.value = value
    }
}

/// The statements on the rows of the companion lanes.
struct LaneTable: ~Copyable {
    let upsert: Statement
    let select: Statement
    let family: Statement
    let remove: Statement

    init(_ connection: borrowing Connection) {
        upsert = connection.prepare(
            "INSERT OR REPLACE INTO lanes (key, version, sealed) VALUES (?, ?, ?)", place: "lanes")
        select = connection.prepare(
            "SELECT version, sealed FROM lanes WHERE key = ?", place: "lanes")
        family = connection.prepare(
            "SELECT key, version, sealed FROM lanes WHERE key >= ? AND key < ? ORDER BY key",
            place: "lanes")
        remove = connection.prepare("DELETE FROM lanes WHERE key = ?", place: "lanes")
    }
}

extension SQLiteStore {
    /// Keeps a row of the lanes in place of the one with its key.
    package func putLane(_ row: LaneRow) throws(StorageError) {
        checkTransaction()
        let sealed = file.sealer.seal(.lanes, row.key, row.value)
        try file.lanes.upsert.run(
            .bytes(row.key), .integer(Int64(SealedTable.rowVersion)), .bytes(sealed))
    }

    /// Returns what the lanes keep under a key, or nil.
    package func lane(_ key: [UInt8]) throws(StorageError) -> [UInt8]? {
        try file.lanes.select.firstRow(.bytes(key)) { (row) throws(StorageError) in
            try file.sealer.open(.lanes, key, try row.bytes(1), version: try row.number(0))
        }
    }

    /// The rows whose keys begin with a byte below 255, by their keys.
    package func lanes(family: UInt8) throws(StorageError) -> [LaneRow] {
        var found: [LaneRow] = []
        try file.lanes.family.forEachRow(
            .bytes([family]), .bytes([family + 1])
        ) { (row) throws(StorageError) in
            let key = try row.bytes(0)
            let value = try file.sealer.open(
                .lanes, key, try row.bytes(2), version: try row.number(1))
            found.append(LaneRow(key: key, value: value))
            return true
        }
        return found
    }

    /// Forgets the row with a key; nothing happens when there is none.
    package func removeLane(_ key: [UInt8]) throws(StorageError) {
        checkTransaction()
        try file.lanes.remove.run(.bytes(key))
    }
}
