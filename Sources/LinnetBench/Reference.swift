import CBench

/// One of the stores without Linnet, for one measurement.
@safe final class Reference {
    enum Kind: CaseIterable {
        case rows
        case cells

        var name: String { self == .rows ? BenchReport.rows : BenchReport.cells }
        var number: Int32 { Int32(self == .rows ? BENCH_ROWS : BENCH_CELLS) }
    }

    /// Changes on their way from one reference to another.
    @safe final class Message {
        fileprivate var raw: bench_message
        fileprivate init(_ raw: bench_message) { unsafe self.raw = raw }
        deinit { unsafe bench_message_free(&raw) }

        var count: Int { unsafe Int(raw.count) }
    }

    let path: String
    private let raw: OpaquePointer

    init(
        _ kind: Kind, at path: String, creating: Bool = true, site: Int32 = 1, full: Bool = false
    ) throws {
        let opened = unsafe bench_reference_open(
            kind.number, path, creating ? 1 : 0, site, full ? 1 : 0)
        guard let opened = unsafe opened else { throw BenchError("\(kind.name) did not open") }
        unsafe raw = opened
        self.path = path
    }

    deinit { unsafe bench_reference_close(raw) }

    /// Throws if anything failed since the opening.
    func check() throws {
        try require(unsafe bench_reference_failed(raw) == 0, "a reference failed: \(path)")
    }

    func checkpoint() { unsafe bench_reference_checkpoint(raw) }
    func seed(_ records: Int) { unsafe bench_reference_seed(raw, UInt64(records)) }

    func updateAtRandom(records: Int, count: Int) {
        unsafe bench_reference_random(
            raw, UInt64(records), Int32(count), Int32(BenchScale.transaction))
    }

    func update(_ cells: ArraySlice<UInt32>, seed: UInt64, transaction: Int) {
        let cells = Array(cells)
        unsafe bench_reference_update(raw, cells, Int32(cells.count), seed, Int32(transaction))
    }

    var version: Int64 { unsafe bench_reference_version(raw) }

    /// Lets the clock of another stand right after this one.
    func meet(_ other: Reference) { unsafe bench_reference_meet(raw, other.raw) }

    func encode(since: Int64 = 0, upTo: Int64 = .max) -> Message {
        unsafe Message(bench_reference_encode(raw, since, upTo))
    }

    func apply(_ message: Message) { unsafe bench_reference_apply(raw, &message.raw) }

    func values(of record: Int) -> Int { unsafe Int(bench_reference_read(raw, UInt64(record))) }

    /// The number of records.
    func count() -> Int { unsafe Int(bench_reference_count(raw)) }

    /// Reads every record, and returns how many there are.
    func scan() -> Int { Int(digest.1) }

    /// The bytes of the database, all of it moved there.
    func size() -> Double {
        checkpoint()
        return BenchFiles.size(path)
    }

    private var digest: (UInt64, Int64) {
        var rows: Int64 = 0
        let hash = unsafe bench_reference_digest(raw, &rows)
        return (hash, rows)
    }

    /// Throws unless both hold the same values, and some.
    func checkEqual(_ other: Reference) throws {
        try check()
        try other.check()
        let (left, right) = (digest, other.digest)
        try require(left == right && left.1 > 0, "the references differ: \(path)")
    }
}
