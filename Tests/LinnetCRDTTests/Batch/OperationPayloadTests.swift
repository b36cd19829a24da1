import LinnetCRDT
import LinnetWire
import Testing

/// What the payload of every kind of op may be, and what comes of all else.
@Suite struct OperationPayloadTests {
    private static let chain = "50" + String(repeating: "07", count: 16)
    private static let place = "83" + chain + "0100"
    private static let next = "83" + chain + "0101"

    /// A collection in which each kind of op has a field: kind, field, generation, good payload.
    private static let good: [(OperationKind, UInt32, UInt32, String)] = [
        (.lwwSet, 1, 1, "6161"), (.groupSet, 2, 1, "82830105" + "20" + "6161"),
        (.mvSet, 3, 1, "826161" + "81" + place), (.tallyEntry, 4, 1, "83616b01" + "81" + place),
        (.tallyBase, 4, 1, "8201" + "81" + place), (.setAdd, 5, 1, "826161" + "80"),
        (.setRemove, 5, 1, "826161" + "82" + place + next),
        (.textInsert, 6, 1, "83" + "84" + chain + "010000" + "00" + "6161"),
        (.textCopy, 6, 1, "82" + chain + "83f6016161"),
        (.textDelete, 6, 1, "81" + "85" + chain + "01000001"), (.orderMove, 7, 1, "6156"),
        (.recordDelete, 0, 2, "81" + place), (.recordRestore, 0, 3, "80"),
        (.maxSet, 9, 1, "01"), (.minSet, 10, 1, "820301"),
        (.fileSet, 11, 1, "f6"), (.fileSet, 11, 1, file + "0040"),
    ]

    private static let bad: [(OperationKind, [String])] = [
        (.lwwSet, ["a0", "01", "8203f6", "f7", "ff", "", "6161f6", "61"]),
        (.groupSet, ["f6", "80", "81f6", "83f6f6f6", "8201f6", "a0"]),
        (
            .mvSet,
            [
                "f6", "80", "81f6", "82f6f6", "83f68080", "82a080", "820180",
                "82f6" + "82" + place + place, "82f6" + "82" + next + place, "82f6" + "8183",
                "82f6" + "81" + "82" + chain + "01", "82f6" + "818341070100", "9ff680ff",
            ]
        ),
        (
            .tallyEntry,
            [
                "f6", "83600180", "83610a0180", "836100" + "0180", "83616b" + "61" + "3180",
                "83616bf680", "83616b" + "83010100" + "80", "83616b" + "830105" + "20" + "80",
                "83616b01f6", "83616b01" + "82" + place + place, "830101" + "80",
                "83" + "7841" + String(repeating: "61", count: 65) + "0180",
                "83616b" + "1bffffffffffffffff" + "80",
            ]
        ),
        (
            .tallyBase,
            ["f6", "8201f6", "82f680", "82" + "6161" + "80", "8201" + "82" + place + next, "8101"]
        ),
        (.setAdd, ["f6", "820180", "8261" + "61f6", "82616181" + "f6", "82a080"]),
        (.setRemove, ["f6", "820180", "826161" + "82" + next + place, "8161" + "61"]),
        (
            .textInsert,
            [
                "f6", "83f60161", "83f6006161", "83f60160", "83f6026161", "83" + place + "006161",
                "83f60141" + "61", "83f6016161" + "f6",
                "83" + "84" + chain + "0100" + "1b0000000100000000" + "006161",
            ]
        ),
        (
            .textCopy,
            [
                "f6", "82" + chain + "f6", "81" + chain, "8241078" + "3f6016161",
                "82" + chain + "83f6006161", "82" + chain + "83f6016161f6",
                "83" + chain + "83f6016161" + "00",
            ]
        ),
        (
            .textDelete,
            [
                "f6", "80", "81" + "85" + chain + "01000000", "81" + "84" + chain + "010000",
                "82" + "85" + chain + "01000001" + "85" + chain + "01000101",
                "82" + "85" + chain + "01000101" + "85" + chain + "01000001",
                "81" + "85" + chain + "0100" + "1affffffff" + "02",
            ]
        ),
        (.orderMove, ["01", "a0", "4161", "82f6f6"]),
        (.recordDelete, ["f6", "81f6", "82" + place + next, "81" + "83" + chain + "0100f6", "a0"]),
        (.recordRestore, ["f6", "81" + place, "01"]),
        (.maxSet, ["6161", "4161", "8200", "a0", "f7", "", "0101"]),
        (.minSet, ["6161", "4161", "8200", "a0", "f7", "", "0101"]),
        (
            .fileSet,
            ["6161", "4161", "8200", "a0", "f7", "", "0101", file + "0240", file + "004101", file]
        ),
    ]

