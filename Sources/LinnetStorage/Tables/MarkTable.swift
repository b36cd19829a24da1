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
/// Marks of a run of rows lie together and are written once a transaction, with a bit for each row
/// that says whether its record was live when it was written.
struct RowMarks {
    /// The marks of a run of rows, by their place in it; 0 where none is known.
    private struct Run {
        var marks: [UInt32]
        /// Bits by the place of the row, the lowest of each word first.
        var live: [UInt32]
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

    /// Returns true when a row was live when it was written last.
    mutating func isLive(
        row number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) -> Bool {
        let place = try place(ofRow: number, in: table)
        let index = Self.index(number)
        return runs[position: place].live[index >> 5] & 1 << UInt32(index & 31) != 0
    }

    /// Notes the mark of a row that is written; nil for one that is taken away. Returns true when
    /// the row was live before.
    @discardableResult
    mutating func set(
        _ mark: UInt32?, isLive: Bool, ofRow number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) -> Bool {
        let place = try place(ofRow: number, in: table)
        runs[position: place].marks[Self.index(number)] = mark ?? 0
        return setLive(isLive, row: number, at: place)
    }

    /// Notes whether a row is live, and returns what was noted before.
    @discardableResult
    mutating func setLive(
        _ isLive: Bool, row number: Int64, in table: borrowing MarkTable
    ) throws(StorageError) -> Bool {
        setLive(isLive, row: number, at: try place(ofRow: number, in: table))
    }

    private mutating func setLive(_ isLive: Bool, row number: Int64, at place: Int) -> Bool {
        let index = Self.index(number)
        let bit = UInt32(1) << UInt32(index & 31)
        let wasLive = runs[position: place].live[index >> 5] & bit != 0
        if isLive {
            runs[position: place].live[index >> 5] |= bit
        } else {
            runs[position: place].live[index >> 5] &= ~bit
        }
        if !runs[position: place].isChanged { changed += 1 }
        runs[position: place].isChanged = true
        return wasLive
    }

    /// Writes the marks that changed; before the end of the transaction.
    mutating func save(in table: borrowing MarkTable) throws(StorageError) {
        guard changed > 0 else { return }
        for place in 0..<runs.count where runs[position: place].isChanged {
            let run = runs[position: place]
            let bytes = Self.bytes(run.marks + run.live)
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
        runs.insert(Self.run(kept ?? []), forNew: run, at: place)
        return place
    }

    /// The marks of a run as they are kept, in one piece: all of them are written when one changes.
    private static func bytes(_ marks: [UInt32]) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 4 * marks.count) { target, count in
            let raw = UnsafeMutableRawBufferPointer(target)
            for (index, mark) in marks.enumerated() {
                unsafe raw.storeBytes(of: mark.bigEndian, toByteOffset: 4 * index, as: UInt32.self)
            }
            count = 4 * marks.count
        }
    }

    /// Bytes of another length than a run has say nothing; files of version 4 had no bits.
    private static func run(_ bytes: [UInt8]) -> Run {
        let (marks, live) = (Int(rows), Int(rows) / 32)
        var words = [UInt32](repeating: 0, count: marks + live)
        if bytes.count == 4 * marks || bytes.count == 4 * (marks + live) {
            for index in 0..<bytes.count / 4 {
                words[index] = bytes[4 * index..<4 * index + 4].reduce(0) { $0 << 8 | UInt32($1) }
            }
        }
        return Run(marks: Array(words[..<marks]), live: Array(words[marks...]))
    }
}
