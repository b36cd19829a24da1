import CBench
import LinnetCRDT
import LinnetReplication
import LinnetWire

/// The workloads' streams as Linnet's values, and the collection that they are written to.
enum BenchStream {
    static let collection: UInt32 = 2_000

    /// The field of a page that is a text which many edit.
    static let text: UInt32 = 1

    /// The record of the text that is edited often.
    static func page() throws -> RecordKey {
        RecordKey(collection: collection + 1, record: try record(0))
    }

    /// The doses of the streams are quarters: exact decimals.
    static func schema() throws -> Schema {
        let fields: [(String, ValueType)] = [
            ("name", .text), ("dose", .decimal), ("unit", .text), ("taken", .bool),
            ("schedule", .text), ("quantity", .int), ("notes", .text), ("updated_by", .text),
        ]
        return try Schema(
            version: 1,
            collections: [
                Collection(
                    id: collection, name: "med", scope: "meds",
                    fields: fields.enumerated().map { index, field in
                        Field(id: UInt32(index + 1), name: field.0, type: field.1)
                    }),
                Collection(
                    id: collection + 1, name: "page", scope: "meds",
                    fields: [Field(id: text, name: "text", kind: .text)]),
            ])
    }

    static func record(_ number: Int) throws -> RecordID {
        var buffer = [CChar](repeating: 0, count: 24)
        let count = unsafe Int(bench_record_id(&buffer, UInt64(number)))
        let bytes = buffer.prefix(count).map(UInt8.init(bitPattern:))
        let text = String(decoding: bytes, as: UTF8.self)
        guard let id = RecordID(text) else { throw BenchError("no identifier \(text)") }
        return id
    }

    static func value(_ field: Int, _ number: UInt64) throws -> Value {
        try value(field, bench_make_value(Int32(field), number))
    }

    static func seed(_ record: Int, _ field: Int) throws -> Value {
        try value(field, bench_seed_value(UInt64(record), Int32(field)))
    }

    private static func value(_ field: Int, _ made: bench_value) throws -> Value {
        switch made.type {
        case Int32(BENCH_INTEGER): return field == 3 ? .bool(made.integer == 1) : .int(made.integer)
        case Int32(BENCH_REAL):
            guard let dose = Decimal64(mantissa: Int64(made.real * 100), exponent: -2) else {
                throw BenchError("no decimal \(made.real)")
            }
            return .decimal(dose)
        default:
            return .text(
                unsafe withUnsafePointer(to: made) { unsafe String(cString: bench_value_text($0)) })
        }
    }

    static func next(_ state: inout UInt64) -> UInt64 {
        unsafe bench_splitmix(&state)
    }

    static func permutation(_ count: Int, seed: UInt64) -> [UInt32] {
        var cells = [UInt32](repeating: 0, count: count)
        if count > 0 { unsafe bench_permutation(&cells, UInt32(count), seed) }
        return cells
    }

    /// The writes of one transaction of a seeded store.
    static func seedWrites(from first: Int, records: Int) throws -> [Write] {
        try (first..<min(first + BenchScale.seededRecords, records)).map { record in
            .set(
                collection: collection, record: try self.record(record),
                fields: try (0..<BenchScale.fields).map { field in
                    FieldWrite(UInt32(field + 1), try seed(record, field))
                })
        }
    }

    static func write(cell: Int, _ number: UInt64) throws -> Write {
        let field = cell % BenchScale.fields
        return .set(
            collection: collection, record: try record(cell / BenchScale.fields),
            fields: [FieldWrite(UInt32(field + 1), try value(field, number))])
    }
}

/// The random updates of the first workload.
struct RandomUpdates {
    private var state: UInt64 = 1
    let records: Int

    init(records: Int) { self.records = records }

    /// The next cell, and the number that its value is made of.
    mutating func next() -> (cell: Int, number: UInt64) {
        let x = BenchStream.next(&state)
        let cell = Int(x % UInt64(records)) * BenchScale.fields + Int((x >> 32) % 8)
        return (cell, BenchStream.next(&state))
    }
}

/// The contents that a cell may have when a workload is over: one of the numbers, or its seed.
struct Expectation {
    private var allowed: [[UInt64]]

    init(records: Int) {
        allowed = [[UInt64]](repeating: [], count: records * BenchScale.fields)
    }

    /// The last write of one writer.
    mutating func set(cell: Int, _ number: UInt64) { allowed[cell] = [number] }

    /// One of two concurrent writes.
    mutating func allow(cell: Int, _ number: UInt64) { allowed[cell].append(number) }

    /// Throws unless a replica shows every cell as it may be, and nothing else.
    func check(_ home: BenchHome) throws {
        let views = try home.views()
        let count = allowed.count / BenchScale.fields
        try require(views.count == count, "\(views.count) records instead of \(count)")
        for (record, view) in views.enumerated() {
            let id = try BenchStream.record(record)
            try require(view.id == id, "record \(view.id) instead of \(id)")
            try require(view.fields.count == BenchScale.fields, "a field of \(id) is missing")
            for (field, shown) in view.fields.enumerated() {
                let numbers = allowed[record * BenchScale.fields + field]
                let expected =
                    numbers.isEmpty
                    ? [try BenchStream.seed(record, field)]
                    : try numbers.map { try BenchStream.value(field, $0) }
                let isRight =
                    shown.field == UInt32(field + 1) && shown.values.count == 1
                    && expected.contains(shown.values[0])
                try require(
                    isRight, "\(id) field \(field + 1) is \(shown.values), not \(expected)")
            }
        }
    }
}
