import LinnetCRDT
import LinnetWire
import Testing

@Suite struct ExtremeTests {
    private static let values: [Value] = [
        .null, .int(-3), .int(0), .int(7), .int(.min), .int(.max),
    ]

    private static func model(_ end: Extreme.End) -> KindModel<Value, Extreme?, [UInt8]?> {
        KindModel(
            empty: nil,
            write: { _, _, seeded in values[seeded.below(values.count)] },
            apply: { state, op in
                guard let payload = try? op.op.encoded(),
                    let written = Extreme(
                        end, payload: payload, stamp: op.stamp, position: op.position)
                else { return false }
                return merge(&state, written)
            },
            merge: { state, other in if let other { _ = merge(&state, other) } },
            join: { state, other in if let other { _ = merge(&state, other) } },
            seen: { $0?.payload },
            fold: { ops in
                let numbers = ops.compactMap { op -> Int64? in
                    if case .int(let number) = op.op { number } else { nil }
                }
                let last = end == .largest ? numbers.max() : numbers.min()
                return ops.isEmpty ? nil : try? last.map(Value.int)?.encoded() ?? [0xf6]
            },
            collectChains: { state, chains in state?.collectChains(into: &chains) },
            encode: { state, writer, chains in
                if let state { state.write(to: &writer, chains: chains) } else { writer.null() }
            },
            decode: { reader, chains throws(WireError) in
                guard try reader.peek() == .null else {
                    return try Extreme(from: &reader, chains: chains)
                }
                try reader.null()
                return nil
            })
    }

    private static func merge(_ state: inout Extreme?, _ other: Extreme) -> Bool {
        guard var known = state else {
            state = other
            return true
        }
        let isNews = known.merge(other)
        state = known
        return isNews
    }

    @Test(arguments: 0..<80) func `every law holds in a random history`(seed: Int) {
        for end in [Extreme.End.largest, .smallest] {
            #expect(Self.model(end).brokenLaws(seed: seed, careless: false) == [])
            #expect(Self.model(end).brokenLaws(seed: seed, careless: true) == [])
        }
    }

    @Test func `a merge that takes what came last is caught`() {
        var model = Self.model(.largest)
        model.merge = { state, other in state = other ?? state }
        let laws = (0..<20).flatMap { model.brokenLaws(seed: $0, careless: false) }
        #expect(laws.contains(.mergeUnion))
    }

