import LinnetCRDT
import LinnetWire
import Testing

@Suite struct OperationTests {
    @Test(arguments: 0..<50) func `an op is read again as it was written`(seed: Int) throws {
        var seeded = Seeded(seed)
        for _ in 0..<20 {
            let operation = try seeded.operation()
            #expect(operation.encodedCount == operation.encoded.count)
            var reader = CBORReader(operation.encoded)
            #expect(try Operation(from: &reader) == operation)
            try reader.finish()
        }
    }

    @Test(arguments: 0..<50)
    func `damaged bytes are refused or say the same when written again`(seed: Int) throws {
        var seeded = Seeded(seed)
        for _ in 0..<40 {
            let bytes = seeded.mutation(of: try seeded.operation().encoded)
            var reader = CBORReader(bytes)
            if let operation = try? Operation(from: &reader) {
                #expect(operation.encoded == Array(bytes[..<reader.offset]))
            }
        }
    }

    @Test func `the bytes never change`() throws {
        let record = try #require(RecordID("m1"))
        let name = try Collection.sample.field(named: "name")
        let set = Operation(
            collection: 1_000, record: record, generation: 1, field: name.id, kind: 1,
            stampDelta: 2, payload: try name.payload(of: [.text("A")]))
        #expect(Hex.encode(set.encoded) == "87" + "1903e8" + "626d31" + "01010102" + "6141")
        let delete = Operation.record(
            .recordDelete, collection: 1_000, record: record, generation: 2, stampDelta: 0)
        #expect(Hex.encode(delete.encoded) == "87" + "1903e8" + "626d31" + "02000d00" + "80")
        let dosage = try Collection.sample.field(named: "dosage")
        let group = Operation(
            collection: 1_000, record: record, generation: 1, field: dosage.id, kind: 2,
            stampDelta: 0, payload: try dosage.payload(of: [.decimal(.zero), .text("mg")]))
        #expect(
            Hex.encode(group.encoded)
                == "87" + "1903e8" + "626d31" + "01030200" + "82" + "83010000" + "626d67")
    }

    @Test(arguments: [
        ("86 00 6161 01010100", WireError.badLength),
        ("87 00 60 01010100 f6", .badText),
        ("87 00 6101 01010100 f6", .badText),
        ("87 1b0000000100000000 6161 01010100 f6", .tooLarge),
        ("87 00 6161 0101 190100 00 f6", .tooLarge),
        ("87 00 6161 01010100 ff", .unexpectedType),
        ("87 00 6161 01010100", .truncated),
        ("87 00 6161 01010100 a201000100", .nonCanonical),
    ])
    func `an op out of its ranges is refused`(encoded: String, error: WireError) throws {
        let bytes = try #require(Hex.decode(encoded.filter { $0 != " " }))
        #expect(throws: CRDTError.wire(error)) {
            var reader = CBORReader(bytes)
            return try Operation(from: &reader)
        }
    }

    @Test func `a record identifier of 65 bytes is refused`() {
        let name = [UInt8](repeating: 0x61, count: 65)
        let bytes = [0x87, 0x00, 0x78, 0x41] + name + [0x01, 0x01, 0x01, 0x00, 0xf6]
        #expect(throws: CRDTError.wire(.tooLarge)) {
            var reader = CBORReader(bytes)
            return try Operation(from: &reader)
        }
    }

    @Test func `an op of an unknown kind keeps its payload byte by byte`() throws {
        let payload = try #require(Hex.decode("a30001182a83f5f4f6616b8100"))
        var operation = try #require(try? Seeded.blank(kind: 200))
        operation.payload = payload
        var reader = CBORReader(operation.encoded)
        let again = try Operation(from: &reader)
        #expect(again.payload == payload && again.malformation == nil && again.hasGoodPayload)
    }

    @Test func `only a delete or a restore is an op on a whole record`() async throws {
        await #expect(processExitsWith: .failure) {
            let record = try #require(RecordID("r"))
            _ = Operation.record(
                .lwwSet, collection: 1, record: record, generation: 1, stampDelta: 0)
        }
    }
}

extension Seeded {
    /// An op without content.
    static func blank(kind: UInt8) throws -> LinnetCRDT.Operation {
        Operation(
            collection: 2_000, record: try #require(RecordID("r")), generation: 1, field: 1,
            kind: kind, stampDelta: 0, payload: [0xf6])
    }

    /// An op with random numbers, some of an unknown kind, and any value as its payload.
    mutating func operation() throws -> LinnetCRDT.Operation {
        var operation = try Seeded.blank(kind: UInt8(below(256)))
        operation.collection = UInt32(truncatingIfNeeded: number())
        let name = String(repeating: "é", count: 1 + below(32))
        operation.record = try #require(RecordID(name))
        operation.generation = UInt32(truncatingIfNeeded: number())
        operation.field = UInt32(truncatingIfNeeded: number())
        operation.stampDelta = number()
        operation.payload = try value(depth: 3).encoded()
        return operation
    }
}
