import LinnetWire

/// The maker of the ops that say what an application asks for, given the record as it stands.
package struct RecordEditor: Sendable {
    /// The record's collection.
    package let collection: Collection
    /// The time of the transaction.
    package let base: Timestamp

    /// Makes an editor for records of a collection in a transaction.
    package init(collection: Collection, base: Timestamp) {
        self.collection = collection
        self.base = base
    }

    /// Returns the ops of a change, none when it changes nothing. Each is to be applied to the
    /// state before the next change is asked for.
    package func operations(
        for change: Change, of state: RecordState
    ) throws(SchemaError) -> [Operation] {
        try collection.validate(state.record)
        switch change {
        case .delete:
            try requireDeletable()
            guard let generation = state.deleteGeneration else { return [] }
            return [
                onRecord(
                    .recordDelete, of: state, generation: generation,
                    payload: state.writes.payload)
            ]
        case .restore:
            try requireDeletable()
            guard let generation = state.restoreGeneration else { return [] }
            return [
                onRecord(
                    .recordRestore, of: state, generation: generation,
                    payload: Operation.emptyContext)
            ]
        case .insert(let fields):
            return try LogRules.operations(inserting: fields, into: state, by: self)
        case .set(let written):
            return [try operation(setting: written, of: state)]
        case .keep(let id, _), .count(let id, _, _), .recount(let id, _), .add(let id, _),
            .remove(let id, _), .edit(let id, _, _, _, _), .splice(let id, _),
            .rewrite(let id, _), .copy(let id, _):
            guard collection.kind == .records else { throw .immutable(collection.name) }
            let field = try field(id)
            return try field.kind.rules.operations(for: change, field, of: state, by: self)
        }
    }

    private func requireDeletable() throws(SchemaError) {
        guard collection.deletePolicy == .neverDelete else { return }
        throw collection.kind == .log
            ? .immutable(collection.name) : .neverDeleted(collection.name)
    }

    /// Returns the op that sets a field, as most changes do.
    package func operation(
        setting written: FieldWrite, of state: RecordState
    ) throws(SchemaError) -> Operation {
        try collection.validate(state.record)
        guard collection.kind == .records else { throw .immutable(collection.name) }
        let field = try field(written.field)
        return try field.kind.rules.operation(setting: written, field, of: state, by: self)
    }
}

// These are the tools with which the rules of the kinds make operations.
extension RecordEditor {
    /// The field with a number; throws `unknownField`.
    func field(_ id: UInt32) throws(SchemaError) -> Field {
        guard let field = collection.field(id: id) else { throw .unknownField("\(id)") }
        return field
    }

    /// The canonical bytes of a value that the field may hold.
    func payload(of value: Value, for field: Field) throws(SchemaError) -> [UInt8] {
        try field.validate(value)
        guard let bytes = try? value.encoded() else { throw .badValue(field: field.name) }
        return bytes
    }

    /// Returns a payload that names the ops whose place the new op takes, as many as fit into it.
    func observed(
        _ value: [UInt8], _ known: [Position], in field: Field
    ) throws(SchemaError) -> [UInt8] {
        let room = (Limits.valueBytes - 4 - value.count) / Position.encodedBytes
        guard room > 0 else { throw .badValue(field: field.name) }
        return ObservedValue(value: value, observed: Array(known.prefix(room))).payload
    }

    /// Returns an op on a field of the living record.
    func operation(
        _ kind: OperationKind, _ field: Field, _ payload: [UInt8], of state: RecordState
    ) -> Operation {
        Operation(
            collection: collection.id, record: state.record, generation: state.writeGeneration,
            field: field.id, kind: kind.rawValue, stampDelta: 0, payload: payload)
    }

    /// Returns an op that is stamped above the one that shows.
    func operation(
        _ kind: OperationKind, _ field: Field, _ payload: [UInt8], of state: RecordState,
        over shown: Timestamp?
    ) -> Operation {
        var operation = operation(kind, field, payload, of: state)
        let stamp = HybridLogicalClock.overwrite(visible: shown, now: base)
        operation.stampDelta = UInt64(max(0, stamp.rawValue - base.rawValue))
        return operation
    }

    /// Returns an op on the record as a whole.
    func onRecord(
        _ kind: OperationKind, of state: RecordState, generation: UInt32, payload: [UInt8]
    ) -> Operation {
        Operation.record(
            kind, collection: collection.id, record: state.record, generation: generation,
            stampDelta: 0, payload: payload)
    }
}

extension RecordState {
    /// The writes of the living record that are known: all of them where updates may outlive a
    /// delete, elsewhere those that still show.
    var writes: CausalContext {
        guard let visible = visibleGeneration else { return CausalContext() }
        let beginning = beginning(of: visible)
        var known = CausalContext()
        // Those of ended lives count too, since a restore that comes late joins them to this one.
        for case (_, .writes(let writes)) in contents { known.merge(writes) }
        if !known.isEmpty { return known }
        var writes = CausalContext()
        for (_, content) in contents(beginning: beginning) {
            writes.merge(content.writes)
        }
        return writes
    }
}