    private static func extreme(
        _ end: Extreme.End, _ value: Value, at time: Int64 = 1, by chain: UInt8 = 1
    ) throws -> Extreme {
        try #require(
            Extreme(
                end, payload: try value.encoded(), stamp: Timestamp(wallMilliseconds: time),
                position: Position(chain: Bytes16(repeating: chain), seq: 1, index: 0)))
    }

    private static func decimal(_ text: String) throws -> Value {
        .decimal(try #require(Decimal64(parsing: text)))
    }

    @Test func `values of each type are ordered as what they are`() throws {
        let ascending: [[Value]] = [
            [.bool(false), .bool(true)], [.int(-200), .int(-3), .int(0), .int(20), .int(100)],
            [
                try Self.decimal("-10.5"), try Self.decimal("-9.75"), try Self.decimal("0.5"),
                try Self.decimal("10"), try Self.decimal("10.05"),
            ],
            [.double(-.infinity), .double(-1.5), .double(0), .double(2), .double(.infinity)],
            [.date(-1), .date(0), .date(20_000)], [.instant(-5), .instant(1), .instant(1 << 40)],
        ]
        for values in ascending {
            for (place, smaller) in values.enumerated() {
                for larger in values[(place + 1)...] {
                    var (high, low) = (
                        try Self.extreme(.largest, smaller), try Self.extreme(.smallest, larger)
                    )
                    #expect(try high.merge(Self.extreme(.largest, larger, at: 0)))
                    #expect(try low.merge(Self.extreme(.smallest, smaller, at: 0)))
                    #expect(try !high.merge(Self.extreme(.largest, smaller, at: 9)))
                    #expect(try !low.merge(Self.extreme(.smallest, larger, at: 9)))
                }
            }
        }
    }

    @Test func `null gives way to every value at both ends`() throws {
        for end in [Extreme.End.largest, .smallest] {
            for value in [Value.bool(false), .int(.min), .int(.max), .date(0)] {
                var state = try Self.extreme(end, .null, at: 9)
                #expect(try state.merge(Self.extreme(end, value)))
                #expect(try !state.merge(Self.extreme(end, .null, at: 99)))
            }
        }
    }

    @Test func `of equal values whoever wrote first is named`() throws {
        var state = try Self.extreme(.largest, .int(4), at: 5, by: 2)
        #expect(try !state.merge(Self.extreme(.largest, .int(4), at: 6, by: 1)))
        #expect(try state.merge(Self.extreme(.largest, .int(4), at: 5, by: 1)))
        #expect(state.position.chain == Bytes16(repeating: 1))
    }

    @Test func `what has no order of its own is no value of such a field`() throws {
        for value in [Value.text("a"), .bytes([1]), .list([.int(1)])] {
            let payload = try value.encoded()
            let stamp = Timestamp(wallMilliseconds: 1)
            let position = Position(chain: Bytes16(repeating: 1), seq: 1, index: 0)
            #expect(
                Extreme(.largest, payload: payload, stamp: stamp, position: position) == nil)
        }
        for type in [ValueType.text, .bytes, .choice(["a"]), .reference(2_000)] {
            let field = Field(id: 1, name: "a", kind: .max, type: type)
            let collection = Collection(id: 2_000, name: "c", scope: "s", fields: [field])
            #expect(throws: SchemaError.self) {
                try Schema(version: 1, collections: [collection])
            }
        }
    }

    @Test func `a flag that was raised stays raised, whoever lowers it and when`() throws {
        var desk = try RecordDesk(
            Collection(
                id: 2_000, name: "record", scope: "records",
                fields: [Field(id: 1, name: "seen", kind: .max, type: .bool)]))
        try desk.write(0, .set(FieldWrite(1, .bool(true))))
        try desk.write(1, .set(FieldWrite(1, .bool(false))), clock: 5_000)
        desk.meet()
        try desk.write(2, .set(FieldWrite(1, .bool(false))), clock: 9_000)
        #expect(try desk.shown(1) == [.bool(true)])
        // A new life begins without it.
        try desk.write(2, .delete)
        try desk.write(2, .set(FieldWrite(1, .bool(false))))
        #expect(try desk.shown(1) == [.bool(false)])
    }

    @Test func `operations of another kind and other values are set aside`() throws {
        let field = Field(id: 1, name: "peak", kind: .max, type: .int)
        let collection = Collection(id: 2_000, name: "c", scope: "s", fields: [field])
        func admission(_ kind: OperationKind, _ value: Value) throws -> Admission {
            collection.admission(
                of: Operation(
                    collection: 2_000, record: try #require(RecordID("r")), generation: 1, field: 1,
                    kind: kind.rawValue, stampDelta: 0, payload: try value.encoded()))
        }
        #expect(try admission(.maxSet, .int(1)) == .admitted)
        #expect(try admission(.maxSet, .null) == .admitted)
        #expect(try admission(.maxSet, .bool(true)) == .quarantined(.badPayload))
        #expect(try admission(.minSet, .int(1)) == .quarantined(.wrongKind))
        #expect(try admission(.lwwSet, .int(1)) == .quarantined(.wrongKind))
    }

    @Test func `a value that does not go beyond what stands is written and told as hidden`() throws
    {
        let field = Field(id: 1, name: "peak", kind: .max, type: .int)
        let collection = Collection(id: 2_000, name: "c", scope: "s", fields: [field])
        var state = RecordState(collection: 2_000, record: try #require(RecordID("r")))
        let editor = RecordEditor(collection: collection, base: Timestamp(wallMilliseconds: 1))
        var reasons: [HiddenReason?] = []
        for (index, value) in [Value.int(5), .int(3), .int(5), .int(6), .null].enumerated() {
            let operation = try editor.operation(setting: FieldWrite(1, value), of: state)
            let position = Position(
                chain: Bytes16(repeating: 1), seq: 1, index: UInt32(index))
            let outcome = state.apply(operation, stamp: editor.base, at: position)
            reasons.append(
                FieldKind.max.rules.obstacle(
                    to: PlacedOperation(
                        operation: operation, stamp: editor.base, position: position,
                        outcome: outcome), in: state))
        }
        #expect(reasons == [nil, .surpassed, nil, nil, .surpassed])
    }
}
