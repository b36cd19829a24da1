/// The rules of a text that several devices edit at once.
enum TextRules: KindRules, StateRules {
    static let name = "text"
    static let rule = "Every character shows that was written and not deleted."
    static let form = FieldForm.text
    static let onlyType: ValueType? = .text
    static let typeNames = "text"
    static let typeAdvice = "this kind holds text: leave the type out"
    static let indexAdvice = "a text is too long to be found by: leave this out"
    static let copySources: [FieldKind] = [.lww, .text]

    static func allows(_ type: ValueType) -> Bool { type == .text }
    static func allows(_ index: FieldIndex) -> Bool { false }
    static func phrase(of type: String) -> String { "text, edited together" }

    static func takes(_ kind: OperationKind) -> Bool {
        kind == .textInsert || kind == .textDelete || kind == .textCopy
    }

    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        TextOperation(payload, of: kind) != nil
    }

    static func admits(_ payload: [UInt8], of kind: OperationKind, in field: Field) -> Bool {
        isWellFormed(payload, of: kind)
    }

    static func apply(
        _ write: PlacedWrite, to state: inout TextDocument
    ) throws(CRDTError) -> Bool {
        switch try TextOperation(reading: write.payload, of: write.kind) {
        case .insertion(let insertion):
            state.insert(write.names.resolve(insertion), at: write.position)
        case .copy(let copy): state.insert(copy.insertion, at: copy.position)
        case .deletion(let deletion): state.delete(write.names.resolve(deletion))
        }
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate { .shows }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        let kind = OperationKind(rawValue: operation.kind)
        let removes = kind == .textDelete
        guard let kind, let written = TextOperation(operation.payload, of: kind) else {
            return WrittenContent(removes ? .deleteText : .insertText)
        }
        return switch written {
        case .insertion(let insertion): WrittenContent(.insertText, .text(insertion.string))
        case .copy(let copy): WrittenContent(.insertText, .text(copy.insertion.string))
        case .deletion(let deletion):
            WrittenContent(
                .deleteText, .int(deletion.ranges.reduce(0) { $0 + Int64($1.count) }))
        }
    }
}

/// The payload of an operation on a text.
private enum TextOperation {
    case insertion(TextInsertion)
    case copy(TextCopy)
    case deletion(TextDeletion)

    init(reading payload: [UInt8], of kind: OperationKind) throws(CRDTError) {
        self =
            switch kind {
            case .textCopy: .copy(try TextCopy.decode(payload))
            case .textDelete: .deletion(try TextDeletion.decode(payload))
            default: .insertion(try TextInsertion.decode(payload))
            }
    }

    init?(_ payload: [UInt8], of kind: OperationKind) {
        guard let read = try? TextOperation(reading: payload, of: kind) else { return nil }
        self = read
    }
}

// This part changes such a field.
extension TextRules {
    static func operations(
        for change: Change, _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        let document = TextDocument(shownIn: state, field: field.id)
        switch change {
        case .edit(_, let offset, let count, let text, let unit):
            let edits: [TextEdit]
            do {
                edits = try document.edit(at: offset, deleting: count, inserting: text, in: unit)
            } catch {
                guard error == .outOfRange else { throw .tornScalar(field: field.name) }
                let length = document.count(in: unit)
                throw .badEdit(field: field.name, length: length, unit: unit)
            }
            return try operations(for: edits, field, of: state, by: editor)
        case .splice(_, let splice):
            let edits: [TextEdit]
            do {
                edits = try document.edit(splice)
            } catch {
                throw .badEdit(field: field.name, length: document.characterCount)
            }
            return try operations(for: edits, field, of: state, by: editor)
        case .rewrite(_, let text):
            return try operations(for: document.edit(to: text), field, of: state, by: editor)
        case .copy(_, let pieces):
            return try copy(pieces, to: document, field, of: state, by: editor)
        default: throw .wrongKind(field: field.name, kind: name)
        }
    }

    private static func operations(
        for edits: [TextEdit], _ field: Field, of state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        try edits.map { (edit) throws(SchemaError) in
            guard let payload = try? edit.encoded() else { throw .badValue(field: field.name) }
            let kind: OperationKind = if case .insert = edit { .textInsert } else { .textDelete }
            return editor.operation(kind, field, payload, of: state)
        }
    }

    private static func copy(
        _ pieces: [TextCopy], to document: TextDocument, _ field: Field, of state: RecordState,
        by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        guard document.scalarCount == 0 else { return [] }
        var document = document
        var operations: [Operation] = []
        // A piece that is known was copied before and has been deleted since.
        for piece in pieces where document.insert(piece.insertion, at: piece.position) {
            guard let payload = try? piece.encoded() else { throw .badValue(field: field.name) }
            operations.append(editor.operation(.textCopy, field, payload, of: state))
        }
        return operations
    }
}
