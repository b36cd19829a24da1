import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct IndexedFieldsTests {
    private let bench: Workbench
    private let schema: LinnetCRDT.Schema

    init() throws {
        bench = try Workbench()
        schema = try IndexedLife.schema(version: 1, isIndexed: true)
        try bench.turn.writingDerived()
    }

    private var log: BatchLog {
        BatchLog(
            store: bench.turn.store, chains: ChainIndex([]), group: bench.group, schema: schema)
    }

    private func named(_ name: String) throws -> RecordState {
        let record = try #require(RecordID("part/x/\(name)"))
        var state = RecordState(collection: IndexedLife.collection, record: record)
        _ = state.apply(
            Operation(
                collection: state.collection, record: record, generation: 1, field: 1,
                kind: OperationKind.lwwSet.rawValue, stampDelta: 0,
                payload: try Value.text(name).encoded()),
            stamp: .zero, at: Position(chain: .zero, seq: 1, index: 0))
        return state
    }

    private func found() throws -> [String] {
        var names: [String] = []
        try bench.turn.store.forEachFound(
            by: IndexSearch(
                collection: IndexedLife.collection, field: 1, kind: .clear, lower: [],
                upper: [UInt8](repeating: 0xFF, count: 8))
        ) { _, state in
            names.append(state.record.description)
            return true
        }
        return names
    }

    @Test func `the entries of a record lead to its row`() throws {
        let (fields, state) = (IndexedFields(schema), try named("a"))
        let row = try bench.turn.store.putRecord(state, row: nil)
        #expect(try found() == [])
        try fields.put(state, row: row, log)
        #expect(try found() == ["part/x/a"])
    }

    @Test func `entries of other indexes are made anew from the rows`() throws {
        let fields = IndexedFields(schema)
        for name in ["a", "b"] {
            _ = try bench.turn.store.putRecord(try named(name), row: nil)
        }
        try fields.adapt(
            RecordRows(mender: RowMender(), policy: .standard, log: log), &bench.turn)
        #expect(try found() == ["part/x/a", "part/x/b"])
        let none = IndexedFields(try IndexedLife.schema(version: 1, isIndexed: false))
        try none.adapt(
            RecordRows(mender: RowMender(), policy: .standard, log: log), &bench.turn)
        #expect(try found() == [])
        #expect(!none.covers(IndexedLife.collection) && fields.covers(IndexedLife.collection))
    }

    @Test func `entries of the indexes that are declared stay`() throws {
        let fields = IndexedFields(schema)
        _ = try bench.turn.store.putRecord(try named("a"), row: nil)
        try fields.note(in: bench.turn.store)
        try fields.adapt(
            RecordRows(mender: RowMender(), policy: .standard, log: log), &bench.turn)
        #expect(try found() == [])
    }
}
