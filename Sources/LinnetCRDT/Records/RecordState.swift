package import LinnetWire

/// The winning change of a field.
package struct FieldState: Equatable, Sendable {
    /// The record's generation that the change belongs to; always odd.
    package let generation: UInt32
    /// When it was made.
    package let stamp: Timestamp
    /// The op that made it.
    package let position: Position
    /// The op's payload as it came.
    package let payload: [UInt8]

    /// Joins the parts.
    package init(generation: UInt32, stamp: Timestamp, position: Position, payload: [UInt8]) {
        self.generation = generation
        self.stamp = stamp
        self.position = position
        self.payload = payload
    }

    /// Whether this change wins over `other`: by generation, then stamp, then position.
    package func wins(over other: FieldState) -> Bool {
        if generation != other.generation { return generation > other.generation }
        if stamp != other.stamp { return stamp > other.stamp }
        return position > other.position
    }
}

/// A record as the merge of all its ops, whatever order they came in.
///
/// The generation is a causal length: 0 before the first op, odd while the record lives, even
/// while it is deleted; the largest one wins. A field keeps its latest change by (generation,
/// stamp, chain, sequence number, index). Merging is commutative, associative and idempotent.
package struct RecordState: Equatable, Sendable {
    /// Number of the collection.
    package let collection: UInt32
    /// The record.
    package let record: RecordID
    /// The causal length of creations and deletions.
    package private(set) var generation: UInt32
    /// The latest change of every field, of earlier generations too.
    package private(set) var fields: OrderedTable<UInt32, FieldState>

    /// A record of which no op is known.
    package init(collection: UInt32, record: RecordID) {
        self.init(
            collection: collection, record: record, generation: 0, fields: OrderedTable())
    }

    init(
        collection: UInt32, record: RecordID, generation: UInt32,
        fields: OrderedTable<UInt32, FieldState>
    ) {
        self.collection = collection
        self.record = record
        self.generation = generation
        self.fields = fields
    }

    /// Whether the record exists and is not deleted.
    package var isLive: Bool { !generation.isMultiple(of: 2) }

    /// The fields of the living record; those of earlier generations are left out.
    package var visibleFields: OrderedTable<UInt32, FieldState> {
        var visible = fields
        visible.removeAll { _, field in field.generation != generation }
        return visible
    }

    /// The change that a reader of the field sees, nil if there is none.
    package func visible(field: UInt32) -> FieldState? {
        fields[field].flatMap { $0.generation == generation ? $0 : nil }
    }

    /// The generation for a write: the current one, or the next one of a record that is not live.
    package var writeGeneration: UInt32 { generation | 1 }

    /// The generation for a delete; nil without a live record, or when the numbers run out.
    package var deleteGeneration: UInt32? {
        isLive && generation < .max ? generation + 1 : nil
    }

    /// Merges an op that stands at `position` and was made at `stamp`.
    ///
    /// The caller has checked the op against the schema, and that it names this record.
    package mutating func apply(
        _ operation: Operation, stamp: Timestamp, at position: Position
    ) -> ApplyOutcome {
        precondition(
            operation.collection == collection && operation.record == record,
            "an op is applied to the record that it names")
        if let reason = operation.malformation { return .quarantined(reason) }
        guard operation.hasGoodPayload else { return .quarantined(.badPayload) }
        switch OperationKind(rawValue: operation.kind) {
        case .lwwSet, .groupSet:
            let field = FieldState(
                generation: operation.generation, stamp: stamp, position: position,
                payload: operation.payload)
            return set(operation.field, to: field)
        case .recordDelete, .recordRestore:
            return raise(to: operation.generation) ? .won : .lost
        default:
            return .unknownKind
        }
    }

    /// Merges another state of the same record.
    package mutating func merge(_ other: RecordState) {
        _ = raise(to: other.generation)
        for (id, field) in other.fields {
            _ = set(id, to: field)
        }
    }

    private mutating func set(_ id: UInt32, to field: FieldState) -> ApplyOutcome {
        _ = raise(to: field.generation)
        if let current = fields[id], !field.wins(over: current) { return .lost }
        fields[id] = field
        return .won
    }

    private mutating func raise(to other: UInt32) -> Bool {
        guard other > generation else { return false }
        generation = other
        return true
    }
}