    /// An empty file without its depth and its chunks.
    private static let file =
        "8800" + "6161" + "60" + "00" + "5820" + String(repeating: "07", count: 32) + "5820"
        + String(repeating: "08", count: 32)

    private static func operation(
        _ kind: OperationKind, _ field: UInt32, _ generation: UInt32, _ payload: [UInt8]
    ) throws -> LinnetCRDT.Operation {
        Operation(
            collection: 2_000, record: try #require(RecordID("r")), generation: generation,
            field: field, kind: kind.rawValue, stampDelta: 0, payload: payload)
    }

    private static func schema() throws -> Schema {
        try Schema(version: 1, collections: [RecordDesk.records(), RecordDesk.log])
    }

    /// What the merge makes of an op; nil when it sets it aside.
    private static func state(after operation: LinnetCRDT.Operation) throws -> RecordState? {
        var state = RecordState(collection: operation.collection, record: operation.record)
        let position = Position(chain: Bytes16(repeating: 9), seq: 1, index: 0)
        let before = state
        switch state.apply(operation, stamp: .ceiling, at: position) {
        case .won, .lost: return state
        case .quarantined:
            #expect(state == before)
            return nil
        case .unknownKind:
            Issue.record("the kind is known")
            return nil
        }
    }

    @Test func `the payloads of all kinds are admitted and merge`() throws {
        for (kind, field, generation, hex) in OperationPayloadTests.good {
            let payload = try #require(Hex.decode(hex))
            let operation = try OperationPayloadTests.operation(kind, field, generation, payload)
            #expect(operation.hasGoodPayload, "\(kind)")
            let admission = try OperationPayloadTests.schema().admission(of: operation)
            #expect(admission == .admitted, "\(kind)")
            #expect(try OperationPayloadTests.state(after: operation) != nil, "\(kind)")
        }
        let kinds = OperationPayloadTests.good.map(\.0) + [.logInsert, .textMark]
        #expect(Set(kinds) == Set(OperationKind.allCases))
    }

