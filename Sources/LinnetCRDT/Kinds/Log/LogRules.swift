import LinnetWire

/// The rules of a log's record, which is written once, as a whole, and belongs to no field.
enum LogRules: StateRules {
    static func isWellFormed(_ payload: [UInt8], of kind: OperationKind) -> Bool {
        (try? LogCell.decode(payload)) != nil
    }

    static func apply(_ write: PlacedWrite, to state: inout LogEntries) throws(CRDTError) -> Bool {
        _ = try LogCell.decode(write.payload)
        return state.insert(write.payload, stamp: write.stamp, at: write.position)
    }

    static func fate(
        of operation: Operation, at position: Position, in content: FieldContent
    ) -> FieldFate {
        guard case .log(let log) = content, let first = log.first else { return .unknown }
        let isShown = first.position == position || first.payload == operation.payload
        return isShown ? .shows : .lost(to: first.position)
    }

    static func written(by operation: Operation, to field: Field?) -> WrittenContent {
        let cells = try? LogCell.decode(operation.payload)
        let values = cells?.compactMap { try? Value.decode($0.payload) }
        // A value of a newer version must not be shown as if it were empty.
        return WrittenContent(.insert, values?.count == cells?.count ? values.map(Value.list) : nil)
    }

    /// Returns the operation that writes a record; none when the record is there already.
    static func operations(
        inserting fields: [FieldValues], into state: RecordState, by editor: RecordEditor
    ) throws(SchemaError) -> [Operation] {
        let collection = editor.collection
        guard collection.kind == .log else { throw .immutable(collection.name) }
        var cells: [LogCell] = []
        for written in fields.sorted(by: { $0.field < $1.field }) {
            let field = try editor.field(written.field)
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
            // A piece of a schema proves itself, so that it may stand beside a false one.
            guard collection.id == Schema.published.id else { throw .immutable(collection.name) }
        }
        return [editor.onRecord(.logInsert, of: state, generation: 1, payload: payload)]
    }
}
