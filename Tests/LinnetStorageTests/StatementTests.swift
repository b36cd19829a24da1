import LinnetStorage
import LinnetWire
import Testing

struct StatementTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func open() throws -> Connection {
        let connection = try Connection.open(path: home.path, vfs: nil)
        try connection.execute("CREATE TABLE t (a, b, c, d)")
        return connection
    }

    @Test func `every kind of value goes in and comes out`() throws {
        let connection = try open()
        let insert = connection.prepare("INSERT INTO t VALUES (?, ?, ?, ?)", place: "t")
        try insert.run(.integer(.min), .bytes([0, 255]), .text("ä\u{1F48A}"), .null)
        try insert.run(.integer(.max), .bytes([]), .text(""), .optional(nil as Int64?))
        let select = connection.prepare("SELECT a, b, c, d FROM t ORDER BY a", place: "t")
        var found: [(Int64, [UInt8], String, Bool)] = []
        try select.forEachRow { (row) throws(StorageError) in
            found.append(
                (try row.integer(0), try row.bytes(1), try row.text(2), row.isNull(3)))
            return true
        }
        #expect(found.map(\.0) == [.min, .max])
        #expect(found.map(\.1) == [[0, 255], []])
        #expect(found.map(\.2) == ["ä\u{1F48A}", ""])
        #expect(found.map(\.3) == [true, true])
    }

    @Test func `parameters do not outlive the run`() throws {
        let connection = try open()
        let select = connection.prepare("SELECT ?1", place: "t")
        _ = try select.firstRow(.bytes([1])) { (row) throws(StorageError) in try row.bytes(0) }
        let again = try select.firstRow { (row) throws(StorageError) in row.isNull(0) }
        #expect(again == true)
    }

    enum Reading: CaseIterable {
        case integerOfBytes, integerOfNull, unsignedOfNegative, bytesOfInteger, bytesOfText
        case threeBytesOfTwo, bytes8OfTwo, bytes16OfTwo, bytes32OfTwo, textOfBytes, textOfNull
        case integerOfNoColumn

        func callAsFunction(_ row: borrowing Statement) throws(StorageError) {
            switch self {
            case .integerOfBytes: _ = try row.integer(1)
            case .integerOfNull: _ = try row.integer(3)
            case .unsignedOfNegative: _ = try row.number(0, as: UInt64.self)
            case .bytesOfInteger: _ = try row.bytes(0)
            case .bytesOfText: _ = try row.bytes(2)
            case .threeBytesOfTwo: _ = try row.bytes(1, count: 3)
            case .bytes8OfTwo: _ = try row.bytes8(1)
            case .bytes16OfTwo: _ = try row.bytes16(1)
            case .bytes32OfTwo: _ = try row.bytes32(1)
            case .textOfBytes: _ = try row.text(1)
            case .textOfNull: _ = try row.text(3)
            case .integerOfNoColumn: _ = try row.integer(99)
            }
        }
    }

    @Test(arguments: Reading.allCases)
    func `a value of another type or size is refused`(_ reading: Reading) throws {
        let connection = try open()
        let select = connection.prepare("SELECT -1, x'0102', 'text', NULL", place: "t")
        let refused = failure { () throws(StorageError) in
            _ = try select.firstRow { (row) throws(StorageError) in try reading(row) }
        }
        #expect(refused == .corrupt(where: "t"))
    }

    @Test func `a walk over rows stops when it is told to`() throws {
        let connection = try open()
        let select = connection.prepare("VALUES (1), (2), (3)", place: "t")
        var found: [Int64] = []
        try select.forEachRow { (row) throws(StorageError) in
            found.append(try row.integer(0))
            return found.count < 2
        }
        #expect(found == [1, 2])
        let none = try select.firstRow { (row) throws(StorageError) in try row.integer(0) }
        #expect(none == 1)
    }

    @Test func `a statement that cannot be prepared says so when it is run`() throws {
        let connection = try open()
        let broken = connection.prepare("SELECT * FROM nowhere", place: "nowhere")
        let refused = failure { () throws(StorageError) in try broken.run() }
        #expect(refused == .corrupt(where: "nowhere"))
    }

    @Test func `a statement is prepared when it is run for the first time`() throws {
        let connection = try open()
        let select = connection.prepare("SELECT n FROM later", place: "later")
        let early = failure { () throws(StorageError) in try select.run() }
        #expect(early == .corrupt(where: "later"))
        try connection.execute("CREATE TABLE later (n INTEGER)")
        try connection.execute("INSERT INTO later VALUES (3)")
        let found = try select.firstRow { (row) throws(StorageError) in try row.integer(0) }
        #expect(found == 3)
    }

    @Test func `using a statement inside itself is our own mistake`() async {
        await #expect(processExitsWith: .failure) {
            let connection = try Connection.open(path: ":memory:", vfs: nil)
            let select = connection.prepare("VALUES (1), (2)", place: "t")
            try select.forEachRow { (_) throws(StorageError) in
                try select.run()
                return true
            }
        }
    }
}
