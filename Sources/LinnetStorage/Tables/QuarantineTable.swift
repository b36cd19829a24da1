package import LinnetWire

/// An operation, or a whole batch, that has no effect because of what it says.
package struct QuarantineRow: Equatable, Sendable {
    /// The batch it is in.
    package var batch: BatchID
    /// The index of the operation, from 0; nil when the whole batch has no effect.
    package var index: UInt32?
    /// The reason; the numbers belong to the replica.
    package var reason: UInt32

    /// An operation without effect.
    package init(batch: BatchID, index: UInt32?, reason: UInt32) {
        self.batch = batch
        self.index = index
        self.reason = reason
    }
}

/// The statements on what has no effect.
struct QuarantineTable: ~Copyable {
    /// The position that stands for a whole batch.
    static let wholeBatch: Int64 = -1

    let insert: Statement
    let all: Statement
    let count: Statement

    init(_ connection: borrowing Connection) {
        insert = connection.prepare(
            "INSERT OR REPLACE INTO quarantine (batch, position, reason) VALUES (?, ?, ?)",
            place: "quarantine")
        all = connection.prepare(
            "SELECT batch, position, reason FROM quarantine ORDER BY batch, position LIMIT ?",
            place: "quarantine")
        count = connection.prepare("SELECT count(*) FROM quarantine", place: "quarantine")
    }
}

extension SQLiteStore {
    /// Notes that an operation has no effect; a second note on it replaces the first.
    package func quarantine(_ row: QuarantineRow) throws(StorageError) {
        checkTransaction()
        try file.quarantine.insert.run(
            .bytes(row.batch.array),
            .integer(row.index.map { Int64($0) } ?? QuarantineTable.wholeBatch),
            .integer(Int64(row.reason)))
    }

    /// Returns the operations without effect, by batch and index, at most `limit` rows.
    package func quarantined(limit: Int) throws(StorageError) -> [QuarantineRow] {
        var found: [QuarantineRow] = []
        try file.quarantine.all.forEachRow(.integer(Int64(limit))) { (row) throws(StorageError) in
            let position = try row.integer(1)
            found.append(
                QuarantineRow(
                    batch: try row.bytes32(0),
                    index: position == QuarantineTable.wholeBatch ? nil : try row.number(1),
                    reason: try row.number(2)))
            return true
        }
        return found
    }

    /// Returns the number of rows that `quarantined` has without a limit.
    package func quarantineCount() throws(StorageError) -> Int {
        try file.quarantine.count.firstRow { (row) throws(StorageError) in
            try row.number(0)
        } ?? 0
    }
}
