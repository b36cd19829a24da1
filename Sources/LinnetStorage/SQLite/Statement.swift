internal import CSQLite
package import LinnetWire

/// One value for a parameter of a statement.
package enum Binding {
    /// No value.
    case null
    /// An integer.
    case integer(Int64)
    /// Bytes.
    case bytes([UInt8])
    /// Text.
    case text(String)

    /// The integer, or null when there is none.
    package static func optional(_ value: Int64?) -> Binding { value.map { .integer($0) } ?? .null }

    /// The bytes, or null when there are none.
    package static func optional(_ value: [UInt8]?) -> Binding { value.map { .bytes($0) } ?? .null }
}

/// A statement that is prepared when it is first run, and run many times.
///
/// Parameters live until the run ends, which unbinds them. Most openings run few of the statements
/// that a store has, and preparing all of them took a fifth of one.
@safe
package struct Statement: ~Copyable {
    private let connection: OpaquePointer
    private let sql: String
    /// The table that errors name.
    private let place: String
    /// Holds the prepared statement, or nil until the first run.
    private let prepared: UnsafeMutablePointer<OpaquePointer?>

    /// A statement on a connection, which must outlive it.
    init(_ connection: OpaquePointer, _ sql: String, place: String) {
        unsafe self.connection = unsafe connection
        self.sql = sql
        self.place = place
        unsafe prepared = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe prepared.initialize(to: nil)
    }

    deinit {
        unsafe sqlite3_finalize(handle)
        unsafe prepared.deallocate()
    }

    private var handle: OpaquePointer? { unsafe prepared.pointee }

    /// Runs to the end; rows, if any, are passed over.
    package func run(_ bindings: Binding...) throws(StorageError) { try run(bindings) }

    /// Runs to the end with these parameters; rows, if any, are passed over.
    package func run(_ bindings: [Binding]) throws(StorageError) {
        try bound(bindings) { () throws(StorageError) in
            while try step() {}
        }
    }

    /// Runs until `body` returns false or no row is left.
    package func forEachRow(
        _ bindings: Binding..., body: (borrowing Statement) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try bound(bindings) { () throws(StorageError) in
            while try step() {
                guard try body(self) else { return }
            }
        }
    }

    /// Runs with these parameters until `body` returns false or no row is left.
    func forEachRow(
        _ bindings: [Binding], body: (borrowing Statement) throws(StorageError) -> Bool
    ) throws(StorageError) {
        try bound(bindings) { () throws(StorageError) in
            while try step() {
                guard try body(self) else { return }
            }
        }
    }

    /// Returns what `body` makes of the first row, or nil when there is none.
    package func firstRow<Result>(
        _ bindings: Binding..., body: (borrowing Statement) throws(StorageError) -> Result
    ) throws(StorageError) -> Result? {
        try bound(bindings) { () throws(StorageError) -> Result? in
            try step() ? try body(self) : nil
        }
    }

    private func bound<Result>(
        _ bindings: [Binding], run: () throws(StorageError) -> Result
    ) throws(StorageError) -> Result {
        try prepare()
        precondition(
            unsafe sqlite3_stmt_busy(handle) == 0, "a statement on \(place) was used inside itself")
        defer {
            unsafe sqlite3_reset(handle)
            unsafe sqlite3_clear_bindings(handle)
        }
        for index in bindings.indices {
            try check(bind(bindings[index], at: Int32(truncatingIfNeeded: index + 1)))
        }
        return try run()
    }

    private func prepare() throws(StorageError) {
        guard unsafe handle == nil else { return }
        var made: OpaquePointer?
        try check(
            unsafe sqlite3_prepare_v3(
                connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &made, nil))
        unsafe prepared.pointee = unsafe made
    }

    /// Binds a parameter; bytes are copied, which costs less than holding them in place.
    private func bind(_ binding: Binding, at index: Int32) -> Int32 {
        switch binding {
        case .null:
            return unsafe sqlite3_bind_null(handle, index)
        case .integer(let value):
            return unsafe sqlite3_bind_int64(handle, index, value)
        case .bytes(let bytes) where bytes.isEmpty:
            return unsafe sqlite3_bind_zeroblob(handle, index, 0)
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe sqlite3_bind_blob64(
                    handle, index, buffer.baseAddress, UInt64(buffer.count),
                    csqlite_copied_bytes())
            }
        case .text(var text):
            return text.withUTF8 { utf8 in
                unsafe utf8.withMemoryRebound(to: CChar.self) { text in
                    unsafe sqlite3_bind_text(
                        handle, index, text.baseAddress, Int32(clamping: text.count),
                        csqlite_copied_bytes())
                }
            }
        }
    }

    private func check(_ code: Int32) throws(StorageError) {
        guard code == SQLITE_OK else { throw StorageError(code: code, place: place) }
    }

    private func step() throws(StorageError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw StorageError(code: code, place: place)
        }
    }
}

extension Statement {
    /// The error for a value that cannot have been written by us.
    var corrupt: StorageError { .corrupt(where: place) }

    /// Returns true when the column of the current row holds no value.
    package func isNull(_ column: Int32) -> Bool {
        unsafe sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// The integer in a column of the current row.
    package func integer(_ column: Int32) throws(StorageError) -> Int64 {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_INTEGER else { throw corrupt }
        return unsafe sqlite3_column_int64(handle, column)
    }

    /// The integer in a column of the current row, which must fit `Number`.
    package func number<Number: FixedWidthInteger>(
        _ column: Int32, as type: Number.Type = Number.self
    ) throws(StorageError) -> Number {
        guard let value = Number(exactly: try integer(column)) else { throw corrupt }
        return value
    }

    /// The bytes in a column of the current row.
    package func bytes(_ column: Int32) throws(StorageError) -> [UInt8] {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_BLOB else { throw corrupt }
        guard let start = unsafe sqlite3_column_blob(handle, column) else {
            // An empty value has no address, and neither has one that memory ran out for.
            guard unsafe sqlite3_column_bytes(handle, column) == 0 else { throw .outOfMemory }
            return []
        }
        let count = Int(unsafe sqlite3_column_bytes(handle, column))
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The bytes in a column of the current row, which must number `count`.
    package func bytes(_ column: Int32, count: Int) throws(StorageError) -> [UInt8] {
        let value = try bytes(column)
        guard value.count == count else { throw corrupt }
        return value
    }

    /// The text in a column of the current row.
    package func text(_ column: Int32) throws(StorageError) -> String {
        guard unsafe sqlite3_column_type(handle, column) == SQLITE_TEXT,
            let start = unsafe sqlite3_column_text(handle, column)
        else { throw corrupt }
        return unsafe String(cString: start)
    }

    /// The 8 bytes in a column of the current row.
    package func bytes8(_ column: Int32) throws(StorageError) -> Bytes8 {
        guard let value = Bytes8(try bytes(column)) else { throw corrupt }
        return value
    }

    /// The 16 bytes in a column of the current row.
    package func bytes16(_ column: Int32) throws(StorageError) -> Bytes16 {
        guard let value = Bytes16(try bytes(column)) else { throw corrupt }
        return value
    }

    /// The 32 bytes in a column of the current row.
    package func bytes32(_ column: Int32) throws(StorageError) -> Bytes32 {
        guard let value = Bytes32(try bytes(column)) else { throw corrupt }
        return value
    }
}
