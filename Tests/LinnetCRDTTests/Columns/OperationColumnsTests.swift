import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct OperationColumnsTests {
    private func read(_ bytes: [UInt8]) throws -> [LinnetCRDT.Operation] {
        var reader = ColumnReader(bytes, allowance: Limits.batchBodyBytes)
        let operations = try OperationColumns.read(from: &reader)
        guard reader.isAtEnd else { throw WireError.trailingBytes }
        return Array(operations)
    }

    private func written(_ operations: [LinnetCRDT.Operation]) -> [UInt8] {
        var writer = ColumnWriter()
        OperationColumns.write(Operations(operations), to: &writer)
        return writer.bytes
    }

    @Test(arguments: 0..<200)
    func `operations of every kind and in any order are read as they were`(seed: Int) throws {
        var seeded = Seeded(seed)
        let operations = try seeded.mixedOperations(seeded.below(120))
        #expect(try read(written(operations)) == operations)
    }

    @Test(arguments: 0..<30)
    func `damaged columns are refused, or hold operations that are written again`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let bytes = written(try seeded.mixedOperations(1 + seeded.below(60)))
        for _ in 0..<80 {
            guard let operations = try? read(seeded.mutation(of: bytes)) else { continue }
            #expect(operations.count <= Limits.operationsPerBatch)
            #expect(try read(written(operations)) == operations)
        }
    }

    @Test func `a long record in every operation is refused before it is made`() {
        var writer = ColumnWriter()
        writer.varint(4_096)
        writer.varint(1)
        for value: UInt64 in [2_000, 1, 1, 1, 0, 0] {
            IntegerColumn.write([value, value], to: &writer)
        }
        writer.append([0, 0x80, 0x80, 4])
        writer.append([UInt8](repeating: 0x61, count: 65_536)[...])
        #expect(throws: CRDTError.wire(.tooLarge)) { try read(writer.bytes) }
    }

    @Test func `more operations than a batch holds are refused`() {
        var writer = ColumnWriter()
        writer.varint(Limits.operationsPerBatch + 1)
        #expect(throws: CRDTError.batchTooLarge) { try read(writer.bytes) }
    }

    @Test func `a shape without operations is refused`() throws {
        let operation = try Seeded.operation(field: 1, .int(1))
        let bytes = written([operation])
        // One operation, one shape: the second number says how many shapes there are.
        #expect(bytes[..<2] == [1, 1])
        #expect(throws: CRDTError.self) { try read([1, 2] + bytes[2...]) }
        #expect(throws: CRDTError.self) { try read([1, 0] + bytes[2...]) }
        #expect(try read([0]).isEmpty)
    }

    @Test func `a hundred cells of one kind of record take few bytes`() throws {
        var seeded = Seeded(7)
        let operations = try (0..<100).map { _ in
            let record = "med-0000" + String(1_000 + seeded.below(9_000))
            return try Seeded.operation(
                record: record, field: 7, .text("take with food " + seeded.hexadecimal(8)))
        }
        // Two bytes name a record of 9,000, four are the digits of each text; the rest is shared.
        #expect(written(operations).count < 100 * (2 + 4) + 60)
        #expect(try read(written(operations)) == operations)
    }
}

extension Seeded {
    static func operation(
        record: String = "med-00000001", collection: UInt32 = 2_000, generation: UInt32 = 1,
        field: UInt32, kind: UInt8 = 1, stampDelta: UInt64 = 0, _ value: Value
    ) throws -> LinnetCRDT.Operation {
        let id = try #require(RecordID(record))
        return LinnetCRDT.Operation(
            collection: collection, record: id, generation: generation, field: field, kind: kind,
            stampDelta: stampDelta, payload: try value.encoded())
    }

    mutating func hexadecimal(_ count: Int) -> String {
        String((0..<count).map { _ in Character(String(below(16), radix: 16)) })
    }

    /// Operations as applications make them: several collections, fields of one type each, some
    /// with values of other types among them.
    mutating func mixedOperations(_ count: Int) throws -> [LinnetCRDT.Operation] {
        let style = below(4)
        return try (0..<count).map { index in
            let field = below(9)
            let value = try fieldValue(below(40) == 0 ? below(10) : field)
            let record: String =
                switch style {
                case 0: "med-" + String(10_000_000 + index / 8)
                case 1: "med-" + String(10_000_000 + below(500))
                case 2: hexadecimal(8) + "-" + hexadecimal(4)
                default: "é" + String(number() % 1_000)
                }
            return try Seeded.operation(
                record: record, collection: below(30) == 0 ? UInt32.max : 2_000,
                generation: below(50) == 0 ? UInt32(truncatingIfNeeded: number()) : 1,
                field: UInt32(field), kind: UInt8(1 + field),
                stampDelta: below(20) == 0 ? number() : 0, value)
        }
    }

    private mutating func fieldValue(_ field: Int) throws -> Value {
        switch field {
        case 0: return .text("Medication " + String(100_000 + below(900_000)))
        case 1:
            return .decimal(
                try #require(
                    Decimal64(mantissa: Int64(below(4_000)) * 25 - 9, exponent: Int8(below(5) - 2)))
            )
        case 2: return .text(["mg", "ml", "IU", "mcg", ""][below(5)])
        case 3: return .bool(below(2) == 1)
        case 4: return .instant(Int64(bitPattern: number()))
        case 5: return .int(Int64(bitPattern: number()))
        case 6: return .text("take " + hexadecimal(8) + ["", "ü", "🦊"][below(3)])
        case 7: return .double(Double(below(4_000)) / 4 - 100)
        case 8: return .date(Int64(below(40_000)) - 9)
        default: return .list([.null, .bytes(bytes(below(30))), .int(4)])
        }
    }
}
