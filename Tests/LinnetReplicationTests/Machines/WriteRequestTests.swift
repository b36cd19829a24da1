import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct WriteRequestTests {
    private let bench: Workbench
    private let schema: LinnetCRDT.Schema

    init() throws {
        bench = try Workbench()
        schema = try IndexedLife.schema(version: 1, isIndexed: false)
        try bench.turn.writingDerived()
    }

    private func key(_ name: String) throws -> RecordKey {
        RecordKey(collection: IndexedLife.collection, record: try #require(RecordID(name)))
    }

    /// Records of which each stands at its place, or was never moved.
    private func store(_ places: [(String, FractionalKey?)]) throws -> BatchLog {
        for (name, place) in places {
            let key = try key(name)
            var state = RecordState(collection: key.collection, record: key.record)
            let (field, text) = place.map { (UInt32(7), $0.description) } ?? (1, "name")
            _ = state.apply(
                Operation(
                    collection: key.collection, record: key.record, generation: 1, field: field,
                    kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                    payload: try Value.text(text).encoded()),
                stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
            try bench.turn.store.putRecord(state)
        }
        return BatchLog(
            store: bench.turn.store, chains: ChainIndex([]), group: bench.group, schema: schema)
    }

    private func writes(
        _ request: WriteRequest, _ places: [(String, FractionalKey?)] = []
    ) throws -> [Write] {
        var entropy = Device.entropy(3)
        let log = try store(places)
        var records = RecordBook(seed: 1, schema: schema)
        return try request.writes(&records, log, &entropy)
    }

    /// The places that writes give to records.
    private func moved(_ writes: [Write]) -> [String: FractionalKey] {
        var moved: [String: FractionalKey] = [:]
        for write in writes {
            guard case .set(let field)? = write.changes.first,
                case .text(let text)? = field.values.first?.value
            else { continue }
            moved[write.key.record.description] = FractionalKey(text)
        }
        return moved
    }

    @Test func `changes that leave nothing to choose are as they were`() throws {
        let write = Write.delete(collection: IndexedLife.collection, record: try key("a").record)
        #expect(try writes(.changes(write)) == [write])
    }

    @Test func `a count gets a key of its own`() throws {
        let counted = try writes(.count(key("a"), field: 4, amount: .int(2)))
        guard case .count(let field, let drawn, let amount)? = counted.first?.changes.first else {
            Issue.record("it counts nothing: \(counted)")
            return
        }
        #expect(field == 4 && drawn.utf8.count == 16 && amount == .int(2) && counted.count == 1)
    }

    @Test func `a record moves between its new neighbours, and nothing else does`() throws {
        let first = try #require(FractionalKey.between(nil, nil, tiebreak: [1]))
        let last = try #require(FractionalKey.between(first, nil, tiebreak: [1]))
        let moved = moved(
            try writes(
                .move(key("c"), field: 7, to: .after("a")), [("a", first), ("b", last), ("c", nil)])
        )
        let place = try #require(moved["c"])
        #expect(first < place && place < last && moved.count == 1)
    }

    @Test func `records that nobody moved get places before the new one`() throws {
        let moved = moved(
            try writes(
                .move(key("a"), field: 7, to: .last), [("a", nil), ("b", nil), ("c", nil)]))
        let places = try ["b", "c", "a"].map { try #require(moved[$0]) }
        #expect(places == places.sorted() && Set(places.map(\.description)).count == 3)
    }

    @Test func `a move that cannot be is refused`() throws {
        #expect(throws: ReplicaError.noSuchRecord("x")) {
            try writes(.move(key("a"), field: 7, to: .before("x")), [("a", nil)])
        }
        #expect(throws: ReplicaError.schema(.wrongKind(field: "name", kind: "lww"))) {
            try writes(.move(key("a"), field: 1, to: .first))
        }
        #expect(throws: ReplicaError.schema(.unknownField("99"))) {
            try writes(.move(key("a"), field: 99, to: .first))
        }
        let unknown = RecordKey(collection: 7, record: try key("a").record)
        #expect(throws: ReplicaError.unknownCollection(7)) {
            try writes(.move(unknown, field: 7, to: .first))
        }
    }
}
