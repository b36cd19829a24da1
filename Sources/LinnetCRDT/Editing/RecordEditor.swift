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
            return try insertion(of: fields, into: state)
        default:
            guard collection.kind == .records else { throw .immutable(collection.name) }
            return try fieldOperations(for: change, of: state)
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
        return try set(try field(written.field), written, of: state)
    }

    private func fieldOperations(
        for change: Change, of state: RecordState
    ) throws(SchemaError) -> [Operation] {
        switch change {
        case .set(let written):
            return [try operation(setting: written, of: state)]
        case .keep(let id, let values):
            let field = try field(id, as: .mv)
            var known: [Position] = []
            if case .values(let values)? = state.content(of: id) { known = values.positions }
            // Only the first replaces what shows: the others stand beside it.
            return try values.enumerated().map { (index, value) throws(SchemaError) in
                let value = try payload(of: value, for: field)
                let replaced = try observed(value, index == 0 ? known : [], in: field)
                return operation(.mvSet, field, replaced, of: state)
            }
        case .count(let id, let key, let amount):
            return [try entry(try field(id, as: .tally), key, amount, of: state)]
        case .recount(let id, let amount):
            return [try base(try field(id, as: .tally), amount, of: state)]
        case .add(let id, let value):
            let field = try field(id, as: .set)
            let element = try payload(of: value, for: field)
            let known = elements(of: field, in: state).positions(of: element)
            let payload = try observed(element, known, in: field)
            return [operation(.setAdd, field, payload, of: state)]
        case .remove(let id, let value):
            let field = try field(id, as: .set)
            let element = try payload(of: value, for: field)
            let known = elements(of: field, in: state).positions(of: element)
            guard !known.isEmpty else { return [] }
            let payload = try observed(element, known, in: field)
            return [operation(.setRemove, field, payload, of: state)]
        case .edit(let id, let offset, let count, let text):
            return try edit(try field(id, as: .text), of: state) {
                (document) throws(TextError) in
                try document.edit(at: offset, deleting: count, inserting: text)
            }
        case .rewrite(let id, let text):
            return try edit(try field(id, as: .text), of: state) {
                (document) in document.edit(to: text)
            }
        case .copy(let id, let pieces):
            return try copy(pieces, into: try field(id, as: .text), of: state)
        case .insert, .delete, .restore:
            return []
        }
    }

    // MARK: Single values

    private func set(
        _ field: Field, _ written: FieldWrite, of state: RecordState
    ) throws(SchemaError) -> Operation {
        switch field.kind {
        case .lww, .group, .order: break
        case .mv:
            guard let only = written.values.first, written.values.count == 1, only.member == 0
            else { throw .wrongCount(field: field.name, expected: 1) }
            let value = try payload(of: only.value, for: field)
            var known: [Position] = []
            if case .values(let values)? = state.content(of: field.id) { known = values.positions }
            return operation(.mvSet, field, try observed(value, known, in: field), of: state)
        case .tally, .set, .text: throw .wrongKind(field: field.name, kind: field.kind.name)
        }
        let kind: OperationKind =
            switch field.kind {
            case .group: .groupSet
            case .order: .orderMove
            default: .lwwSet
            }
        let payload = try payload(of: written, for: field, in: state)
        var operation = operation(kind, field, payload, of: state)
        let shown = state.visiblePrecedence(field: field.id)
        let stamp = HybridLogicalClock.overwrite(visible: shown?.stamp, now: base)
        operation.stampDelta = UInt64(max(0, stamp.rawValue - base.rawValue))
        return operation
    }

    private func payload(
        of written: FieldWrite, for field: Field, in state: RecordState
    ) throws(SchemaError) -> [UInt8] {
        // Most writes: nothing is kept of what shows, and the type is all there is to check.
        if written.values.count == 1, written.values[0].member == 0,
            field.takesPlainly(written.values[0].value),
            let bytes = try? written.values[0].value.encoded()
        {
            return bytes
        }
        let values = try merged(written, of: field, in: state)
        guard let bytes = try? field.payload(of: values) else {
            throw .badValue(field: field.name)
        }
        return bytes
    }

    /// The full tuple of a field: what is written over what shows.
    private func merged(
        _ written: FieldWrite, of field: Field, in state: RecordState
    ) throws(SchemaError) -> [Value] {
        var values = [Value](repeating: .null, count: field.members.count)
        if written.values.count < values.count, let shown = state.visible(field: field.id),
            let old = try? field.values(of: shown.payload), old.count == values.count
        {
            values = old
        }
        for (member, value) in written.values {
            guard values.indices.contains(member) else {
                throw .wrongCount(field: field.name, expected: values.count)
            }
            values[member] = value
        }
        try field.validate(values)
        return values
    }

    // MARK: Tallies, sets, texts and logs

    private func entry(
        _ field: Field, _ key: String, _ amount: Value, of state: RecordState
    ) throws(SchemaError) -> Operation {
        guard RecordID(key) != nil else { throw .badName(key) }
        let known = tally(of: field, in: state).positions(of: Array(key.utf8))
        let room = Limits.valueBytes / Position.encodedBytes - 4
        let entry = TallyEntryPayload(
            key: key, amount: try number(amount, for: field), observed: Array(known.prefix(room)))
        return operation(.tallyEntry, field, entry.payload, of: state)
    }

    private func base(
        _ field: Field, _ amount: Value, of state: RecordState
    ) throws(SchemaError) -> Operation {
        let tally = tally(of: field, in: state)
        let base = TallyBasePayload(
            amount: try number(amount, for: field), context: tally.context)
        var operation = operation(.tallyBase, field, base.payload, of: state)
        let stamp = HybridLogicalClock.overwrite(visible: tally.base?.stamp, now: self.base)
        operation.stampDelta = UInt64(max(0, stamp.rawValue - self.base.rawValue))
        return operation
    }

    private func number(_ value: Value, for field: Field) throws(SchemaError) -> Decimal64 {
        let decimal: Decimal64? =
            switch value {
            case .int(let number): Decimal64(mantissa: number, exponent: 0)
            case .decimal(let number): number
            default: nil
            }
        guard let decimal, field.type == .decimal || decimal.whole != nil else {
            throw .wrongType(field: field.name, expected: field.type.name)
        }
        return decimal
    }

    private func edit(
        _ field: Field, of state: RecordState,
        _ body: (TextDocument) throws(TextError) -> [TextEdit]
    ) throws(SchemaError) -> [Operation] {
        var document = TextDocument()
        if case .text(let known)? = state.content(of: field.id) { document = known }
        let edits: [TextEdit]
        do {
            edits = try body(document)
        } catch {
            throw .badEdit(field: field.name, length: document.characterCount)
        }
        var operations: [Operation] = []
        for edit in edits {
            guard let payload = try? edit.encoded() else { throw .badValue(field: field.name) }
            let kind: OperationKind = if case .insert = edit { .textInsert } else { .textDelete }
            operations.append(operation(kind, field, payload, of: state))
        }
        return operations
    }

    private func copy(
        _ pieces: [TextCopy], into field: Field, of state: RecordState
    ) throws(SchemaError) -> [Operation] {
        var document = TextDocument()
        if case .text(let known)? = state.content(of: field.id) { document = known }
        guard document.scalarCount == 0 else { return [] }
        var operations: [Operation] = []
        // What is known was copied before, and deleted since.
        for piece in pieces where document.insert(piece.insertion, at: piece.position) {
            guard let payload = try? piece.encoded() else { throw .badValue(field: field.name) }
            operations.append(operation(.textCopy, field, payload, of: state))
        }
        return operations
    }

    private func insertion(
        of fields: [FieldValues], into state: RecordState
    ) throws(SchemaError) -> [Operation] {
        guard collection.kind == .log else { throw .immutable(collection.name) }
        var cells: [LogCell] = []
        for written in fields.sorted(by: { $0.field < $1.field }) {
            let field = try field(written.field)
            try field.validate(written.values)
            guard written.field != cells.last?.field else { throw .duplicateField(field.name) }
            guard let payload = try? field.payload(of: written.values) else {
                throw .badValue(field: field.name)
            }
            cells.append(LogCell(field: field.id, payload: payload))
        }
        let payload = LogCell.encode(cells)
        guard payload.count <= Limits.valueBytes else { throw .badValue(field: collection.name) }
        if case .log(let log)? = state.content(of: 0) {
            if log.entries.contains(where: { $0.payload == payload }) { return [] }
            // A piece of a schema proves itself, and stands beside what is false there.
            guard collection.id == Schema.published.id else { throw .immutable(collection.name) }
        }
        return [onRecord(.logInsert, of: state, generation: 1, payload: payload)]
    }

    // MARK: Parts

    private func field(_ id: UInt32) throws(SchemaError) -> Field {
        guard let field = collection.field(id: id) else { throw .unknownField("\(id)") }
        return field
    }

    private func field(_ id: UInt32, as kind: FieldKind) throws(SchemaError) -> Field {
        let field = try field(id)
        guard field.kind == kind else {
            throw .wrongKind(field: field.name, kind: field.kind.name)
        }
        return field
    }

    private func payload(of value: Value, for field: Field) throws(SchemaError) -> [UInt8] {
        try field.validate(value)
        guard let bytes = try? value.encoded() else { throw .badValue(field: field.name) }
        return bytes
    }

    /// Names what the op takes the place of, as much of it as a payload holds.
    private func observed(
        _ value: [UInt8], _ known: [Position], in field: Field
    ) throws(SchemaError) -> [UInt8] {
        let room = (Limits.valueBytes - 4 - value.count) / Position.encodedBytes
        guard room > 0 else { throw .badValue(field: field.name) }
        return ObservedValue(value: value, observed: Array(known.prefix(room))).payload
    }

    private func elements(of field: Field, in state: RecordState) -> ElementSet {
        if case .elements(let known)? = state.content(of: field.id) { known } else { ElementSet() }
    }

    private func tally(of field: Field, in state: RecordState) -> Tally {
        if case .tally(let known)? = state.content(of: field.id) { known } else { Tally() }
    }

    private func operation(
        _ kind: OperationKind, _ field: Field, _ payload: [UInt8], of state: RecordState
    ) -> Operation {
        Operation(
            collection: collection.id, record: state.record, generation: state.writeGeneration,
            field: field.id, kind: kind.rawValue, stampDelta: 0, payload: payload)
    }

    private func onRecord(
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

extension FieldContent {
    /// Which ops of the field are known, of a single value the latest alone.
    package var writes: CausalContext {
        switch self {
        case .register(let state):
            var context = CausalContext()
            context.insert(state.position)
            return context
        case .values(let values): return values.context
        case .tally(let tally): return tally.context
        case .elements(let elements): return elements.context
        case .text(let text): return text.insertions
        case .log, .writes: return CausalContext()
        }
    }
}

extension FieldKind {
    /// The kind's name in schemas and messages.
    public var name: String {
        switch self {
        case .lww: "lww"
        case .group: "group"
        case .mv: "mv"
        case .tally: "tally"
        case .set: "set"
        case .text: "text"
        case .order: "order"
        }
    }
}
