/// The statements on intents.
struct IntentTable: ~Copyable {
    let select: Statement
    let insert: Statement

    init(_ connection: borrowing Connection) {
        select = connection.prepare(
            "SELECT version, sealed FROM intents WHERE key = ?", place: "intents")
        insert = connection.prepare(
            "INSERT INTO intents (key, version, sealed) VALUES (?, ?, ?)", place: "intents")
    }
}

extension SQLiteStore {
    /// Returns the outcome of the first command with this intent, or nil when there was none.
    package func firstOutcome(intent: [UInt8]) throws(StorageError) -> [UInt8]? {
        let key = file.sealer.index(ofIntent: intent)
        return try file.intents.select.firstRow(.bytes(key)) { (row) throws(StorageError) in
            try file.sealer.open(.intents, key, try row.bytes(1), version: try row.number(0))
        }
    }

    /// Keeps the outcome of a command; `duplicate` when its intent has one already.
    package func recordOutcome(
        intent: [UInt8], _ outcome: [UInt8]
    ) throws(StorageError) {
        checkTransaction()
        let key = file.sealer.index(ofIntent: intent)
        let sealed = file.sealer.seal(.intents, key, outcome)
        try file.intents.insert.run(
            .bytes(key), .integer(Int64(SealedTable.rowVersion)), .bytes(sealed))
    }
}
