/// The rules of elements, each of which shows while some addition of it was seen by no removal.
enum ElementSetRules: KindRules, StateRules {
    static let name = "set"
    static let rule = "An element shows while one addition of it was not seen by a removal."
    static let form = FieldForm.elements
    static let copySources: [FieldKind] = [.lww, .set, .mv]

    static func takes(_ kind: OperationKind) -> Bool { kind == .setAdd || kind == .setRemove }

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
        _ write: PlacedWrite, to state: inout ElementSet
    ) throws(CRDTError) -> Bool {
        let written = try ObservedValue(decoding: write.payload)
        let observed = write.names.resolve(written.observed)
        return write.kind == .setAdd
            ? state.add(written.value, replacing: observed, at: write.position)
            : state.remove(written.value, observed: observed, at: write.position)
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .elements(let elements) = content,
            let written = try? ObservedValue(decoding: operation.payload)
        else { return .unknown }
        let standing = elements.positions(of: written.value)
        if operation.kind == OperationKind.setRemove.rawValue {
            return standing.last.map { .lost(to: $0) } ?? .shows
        }
        return standing.contains(position) ? .shows : .replaced
    }

    static func obstacle(to placed: PlacedOperation, in state: RecordState) -> HiddenReason? {
        guard case .elements(let elements)? = state.content(of: placed.operation.field) else {
            return nil
        }
        guard let written = try? ObservedValue(decoding: placed.operation.payload) else {
            return .contradiction
        }
        let isWanted = placed.operation.kind == OperationKind.setAdd.rawValue
        return elements.contains(written.value) == isWanted ? nil : .tooMany
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        let isAddition = operation.kind == OperationKind.setAdd.rawValue
        return WrittenContent(
            isAddition ? .add : .remove, ObservedValue.shown(in: operation.payload))
    }

    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        let (kind, value): (OperationKind, Value)
        switch change {
        case .add(_, let element): (kind, value) = (.setAdd, element)
        case .remove(_, let element): (kind, value) = (.setRemove, element)
        default: throw .wrongKind(field: field.name, kind: name)
        }
        let element = try editor.payload(of: value, for: field)
        let known = ElementSet(shownIn: state, field: field.id).positions(of: element)
        if kind == .setRemove, known.isEmpty { return [] }
        let payload = try editor.observed(element, known, in: field)
        return [editor.operation(kind, field, payload, of: state)]
    }
}