    @Test func `what is malformed is set aside and never merges`() throws {
        for (kind, payloads) in OperationPayloadTests.bad {
            let (_, field, generation, _) = try #require(
                OperationPayloadTests.good.first { $0.0 == kind })
            for hex in payloads {
                let payload = try #require(Hex.decode(hex))
                let operation = try OperationPayloadTests.operation(
                    kind, field, generation, payload)
                let admission = try OperationPayloadTests.schema().admission(of: operation)
                #expect(admission == .quarantined(.badPayload), "\(kind) \(hex)")
            }
        }
    }

    @Test func `a payload above the limit of a value is set aside`() throws {
        let long = [UInt8](repeating: 0x61, count: Limits.valueBytes)
        let item = [0x7a, 0x00, 0x01, 0x00, 0x00] + long
        for (kind, field, prefix, suffix) in [
            (.lwwSet, 1, [], []), (.mvSet, 3, [0x82], [0x80]), (.setAdd, 5, [0x82], [0x80]),
            (.setRemove, 5, [0x82], [0x80]), (.orderMove, 7, [], []),
            (.textInsert, 6, [0x83, 0xf6, 0x01], []), (.groupSet, 2, [0x82, 0xf6], []),
        ] as [(OperationKind, UInt32, [UInt8], [UInt8])] {
            let operation = try OperationPayloadTests.operation(
                kind, field, 1, prefix + item + suffix)
            #expect(
                try OperationPayloadTests.schema().admission(of: operation)
                    == .quarantined(.badPayload))
            #expect(try OperationPayloadTests.state(after: operation) == nil)
        }
    }

    @Test(arguments: 0..<60) func `changed payloads never trap, and what is admitted merges`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let schema = try OperationPayloadTests.schema()
        for (kind, field, generation, hex) in OperationPayloadTests.good {
            let payload = try #require(Hex.decode(hex))
            for _ in 0..<20 {
                let operation = try OperationPayloadTests.operation(
                    kind, field, generation, seeded.mutation(of: payload))
                let state = try OperationPayloadTests.state(after: operation)
                if schema.admission(of: operation) == .admitted { #expect(state != nil) }
                if !operation.hasGoodPayload { #expect(state == nil) }
                guard let state else { continue }
                let again = try RecordState.decode(
                    state.encoded, collection: 2_000, record: state.record)
                #expect(again == state)
            }
        }
    }

    @Test func `a record of a log is a list of its fields, ascending, in its first life`() throws {
        func admission(_ hex: String, generation: UInt32 = 1) throws -> Admission {
            let payload = try #require(Hex.decode(hex))
            return try OperationPayloadTests.schema().admission(
                of: Operation(
                    collection: 2_001, record: try #require(RecordID("r")),
                    generation: generation, field: 0, kind: OperationKind.logInsert.rawValue,
                    stampDelta: 0, payload: payload))
        }
        for hex in ["80", "8182016161", "82" + "82016161" + "820282f6f6", "81820901", "818209a0"] {
            #expect(try admission(hex) == .admitted, "\(hex)")
        }
        for hex in [
            "f6", "818100", "81820061" + "61", "82" + "82016161" + "82016161",
            "82" + "820282f6f6" + "82016161", "81820101", "818202f6", "81820281f6", "8182016161f6",
        ] {
            #expect(try admission(hex) == .quarantined(.badPayload), "\(hex)")
        }
        #expect(try admission("80", generation: 3) == .quarantined(.badGeneration))
        #expect(LogCell.encode([]) == [0x80])
    }

    @Test func `a log admits nothing but records, and a collection of records none of them`() throws
    {
        let schema = try OperationPayloadTests.schema()
        for (kind, field, generation, hex) in OperationPayloadTests.good {
            var operation = try OperationPayloadTests.operation(
                kind, field, generation, try #require(Hex.decode(hex)))
            operation.collection = 2_001
            #expect(schema.admission(of: operation) == .quarantined(.immutable))
        }
        let insert = Operation.record(
            .logInsert, collection: 2_000, record: try #require(RecordID("r")), generation: 1,
            stampDelta: 0)
        #expect(schema.admission(of: insert) == .quarantined(.immutable))
    }

    @Test func `what is never deleted admits its first life alone`() throws {
        let schema = try Schema(version: 1, collections: [RecordDesk.records(.neverDelete)])
        for (kind, field, generation, hex) in OperationPayloadTests.good {
            let payload = try #require(Hex.decode(hex))
            let operation = try OperationPayloadTests.operation(kind, field, generation, payload)
            let expected: Admission = field == 0 ? .quarantined(.immutable) : .admitted
            #expect(schema.admission(of: operation) == expected)
            if field == 0 { continue }
            let later = try OperationPayloadTests.operation(kind, field, 3, payload)
            #expect(schema.admission(of: later) == .quarantined(.immutable))
        }
    }

    @Test func `an amount has one form`() throws {
        for (text, hex) in [
            ("3", "03"), ("30", "181e"), ("-1", "20"), ("0.5", "830105" + "20"),
            ("9223372036854775807", "1b7fffffffffffffff"),
        ] {
            let amount = try #require(Decimal64(parsing: text))
            #expect(Hex.encode(amount.encodedAmount) == hex)
            let entry = TallyEntryPayload(key: "k", amount: amount, observed: [])
            #expect(try TallyEntryPayload(decoding: entry.payload) == entry)
            let base = TallyBasePayload(amount: amount, context: CausalContext())
            #expect(try TallyBasePayload(decoding: base.payload) == base)
        }
        let large = try #require(Decimal64(mantissa: 1, exponent: 30))
        #expect(large.whole == nil && large.encodedAmount.first == 0x83)
        #expect(Decimal64(mantissa: 25, exponent: 2)?.whole == 2_500)
    }

    @Test func `an integer field sets fractions aside`() throws {
        let half = try #require(Decimal64(parsing: "0.5"))
        let entry = TallyEntryPayload(key: "k", amount: half, observed: []).payload
        let base = TallyBasePayload(amount: half, context: CausalContext()).payload
        let schema = try OperationPayloadTests.schema()
        for (kind, payload) in [(.tallyEntry, entry), (.tallyBase, base)]
            as [(OperationKind, [UInt8])]
        {
            let stock = try OperationPayloadTests.operation(kind, 4, 1, payload)
            #expect(schema.admission(of: stock) == .quarantined(.badPayload))
            let weight = try OperationPayloadTests.operation(kind, 8, 1, payload)
            #expect(schema.admission(of: weight) == .admitted)
        }
    }
}
