public import LinnetCRDT
import LinnetWire

/// A repository in memory, for an application's tests: it checks and merges as a home does, and
/// forgets everything with its value.
public struct MemoryRepository: MedicationRepository, Sendable {
    /// The rules of the schema are all that a plan can break.
    public typealias Failure = SchemaError

    private struct Place: Comparable, Sendable {
        let collection: UInt32
        let record: RecordID

        static func < (left: Place, right: Place) -> Bool {
            (left.collection, left.record) < (right.collection, right.record)
        }
    }

    private var states = OrderedTable<Place, RecordState>()
    private var records = MedicationBook()
    private var commits: UInt64 = 0
    /// Operations of the commit that is under way.
    private var operations: UInt32 = 0

    /// A repository without records.
    public init() {}

    /// Reads all records, folded.
    public func book() -> MedicationBook { records }

    /// Writes a plan, all of it or nothing; throws the rule of the schema that it breaks.
    public mutating func commit(_ plan: MedicationPlan) throws(SchemaError) {
        var next = self
        next.commits += 1
        next.operations = 0
        for write in plan.writes {
            guard let collection = Schema.demonstration.collection(id: write.key.collection)
            else {
                throw .unknownCollection("\(write.key.collection)")
            }
            for change in write.changes {
                try next.carryOut(change, of: write.key.record, in: collection)
            }
        }
        self = next
    }

    private mutating func carryOut(
        _ change: Change, of record: RecordID, in collection: Collection
    ) throws(SchemaError) {
        let place = Place(collection: collection.id, record: record)
        var state =
            states[place] ?? RecordState(collection: collection.id, record: record)
        let base = Timestamp(wallMilliseconds: Int64(clamping: commits))
        let editor = RecordEditor(collection: collection, base: base)
        for operation in try editor.operations(for: change, of: state) {
            let position = Position(
                chain: Bytes16(repeating: 1), seq: commits, index: operations)
            operations += 1
            _ = state.apply(
                operation, stamp: base.advanced(by: operation.stampDelta) ?? .ceiling,
                at: position, policy: collection.deletePolicy)
        }
        states[place] = state
        show(state, of: collection, after: change)
    }

    private mutating func show(
        _ state: RecordState, of collection: Collection, after change: Change
    ) {
        if case .insert(let fields) = change {
            records.apply(
                RecordView(collection: collection.id, id: state.record, fields: fields))
        } else if state.isLive {
            records.apply(stored(state.visibleContents, of: state.record, in: collection))
        } else {
            records.bury(stored(state.deletedContents, of: state.record, in: collection))
        }
    }

    private func stored(
        _ contents: [(field: UInt32, content: FieldContent)], of record: RecordID,
        in collection: Collection
    ) -> RecordView {
        RecordView(
            collection: collection.id, id: record,
            fields: contents.compactMap { shown in
                collection.field(id: shown.field).flatMap { field in
                    shown.content.values(of: field).map { FieldValues(field.id, $0) }
                }
            })
    }
}
