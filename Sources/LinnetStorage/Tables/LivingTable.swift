package import LinnetCRDT
internal import LinnetWire

/// The statements on the numbers of live rows.
struct LivingTable: ~Copyable {
    let all: Statement
    let put: Statement
    let delete: Statement
    let number: Statement
    let numbers: Statement

    init(_ connection: borrowing Connection) {
        all = connection.prepare("SELECT collection, count FROM living", place: "living")
        put = connection.prepare(
            "INSERT OR REPLACE INTO living (collection, count) VALUES (?, ?)", place: "living")
        delete = connection.prepare(
            "DELETE FROM living WHERE collection BETWEEN ? AND ?", place: "living")
        number = connection.prepare(
            "SELECT number FROM records WHERE collection = ? AND id = ?", place: "records")
        numbers = connection.prepare(
            "SELECT number, id FROM records WHERE collection = ?", place: "records")
    }
}

/// The note on one row.
package enum RowLife: Equatable, Sendable {
    /// There is no row.
    case none
    /// The record of the row is live.
    case live(row: Int64)
    /// The record of the row is deleted.
    case deleted(row: Int64)
}

/// The numbers of live rows by collection, at hand once they were asked for, and written once a
/// transaction.
///
/// Rows of a file in which nothing was ever counted are those of a release that did not count.
struct LivingRows {
    private var counts: OrderedTable<UInt32, Int>?
    private var isWhole = false
    private var changed: OrderedSet<UInt32> = OrderedSet()

    /// True when each live row is in the numbers.
    mutating func isCounted(in file: DatabaseFile) throws(StorageError) -> Bool {
        try load(file)
        return isWhole
    }

    /// Returns the number of live rows of a collection.
    mutating func count(
        _ collection: UInt32, in file: DatabaseFile
    ) throws(StorageError) -> Int {
        try load(file)
        return counts?[collection] ?? 0
    }

    /// Adds to the number of a collection; nothing is added while rows are not counted.
    mutating func add(
        _ difference: Int, _ collection: UInt32, in file: DatabaseFile
    ) throws(StorageError) {
        try load(file)
        // The row of a deleted record shows too that rows are counted.
        guard isWhole, difference != 0 || counts?[collection] == nil else { return }
        counts?[collection, default: 0] += difference
        changed.insert(collection)
    }

    /// Begins to count anew, from no rows.
    mutating func beginAnew(in file: DatabaseFile) throws(StorageError) {
        try file.living.delete.run(.integer(0), .integer(Int64(UInt32.max)))
        (counts, isWhole, changed) = (OrderedTable(), true, OrderedSet())
    }

    /// Notes that some collections have no rows.
    mutating func empty(
        _ collections: ClosedRange<UInt32>, in file: DatabaseFile
    ) throws(StorageError) {
        if collections == 0...UInt32.max { return try beginAnew(in: file) }
        try load(file)
        guard isWhole else { return }
        for collection in counts?.keys ?? [] where collections.contains(collection) {
            counts?[collection] = 0
            changed.insert(collection)
        }
    }

    /// Writes the numbers that changed; before the end of the transaction.
    mutating func save(in table: borrowing LivingTable) throws(StorageError) {
        for collection in changed {
            let count = counts?[collection] ?? 0
            try table.put.run(.integer(Int64(collection)), .integer(Int64(count)))
        }
        changed = OrderedSet()
    }

    /// Forgets what is at hand, as after a transaction that was taken back.
    mutating func forget() { self = LivingRows() }

    private mutating func load(_ file: DatabaseFile) throws(StorageError) {
        guard counts == nil else { return }
        var found: OrderedTable<UInt32, Int> = OrderedTable()
        try file.living.all.forEachRow { (row) throws(StorageError) in
            let (collection, count): (UInt32, Int64) = (try row.number(0), try row.integer(1))
            found[collection] = Int(count)
            return true
        }
        let last = try file.records.last.firstRow { (row) throws(StorageError) in
            try row.integer(0)
        }
        isWhole = !found.isEmpty || last == 0
        counts = found
    }
}

extension SQLiteStore {
    /// False when the rows were written by a release that did not count the live ones.
    package func hasCountedRows() throws(StorageError) -> Bool { try living.isCounted(in: file) }

    /// Counts the live rows of all collections anew, and notes of each row whether it is live.
    package func countRows(mending: RowMending) throws(StorageError) {
        checkTransaction()
        try living.beginAnew(in: file)
        try file.records.range.forEachRow(
            .integer(0), .integer(Int64(UInt32.max))
        ) { (row) throws(StorageError) in
            let (number, collection): (Int64, UInt32) = (try row.integer(0), try row.number(4))
            let found = try rowFound(in: row, collection: collection)
            let isLive = try whole(found, mending)?.state.isLive ?? false
            try marks.setLive(isLive, row: number, in: file.marks)
            try living.add(isLive ? 1 : 0, collection, in: file)
            return true
        }
    }

    /// Returns the number of rows of a collection whose records are live.
    package func liveRowCount(collection: UInt32) throws(StorageError) -> Int {
        try living.count(collection, in: file)
    }

    /// Returns what is noted of a record's row, without opening it.
    package func rowLife(collection: UInt32, id: RecordID) throws(StorageError) -> RowLife {
        let number = try file.living.number.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in try row.integer(0) }
        guard let number else { return .none }
        return try marks.isLive(row: number, in: file.marks)
            ? .live(row: number) : .deleted(row: number)
    }

    /// Notes whether a row is live where that was noted wrongly; true when it was.
    package func correctLife(
        _ isLive: Bool, row: Int64, collection: UInt32
    ) throws(StorageError) -> Bool {
        guard try marks.isLive(row: row, in: file.marks) != isLive else { return false }
        checkTransaction()
        try marks.setLive(isLive, row: row, in: file.marks)
        try living.add(isLive ? 1 : -1, collection, in: file)
        return true
    }

    /// Adds up the live rows of a collection and keeps the sum; true when another one was kept.
    package func addUpRows(collection: UInt32) throws(StorageError) -> Bool {
        checkTransaction()
        var sum = 0
        try file.living.numbers.forEachRow(
            .integer(Int64(collection))
        ) { (row) throws(StorageError) in
            // A row of which nobody knows whose it is does not show.
            if Self.recordID(try row.bytes(1)) != nil,
                try marks.isLive(row: try row.integer(0), in: file.marks)
            {
                sum += 1
            }
            return true
        }
        let kept = try living.count(collection, in: file)
        try living.add(sum - kept, collection, in: file)
        return sum != kept
    }
}
