/// The rules of kinds in which only the latest change counts: a single value, a group and a place.
/// Their states lie flat in ``Registers``.
protocol RegisterRules: KindRules {
    /// The operation that sets such a field.
    static var setting: OperationKind { get }
    /// The word for such an operation.
    static var action: OperationAction { get }
}

extension RegisterRules {
    static var action: OperationAction { .set }
    static var isLatestAlone: Bool { true }
    static var isForLogs: Bool { true }

    static func takes(_ kind: OperationKind) -> Bool { kind == setting }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        PlainPayload(payload) != nil || (try? Value.decode(payload)) != nil
    }

    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool {
        field.admits(payload)
    }

    static func merge(
        _ write: PlacedWrite, into record: inout RecordState, policy: DeletePolicy
    ) -> ApplyOutcome {
        let operation = write.operation
        guard isWellFormed(operation.payload, of: write.kind) else {
            return .quarantined(.badPayload)
        }
        let precedence = Precedence(
            generation: operation.generation, stamp: write.stamp, position: write.position)
        return record.set(
            operation.field, precedence, payload: operation.payload.indices,
            of: operation.payload, policy: policy)
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .register(let state) = content else { return .unknown }
        return state.position == position ? .shows : .lost(to: state.position)
    }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        // Below the ceiling, a write's stamp is above that of what it overwrites.
        guard placed.stamp >= .ceiling || placed.outcome == .lost else { return nil }
        let shown = state.visiblePrecedence(field: placed.operation.field)?.position
        return shown == placed.position ? nil : .ceiling
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        let values = try? field?.values(of: operation.payload)
        return WrittenContent(
            action, field?.kind == .group ? values.map(Value.list) : values?.first)
    }
}

// This part changes such a field.
extension RegisterRules {
    static func operation(
        setting written: FieldWrite, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> Operation {
        let payload = try payload(of: written, for: field, in: state)
        return editor.operation(
            setting, field, payload, of: state,
            over: state.visiblePrecedence(field: field.id)?.stamp)
    }

    private static func payload(
        of written: FieldWrite, for field: Field, in state: RecordState
    ) throws(SchemaError) -> [UInt8] {
        // Most writes keep nothing of what shows, and need no other check than that of the type.
        if let value = written.only, field.takesPlainly(value), let bytes = try? value.encoded() {
            return bytes
        }
        let values = try merged(written, of: field, in: state)
        guard let bytes = try? field.payload(of: values) else {
            throw .badValue(field: field.name)
        }
        return bytes
    }

    /// Returns all values of a field: those that are written, laid over those that show.
    private static func merged(
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
}
