/// The rules of concurrent values: each stands until a later write has seen and replaced it.
enum MultiValueRules: KindRules, StateRules {
    static let name = "mv"
    static let rule = "Every value shows that no later write has seen and replaced."
    static let form = FieldForm.several
    static let copySources: [FieldKind] = [.lww, .mv]

    static func phrase(of type: String) -> String { "\(type), concurrent values kept" }

    static func takes(_ kind: OperationKind) -> Bool { kind == .mvSet }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        (try? ObservedValue(decoding: payload)) != nil
    }

    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool {
        ObservedValue.admits(payload, in: field)
    }

    static func named(
        in payload: [UInt8], of kind: OperationKind
    ) -> (key: ByteString, positions: [Position])? {
        ObservedValue.named(in: payload)
    }

    static func apply(
        _ write: PlacedWrite, to state: inout MultiValue
    ) throws(CRDTError) -> Bool {
        let written = try ObservedValue(decoding: write.payload)
        return state.set(
            written.value, replacing: write.names.resolve(written.observed), stamp: write.stamp,
            at: write.position)
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .values(let values) = content else { return .unknown }
        return values.positions.contains(position) ? .shows : .replaced
    }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        guard case .values(let values)? = state.content(of: placed.operation.field) else {
            return nil
        }
        guard let written = try? ObservedValue(decoding: placed.operation.payload) else {
            return .contradiction
        }
        return values.visible.contains { $0.payload == written.value } ? nil : .tooMany
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        WrittenContent(.set, ObservedValue.shown(in: operation.payload))
    }
}

// This part changes such a field.
extension MultiValueRules {
    static func operation(
        setting written: FieldWrite, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> Operation {
        guard let only = written.values.first, written.values.count == 1, only.member == 0
        else { throw .wrongCount(field: field.name, expected: 1) }
        let known = MultiValue(shownIn: state, field: field.id).positions
        return try operation(writing: only.value, over: known, field, of: state, by: editor)
    }

    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        guard case .keep(_, let values) = change else {
            throw .wrongKind(field: field.name, kind: name)
        }
        let known = MultiValue(shownIn: state, field: field.id).positions
        // Only the first replaces what shows; the others stand beside it.
        return try values.enumerated().map { (index, value) throws(SchemaError) in
            try operation(
                writing: value, over: index == 0 ? known : [], field, of: state, by: editor)
        }
    }

    private static func operation(
        writing value: Value, over known: [Position], _ field: Field, of state: RecordState,
        by editor: RecordEditor
    ) throws(SchemaError) -> Operation {
        let value = try editor.payload(of: value, for: field)
        let payload = try editor.observed(value, known, in: field)
        return editor.operation(.mvSet, field, payload, of: state)
    }
}
