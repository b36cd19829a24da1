import LinnetCRDT
import LinnetWire
import Testing

/// The ops that a change becomes.
@Suite struct RecordEditorTests {
    private func editor(
        _ collection: LinnetCRDT.Collection = RecordDesk.records(), at milliseconds: Int64 = 500
    ) -> RecordEditor {
        RecordEditor(
            collection: collection, base: Timestamp(wallMilliseconds: milliseconds))
    }

    private func empty(_ collection: UInt32 = 2_000) throws -> RecordState {
        RecordState(collection: collection, record: try #require(RecordID("r")))
    }

    private func single(
        _ change: Change, of state: RecordState? = nil,
        in collection: LinnetCRDT.Collection = RecordDesk.records()
    ) throws -> LinnetCRDT.Operation {
        let state = try state ?? empty()
        let operations = try editor(collection).operations(for: change, of: state)
        #expect(operations.count == 1)
        return try #require(operations.first)
    }

    @Test func `every change becomes the op of its kind, in the first life of a new record`() throws
    {
        let cases: [(Change, OperationKind, UInt32)] = [
            (.set(FieldWrite(1, .text("a"))), .lwwSet, 1),
            (.set(FieldWrite(2, members: [(1, .text("mg"))])), .groupSet, 2),
            (.set(FieldWrite(3, .text("a"))), .mvSet, 3),
            (.count(field: 4, key: "k", amount: .int(1)), .tallyEntry, 4),
            (.recount(field: 4, .int(1)), .tallyBase, 4),
            (.add(field: 5, .text("a")), .setAdd, 5),
            (.edit(field: 6, at: 0, deleting: 0, inserting: "a"), .textInsert, 6),
            (.rewrite(field: 6, "a"), .textInsert, 6),
            (.set(FieldWrite(7, .text("V"))), .orderMove, 7),
        ]
        let schema = try Schema(version: 1, collections: [RecordDesk.records()])
        for (change, kind, field) in cases {
            let operation = try single(change)
            #expect(operation.kind == kind.rawValue && operation.field == field)
            #expect(operation.generation == 1 && operation.stampDelta == 0)
            #expect(schema.admission(of: operation) == .admitted)
            #expect(change.field == field)
        }
        #expect(Change.delete.field == nil && Change.restore.field == nil)
    }

    @Test func `what changes nothing becomes no op`() throws {
        let state = try empty()
        for change in [.delete, .restore, .remove(field: 5, .text("x"))] as [Change] {
            #expect(try editor().operations(for: change, of: state).isEmpty)
        }
        #expect(try editor().operations(for: .rewrite(field: 6, ""), of: state).isEmpty)
        #expect(
            try editor().operations(
                for: .edit(field: 6, at: 0, deleting: 0, inserting: ""), of: state
            ).isEmpty)
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("a"))))
        #expect(try desk.write(0, .restore).isEmpty)
        try desk.write(0, .delete)
        #expect(try desk.write(0, .delete).isEmpty)
        #expect(try desk.write(0, .restore).map(\.generation) == [3])
        #expect(try desk.write(0, .restore).isEmpty)
    }

    @Test func `a write lists what the device holds of the field, and nothing else`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(3, .text("a"))), .add(field: 5, .text("x")))
        try desk.write(1, .set(FieldWrite(3, .text("b"))), .add(field: 5, .text("x")))
        try desk.write(1, .add(field: 5, .text("y")))
        desk.meet()
        let places = desk.ops.map(\.position)
        func names(_ change: Change) throws -> [Position] {
            try ObservedValue(
                decoding: single(change, of: desk.states[0]).payload
            ).observed
        }
        #expect(try names(.set(FieldWrite(3, .text("c")))) == [places[0], places[2]])
        #expect(try names(.add(field: 5, .text("x"))) == [places[1], places[3]])
        #expect(try names(.remove(field: 5, .text("x"))) == [places[1], places[3]])
        #expect(try names(.add(field: 5, .text("z"))) == [])
    }

    @Test func `values that are kept stand side by side in place of all that showed`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(3, .text("a"))))
        try desk.write(1, .set(FieldWrite(3, .text("b"))))
        desk.meet()
        let written = try desk.write(2, .keep(field: 3, [.text("b"), .text("c")]))
        let named = try written.map { try ObservedValue(decoding: $0.payload).observed.count }
        #expect(named == [2, 0])
        #expect(try desk.shown(3) == [.list([.text("c"), .text("b")])])
        #expect(try desk.write(0, .keep(field: 3, [])).isEmpty)
        #expect(throws: SchemaError.wrongKind(field: "title", kind: "lww")) {
            try desk.write(0, .keep(field: 1, [.text("a")]))
        }
    }

    @Test func `an entry of a tally lists its key's entries, and a recount the whole field`() throws
    {
        var desk = try RecordDesk()
        try desk.write(0, .count(field: 4, key: "a", amount: .int(1)))
        try desk.write(1, .count(field: 4, key: "a", amount: .int(1)))
        try desk.write(1, .count(field: 4, key: "b", amount: .int(1)))
        desk.meet()
        let state = desk.states[2]
        let entry = try TallyEntryPayload(
            decoding: single(.count(field: 4, key: "a", amount: .int(2)), of: state).payload)
        #expect(entry.observed == [desk.ops[0].position, desk.ops[1].position])
        let base = try TallyBasePayload(
            decoding: single(.recount(field: 4, .int(9)), of: state).payload)
        #expect(base.context.lasts == [desk.ops[0].position, desk.ops[2].position])
    }

    @Test func `an overwrite is stamped above what shows, also of a clock in the future`() throws {
        let future: Int64 = 9_000_000
        for change in [
            .set(FieldWrite(1, .text("a"))), .set(FieldWrite(2, members: [(1, .text("g"))])),
            .set(FieldWrite(7, .text("V"))), .recount(field: 4, .int(1)),
        ] as [Change] {
            var desk = try RecordDesk()
            try desk.write(0, change, clock: future)
            let above = try single(change, of: desk.states[0])
            let bump = Timestamp(wallMilliseconds: future).rawValue + 1
            #expect(
                Int64(above.stampDelta)
                    == bump - Timestamp(wallMilliseconds: 500).rawValue)
            let later = try editor(at: future + 5).operations(for: change, of: desk.states[0])
            #expect(later.map(\.stampDelta) == [0])
        }
    }

    @Test func `an overwrite at the ceiling keeps the ceiling`() throws {
        var desk = try RecordDesk()
        try desk.write(0, .set(FieldWrite(1, .text("a"))), clock: .max)
        var state = desk.states[0]
        let operation = try single(.set(FieldWrite(1, .text("b"))), of: state)
        let base = Timestamp(wallMilliseconds: 500)
        let stamp = try #require(base.advanced(by: operation.stampDelta))
        #expect(stamp >= Timestamp(wallMilliseconds: .max))
        let position = Position(chain: Bytes16(repeating: 99), seq: 1, index: 0)
        #expect(state.apply(operation, stamp: stamp, at: position) == .won)
    }

    @Test func `members of a group that are not given keep what shows`() throws {
        var desk = try RecordDesk()
        let ten = try #require(Decimal64(parsing: "10"))
        let first = try single(.set(FieldWrite(2, members: [(0, .decimal(ten))])))
        #expect(try Value.decodeGroup(first.payload) == [.decimal(ten), .null])
        try desk.write(0, .set(FieldWrite(2, members: [(0, .decimal(ten))])))
        let second = try single(
            .set(FieldWrite(2, members: [(1, .text("mg"))])), of: desk.states[0])
        #expect(try Value.decodeGroup(second.payload) == [.decimal(ten), .text("mg")])
    }

    @Test func `a change of another kind or another type is named`() throws {
        let long = Value.text(String(repeating: "x", count: Limits.valueBytes))
        let nearly = Value.text(String(repeating: "x", count: Limits.valueBytes - 20))
        let cases: [(Change, SchemaError)] = [
            (.set(FieldWrite(12, .null)), .unknownField("12")),
            (.set(FieldWrite(9, .bool(true))), .wrongType(field: "peak", expected: "int")),
            (.set(FieldWrite(9, members: [])), .wrongCount(field: "peak", expected: 1)),
            (.set(FieldWrite(0, .null)), .unknownField("0")),
            (.set(FieldWrite(4, .int(1))), .wrongKind(field: "stock", kind: "tally")),
            (.set(FieldWrite(5, .text("a"))), .wrongKind(field: "tags", kind: "set")),
            (.set(FieldWrite(6, .text("a"))), .wrongKind(field: "story", kind: "text")),
            (.count(field: 1, key: "k", amount: .int(1)), .wrongKind(field: "title", kind: "lww")),
            (.recount(field: 7, .int(1)), .wrongKind(field: "place", kind: "order")),
            (.add(field: 3, .text("a")), .wrongKind(field: "note", kind: "mv")),
            (.remove(field: 2, .text("a")), .wrongKind(field: "dose", kind: "group")),
            (.rewrite(field: 5, "a"), .wrongKind(field: "tags", kind: "set")),
            (.insert([]), .immutable("record")),
            (.set(FieldWrite(1, .int(1))), .wrongType(field: "title", expected: "text")),
            (.set(FieldWrite(3, .int(1))), .wrongType(field: "note", expected: "text")),
            (.set(FieldWrite(7, .int(1))), .wrongType(field: "place", expected: "text")),
            (.add(field: 5, .int(1)), .wrongType(field: "tags", expected: "text")),
            (.set(FieldWrite(2, members: [(2, .null)])), .wrongCount(field: "dose", expected: 2)),
            (.set(FieldWrite(1, members: [(1, .null)])), .wrongCount(field: "title", expected: 1)),
            (.set(FieldWrite(3, members: [(1, .null)])), .wrongCount(field: "note", expected: 1)),
            (.set(FieldWrite(3, members: [])), .wrongCount(field: "note", expected: 1)),
            (
                .set(FieldWrite(2, members: [(1, .int(1))])),
                .wrongType(field: "dose.unit", expected: "text")
            ),
            (.count(field: 4, key: "", amount: .int(1)), .badName("")),
            (.count(field: 4, key: "\n", amount: .int(1)), .badName("\n")),
            (
                .count(field: 4, key: "k", amount: .text("1")),
                .wrongType(field: "stock", expected: "int")
            ),
            (
                .count(field: 4, key: "k", amount: .null),
                .wrongType(field: "stock", expected: "int")
            ),
            (.recount(field: 4, .double(1)), .wrongType(field: "stock", expected: "int")),
            (
                .edit(field: 6, at: 1, deleting: 0, inserting: "a"),
                .badEdit(field: "story", length: 0)
            ),
            (
                .edit(field: 6, at: 0, deleting: -1, inserting: "a"),
                .badEdit(field: "story", length: 0)
            ),
            (.set(FieldWrite(1, long)), .badValue(field: "title")),
            (.set(FieldWrite(3, nearly)), .badValue(field: "note")),
            (.add(field: 5, nearly), .badValue(field: "tags")),
        ]
        let state = try empty()
        for (change, error) in cases {
            #expect(throws: error, "\(change.field ?? 0)") {
                try editor().operations(for: change, of: state)
            }
        }
    }

    @Test func `fractions count in a field of decimals alone`() throws {
        let half = try #require(Decimal64(parsing: "0.5"))
        let entry = try single(.count(field: 8, key: "k", amount: .decimal(half)))
        #expect(try TallyEntryPayload(decoding: entry.payload).amount == half)
        #expect(throws: SchemaError.wrongType(field: "stock", expected: "int")) {
            try editor().operations(
                for: .count(field: 4, key: "k", amount: .decimal(half)), of: empty())
        }
        let three = try #require(Decimal64(parsing: "3.0"))
        let whole = try single(.count(field: 4, key: "k", amount: .decimal(three)))
        #expect(try TallyEntryPayload(decoding: whole.payload).amount.whole == 3)
    }

    @Test func `the largest value still leaves room to name what it replaces`() throws {
        let room = Limits.valueBytes - 4 - 32 - 5
        let large = Value.text(String(repeating: "x", count: room))
        var desk = try RecordDesk()
        let schema = try Schema(version: 1, collections: [desk.collection])
        for device in [0, 1, 0] {
            let written = try desk.write(device, .set(FieldWrite(3, large)))
            #expect(written.allSatisfy { schema.admission(of: $0) == .admitted })
            desk.meet()
        }
        #expect(try desk.outcome().content(of: 3)?.isConflicting == false)
    }

    @Test func `more than a payload holds is named as far as it goes`() throws {
        var state = try empty()
        let written = ObservedValue(value: [0x61, 0x78], observed: [])
        var add = try Seeded.blank(kind: 6)
        (add.field, add.payload) = (5, written.payload)
        for number in 0..<2_500 as Range<UInt64> {
            var chain = CBORWriter()
            chain.unsigned(number + 70_000)
            let bytes = chain.bytes + [UInt8](repeating: 7, count: 16 - chain.bytes.count)
            let position = Position(
                chain: try #require(Bytes16(bytes)), seq: .init(Int64.max), index: .max)
            _ = state.apply(add, stamp: .zero, at: position)
        }
        let schema = try Schema(version: 1, collections: [RecordDesk.records()])
        var rounds = 0
        while !(state.content(of: 5)?.values(of: RecordDesk.records().fields[4]) == [.list([])]) {
            let remove = try single(.remove(field: 5, .text("x")), of: state)
            #expect(schema.admission(of: remove) == .admitted)
            rounds += 1
            let position = Position(
                chain: Bytes16(repeating: 1), seq: UInt64(rounds), index: 0)
            _ = state.apply(remove, stamp: .zero, at: position)
            if rounds > 3 { break }
        }
        #expect(rounds == 2)
    }

    @Test func `a delete lists what its device had seen, in the next generation`() throws {
        for policy in [.deleteWins, .updateWins] as [DeletePolicy] {
            var desk = try RecordDesk(RecordDesk.records(policy))
            try desk.write(0, .set(FieldWrite(1, .text("a"))))
            try desk.write(1, .add(field: 5, .text("b")), .rewrite(field: 6, "t"))
            desk.meet()
            let delete = try single(.delete, of: desk.states[2], in: desk.collection)
            #expect(delete.generation == 2 && delete.field == 0)
            let seen = try CausalContext(decoding: delete.payload)
            #expect(seen.lasts == [desk.ops[0].position, desk.ops[2].position])
        }
    }

    @Test func `a log takes a record once, and the same again as nothing`() throws {
        var desk = try RecordDesk(RecordDesk.log)
        let taken = Change.insert([
            FieldValues(2, [.int(1), .text("mg")]), FieldValues(1, [.text("taken")]),
        ])
        let written = try desk.write(0, taken)
        #expect(written.map(\.kind) == [8] && written.map(\.generation) == [1])
        let cells = try LogCell.decode(try #require(written.first).payload)
        #expect(cells.map(\.field) == [1, 2])
        #expect(try desk.write(0, taken).isEmpty)
        let other = Change.insert([FieldValues(1, [.text("other")])])
        for (change, error) in [
            (other, .immutable("doses")), (.delete, .immutable("doses")),
            (.restore, .immutable("doses")),
            (.set(FieldWrite(1, .text("x"))), .immutable("doses")),
        ] as [(Change, SchemaError)] {
            #expect(throws: error) { try desk.write(0, change) }
        }
    }

    @Test func `a bad record of a log is named`() throws {
        let state = try empty(2_001)
        let long = Value.text(String(repeating: "x", count: Limits.valueBytes - 5))
        for (fields, error) in [
            ([FieldValues(9, [.null])], .unknownField("9")),
            ([FieldValues(1, [])], .wrongCount(field: "what", expected: 1)),
            ([FieldValues(2, [.int(1)])], .wrongCount(field: "dose", expected: 2)),
            ([FieldValues(1, [.int(1)])], .wrongType(field: "what", expected: "text")),
            (
                [FieldValues(1, [.null]), FieldValues(1, [.null])],
                .duplicateField("what")
            ),
            ([FieldValues(1, [long])], .badValue(field: "doses")),
        ] as [([FieldValues], SchemaError)] {
            #expect(throws: error) {
                try editor(RecordDesk.log).operations(for: .insert(fields), of: state)
            }
        }
    }

    @Test func `a record must be named as its scopes ask`() throws {
        let dated = Collection(
            id: 2_002, name: "dated", scope: .divided("d", by: .month), fields: [])
        #expect(throws: SchemaError.wrongIdentifier("r", expected: "YYYY-MM")) {
            try editor(dated).operations(for: .delete, of: empty(2_002))
        }
    }
}
