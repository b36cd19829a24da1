import LinnetWire

/// Turns what an application asks for into the ops that say it, given the record as it stands.
package struct RecordEditor: Sendable {
    /// The record's collection.
    package let collection: Collection
    /// The time of the transaction.
    package let base: Timestamp

    /// An editor of records of a collection in a transaction.
    package init(collection: Collection, base: Timestamp) {
        self.collection = collection
        self.base = base
    }

    /// The ops of a change, none when it changes nothing; each is to be applied to the state before
    /// the next change is asked for.
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
            .remove(let id, _), .edit(let id, _, _, _), .rewrite(let id, _), .copy(let id, _):
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

    /// The op that sets a field, which is what most changes do.
    package func operation(
        setting written: FieldWrite, of state: RecordState
    ) throws(SchemaError) -> Operation {
        try collection.validate(state.record)
        guard collection.kind == .records else { throw .immutable(collection.name) }
        let field = try field(written.field)
        return try field.kind.rules.operation(setting: written, field, of: state, by: self)
    }
}

// The tools with which the rules of the kinds make operations.
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

    /// Names what the op takes the place of, as much of it as a payload holds.
    func observed(
        _ value: [UInt8], _ known: [Position], in field: Field
    ) throws(SchemaError) -> [UInt8] {
        let room = (Limits.valueBytes - 4 - value.count) / Position.encodedBytes
        guard room > 0 else { throw .badValue(field: field.name) }
        return ObservedValue(value: value, observed: Array(known.prefix(room))).payload
    }

    /// An op on a field of the living record.
    func operation(
        _ kind: OperationKind, _ field: Field, _ payload: [UInt8], of state: RecordState
    ) -> Operation {
        Operation(
            collection: collection.id, record: state.record, generation: state.writeGeneration,
            field: field.id, kind: kind.rawValue, stampDelta: 0, payload: payload)
    }

    /// An op that is stamped above what shows.
    func operation(
        _ kind: OperationKind, _ field: Field, _ payload: [UInt8], of state: RecordState,
        over shown: Timestamp?
    ) -> Operation {
        var operation = operation(kind, field, payload, of: state)
        let stamp = HybridLogicalClock.overwrite(visible: shown, now: base)
        operation.stampDelta = UInt64(max(0, stamp.rawValue - base.rawValue))
        return operation
    }

    /// An op on the record as a whole.
    func onRecord(
        _ kind: OperationKind, of state: RecordState, generation: UInt32, payload: [UInt8]
    ) -> Operation {
        Operation.record(
            kind, collection: collection.id, record: state.record, generation: generation,
            stampDelta: 0, payload: payload)
    }
}

extension RecordState {
    /// Which writes of the living record are known: every one where updates may outlive a delete,
    /// elsewhere those that still show.
    var writes: CausalContext {
        guard let visible = visibleGeneration else { return CausalContext() }
        let beginning = beginning(of: visible)
        var known = CausalContext()
        // Also those of ended lives: a restore that comes late joins them to this one.
        for case (_, .writes(let writes)) in contents { known.merge(writes) }
        if !known.isEmpty { return known }
        var writes = CausalContext()
        for (_, content) in contents(beginning: beginning) {
            writes.merge(content.writes)
        }
        return writes
    }
}
