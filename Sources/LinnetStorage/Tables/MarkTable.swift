internal import LinnetWire

/// The statements on the marks of rows.
struct MarkTable: ~Copyable {
    let select: Statement
    let put: Statement

    init(_ connection: borrowing Connection) {
        select = connection.prepare("SELECT marks FROM marks WHERE number = ?", place: "marks")
        put = connection.prepare(
            "INSERT OR REPLACE INTO marks (number, marks) VALUES (?, ?)", place: "marks")
    }
}

/// The last bytes of each row's seal, kept on other pages than the rows: a page that comes back
/// from an older copy of the file brings rows that open, and not their marks.
///
/// Marks of a run of rows lie together and are written once a transaction.
struct RowMarks {
    /// The marks of a run of rows, by their place in it; 0 where none is known.
    private struct Run {
        var marks: [UInt32]
        var isChanged = false
    }

    /// The rows of a run.
    private static let rows: Int64 = 256
    /// The number of runs that stay at hand, a KiB each.
    private static let most = 256
    private var runs: OrderedTable<Int64, Run> = OrderedTable()
    private var changed = 0

    /// The mark of sealed bytes.
    static func mark(of sealed: [UInt8]) -> UInt32 {
        sealed.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The mark that a row was written with; nil when that is not known.
    mutating func mark(
        ofRow number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) -> UInt32? {
        let place = try place(ofRow: number, in: table)
        let mark = runs[position: place].marks[Self.index(number)]
        return mark == 0 ? nil : mark
    }

    /// Notes the mark of a row that is written; nil for one that is taken away.
    mutating func set(
        _ mark: UInt32?, ofRow number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) {
        let place = try place(ofRow: number, in: table)
        runs[position: place].marks[Self.index(number)] = mark ?? 0
        if !runs[position: place].isChanged { changed += 1 }
        runs[position: place].isChanged = true
    }

    /// Writes the marks that changed; before the end of the transaction.
    mutating func save(in table: borrowing MarkTable) throws(StorageError) {
        guard changed > 0 else { return }
        for place in 0..<runs.count where runs[position: place].isChanged {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(4 * Int(Self.rows))
            for mark in runs[position: place].marks { BigEndian.append(mark, to: &bytes) }
            try table.put.run(.integer(runs.keys[place]), .bytes(bytes))
            runs[position: place].isChanged = false
        }
        changed = 0
    }

    /// Forgets what is at hand, as after a transaction that was taken back.
    mutating func forget() {
        runs.removeAll()
        changed = 0
    }

    private static func index(_ number: Int64) -> Int { Int(number & (rows - 1)) }

    /// Returns the place at which the run of a row is at hand.
    private mutating func place(
        ofRow number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) -> Int {
        let run = number >> 8
        if let place = runs.index(of: run) { return place }
        if runs.count >= Self.most, changed < runs.count {
            runs.removeAll { !$1.isChanged }
        }
        let kept = try table.select.firstRow(.integer(run)) { (row) throws(StorageError) in
            try row.bytes(0)
        }
        let place = runs.lowerBound(of: run)
        runs.insert(Run(marks: Self.marks(kept ?? [])), forNew: run, at: place)
        return place
    }

    /// Bytes of another length than a run has say nothing.
    private static func marks(_ bytes: [UInt8]) -> [UInt32] {
        var marks = [UInt32](repeating: 0, count: Int(rows))
        guard bytes.count == 4 * marks.count else { return marks }
        for index in marks.indices {
            marks[index] = bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        return marks
    }
}
