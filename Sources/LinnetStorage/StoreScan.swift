/// The part of a store's file that can be read without its keys: whether SQLite finds it whole,
/// and how much is in it. Nothing is written, and no row is opened.
package struct StoreScan: Sendable {
    /// The number of rows of a table.
    package struct Count: Equatable, Sendable {
        /// The table.
        package let table: String
        /// Its rows; nil where they cannot be counted.
        package let rows: Int64?
    }

    /// The faults that SQLite finds in the structure, the first twenty; nil when it was not asked.
    package let faults: [String]?
    /// The tables of batches, records and members, as far as they are there.
    package let counts: [Count]

    private static let counted = ["batches", "records", "members", "pending", "quarantine"]

    /// Looks at the file at `path`, which no other process may be using.
    ///
    /// - Parameters:
    ///   - path: the database; what an earlier process left in the log beside it counts.
    ///   - checksStructure: whether SQLite reads the whole file to check it.
    /// - Throws: `notOurs`, and what keeps SQLite from reading at all, as of an empty file.
    package init(path: String, checksStructure: Bool) throws(StorageError) {
        guard ReadingFiles.register() else { throw .cannotOpen(code: 0) }
        let connection = try Connection.open(path: path, mustExist: true, vfs: ReadingFiles.name)
        let application = try connection.integer("PRAGMA application_id")
        guard application == StoreSchema.applicationID else { throw .notOurs }
        faults = checksStructure ? Self.faults(connection) : nil
        counts = Self.counted.map { table in
            Count(
                table: table, rows: try? connection.integer("SELECT count(*) FROM \(table)"))
        }
    }

    private static func faults(_ connection: borrowing Connection) -> [String] {
        var lines: [String] = []
        do throws(StorageError) {
            try connection.prepare("PRAGMA integrity_check(20)", place: "file").forEachRow {
                (row) throws(StorageError) in
                lines.append(try row.text(0))
                return true
            }
        } catch {
            lines.append("\(error)")
        }
        return lines == ["ok"] ? [] : lines
    }
}
