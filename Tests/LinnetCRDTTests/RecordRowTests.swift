import LinnetCRDT
import LinnetWire
import Testing

@Suite struct RecordRowTests {
    private func record() throws -> RecordID { try #require(RecordID("r")) }

    /// A record with changes of several chains, at stamps that go up and down.
    private func sample(fields: Int, generation: UInt32 = 1, chains: Int = 1) throws -> RecordState
    {
        var random = Seeded(fields + chains)
        var state = RecordState(collection: 7, record: try record())
        for field in 0..<fields {
            let number = Int(random.word() % UInt64(chains))
            let operation = Operation(
                collection: 7, record: state.record, generation: generation,
                field: UInt32(1 + 3 * field), kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text(String(repeating: "x", count: field % 90)).encoded())
            _ = state.apply(
                operation,
                stamp: Timestamp(wallMilliseconds: Int64(random.word() % 2_000_000_000_000)),
                at: Position(
                    chain: AuthorID(repeating: UInt8(number)), seq: random.word() % (1 << 40),
                    index: UInt32(random.word() % 4_096)))
        }
        return state
    }

    private func decode(_ bytes: [UInt8]) throws -> RecordState {
        try RecordRow.decode(bytes, collection: 7, record: try record())
    }

    @Test(arguments: [0, 1, 2, 8, 40, 1_000], [1, 3])
    func `what a row keeps is the record`(fields: Int, chains: Int) throws {
        for generation: UInt32 in [1, 5, .max] {
            let state = try sample(fields: fields, generation: generation, chains: chains)
            #expect(try decode(RecordRow.encode(state)) == state)
        }
    }

    /// A collection that declares every other field of a sample, as texts.
    private func collection() -> LinnetCRDT.Collection {
        LinnetCRDT.Collection(
            id: 7, name: "seven", scope: "scope",
            fields: (0..<20).map { Field(id: UInt32(1 + 6 * $0), name: "f\($0)", type: .text) })
    }

    @Test(arguments: [0, 1, 2, 8, 40], [UInt32(1), 2, 5])
    func `what a row shows is what the record shows`(fields: Int, generation: UInt32) throws {
        var state = try sample(fields: fields, generation: max(1, generation - 1), chains: 3)
        state = fields == 0 ? try sample(fields: 1, generation: generation) : state
        for field: UInt32 in [1, 7, 13] where generation > 1 {
            // Of an earlier life, and of the one that shows.
            for life in [1, generation] {
                _ = state.apply(
                    Operation(
                        collection: 7, record: state.record, generation: life, field: field,
                        kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                        payload: try Value.text("life \(life)").encoded()),
                    stamp: Timestamp(wallMilliseconds: 9),
                    at: Position(chain: AuthorID(repeating: 9), seq: UInt64(life), index: field))
            }
        }
        let collection = collection()
        let shown = state.visibleContents.compactMap { field, content -> FieldValues? in
            guard let declared = collection.field(id: field) else { return nil }
            return content.values(of: declared).map { FieldValues(field, $0) }
        }
        let row = RecordRow.encode(state)
        let view = try RecordRow.view(row, of: state.record, in: collection)
        #expect(view?.fields == (state.isLive ? shown : nil))
        #expect(view.map { $0.id == state.record && $0.collection == 7 } ?? true)
    }

    @Test func `a row in another form than the short one shows nothing by itself`() throws {
        var state = try sample(fields: 3)
        _ = state.apply(
            Operation.record(
                .recordDelete, collection: 7, record: state.record, generation: 2, stampDelta: 0),
            stamp: .zero, at: Position(chain: AuthorID(repeating: 1), seq: 1 << 41, index: 0))
        #expect(try RecordRow.view(state.encoded, of: state.record, in: collection()) == nil)
        #expect(try RecordRow.view([], of: state.record, in: collection()) == nil)
    }

    @Test func `fields that were written together take few bytes`() throws {
        var state = RecordState(collection: 7, record: try record())
        for field: UInt32 in 1...8 {
            _ = state.apply(
                Operation(
                    collection: 7, record: state.record, generation: 1, field: field,
                    kind: OperationKind.lwwSet.rawValue, stampDelta: 0, payload: [0x01]),
                stamp: Timestamp(wallMilliseconds: 1_800_000_000_000),
                at: Position(chain: AuthorID(repeating: 1), seq: 1_000, index: field))
        }
        #expect(RecordRow.encode(state).count < 70)
    }

    @Test func `a deleted record is kept in the canonical form`() throws {
        var state = try sample(fields: 3)
        _ = state.apply(
            Operation.record(
                .recordDelete, collection: 7, record: state.record, generation: 2, stampDelta: 0),
            stamp: .zero, at: Position(chain: AuthorID(repeating: 1), seq: 1 << 41, index: 0))
        #expect(RecordRow.encode(state) == state.encoded)
        #expect(try decode(RecordRow.encode(state)) == state)
    }

    @Test func `a row is not written again to see whether it is canonical`() throws {
        var writer = CBORWriter()
        writer.array(6)
        for number: UInt64 in [1, 1] { writer.unsigned(number) }
        writer.array(0)
        writer.null()
        // A chain that nothing in the record names.
        writer.array(1)
        writer.bytes(AuthorID(repeating: 1))
        writer.array(0)
        let bytes = writer.bytes
        #expect(try decode(bytes).generation == 1)
        #expect(throws: CRDTError.wire(.nonCanonical)) {
            try RecordState.decode(bytes, collection: 7, record: try record())
        }
    }

    @Test func `bytes that were cut or changed are refused or read, and never trap`() throws {
        let bytes = RecordRow.encode(try sample(fields: 12, chains: 2))
        for count in 0..<bytes.count {
            #expect(throws: CRDTError.self) { try decode(Array(bytes[..<count])) }
        }
        var random = Seeded(9)
        for _ in 0..<5_000 {
            var changed = bytes
            changed[Int(random.word() % UInt64(bytes.count))] = UInt8(
                truncatingIfNeeded: random.word())
            if let state = try? decode(changed) { #expect(state.collection == 7) }
            let view = try? RecordRow.view(changed, of: try record(), in: collection())
            #expect((view ?? nil)?.collection ?? 7 == 7)
        }
        #expect(throws: CRDTError.self) { try decode([2] + Array(repeating: 0xff, count: 12)) }
    }
}
