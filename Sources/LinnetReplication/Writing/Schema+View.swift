package import LinnetCRDT

extension Schema {
    /// Returns the record as it shows; nil when it is not live or its collection is unknown.
    func view(of state: RecordState) -> RecordView? {
        guard state.isLive, let collection = collection(id: state.collection) else {
            return nil
        }
        return collection.view(of: state, showing: state.visibleContents)
    }
}

extension Collection {
    /// Returns what these contents show of a record, a log's fields among them.
    package func view(
        of state: RecordState, showing contents: [(field: UInt32, content: FieldContent)]
    ) -> RecordView {
        var fields: [FieldValues] = []
        var conflicts: [UInt32] = []
        for (id, content) in contents {
            guard let field = field(id: id), let values = content.values(of: field)
            else { continue }
            fields.append(FieldValues(id, values))
            if content.isConflicting { conflicts.append(id) }
        }
        var isCollision = false
        if case .log(let log)? = state.content(of: 0) {
            isCollision = log.isCollision
            for cell in log.first.flatMap({ try? LogCell.decode($0.payload) }) ?? [] {
                guard let field = field(id: cell.field),
                    let values = try? field.values(of: cell.payload)
                else { continue }
                fields.append(FieldValues(cell.field, values))
            }
        }
        return RecordView(
            collection: state.collection, id: state.record, fields: fields, conflicts: conflicts,
            isCollision: isCollision)
    }
}
