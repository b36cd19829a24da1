package import LinnetCRDT
package import LinnetWire

/// A live record as an application reads it.
package struct RecordView: Equatable, Sendable {
    /// The collection.
    package let collection: UInt32
    /// The record's identifier.
    package let id: RecordID
    /// The fields that show, ascending; of a group, all members.
    package let fields: [(field: UInt32, values: [Value])]
    /// The fields that hold several concurrent values.
    package let conflicts: [UInt32]
    /// True when different records of a log were written under this identifier.
    package let isCollision: Bool
    /// The standing of the record, which says whether what it refers to is there.
    package var standing: RecordStanding

    /// Joins the parts.
    package init(
        collection: UInt32, id: RecordID, fields: [(field: UInt32, values: [Value])],
        conflicts: [UInt32] = [], isCollision: Bool = false, standing: RecordStanding = .attached
    ) {
        self.collection = collection
        self.id = id
        self.fields = fields
        self.conflicts = conflicts
        self.isCollision = isCollision
        self.standing = standing
    }

    /// Returns true when both show the same.
    package static func == (left: RecordView, right: RecordView) -> Bool {
        left.collection == right.collection && left.id == right.id
            && left.conflicts == right.conflicts && left.isCollision == right.isCollision
            && left.standing == right.standing
            && left.fields.elementsEqual(right.fields) {
                $0.field == $1.field && $0.values == $1.values
            }
    }
}

/// A deleted record as a person finds it in the trash.
package struct TrashView: Equatable, Sendable {
    /// The record with what it last held.
    package let record: RecordView
    /// The time at which it was deleted.
    package let deleted: Timestamp
    /// The device that deleted it; nil when it is no longer known.
    package let by: DeviceID?
    /// The fields that hold changes which the delete had not seen.
    package let editedAfter: [UInt32]

    /// Joins the parts.
    package init(record: RecordView, deleted: Timestamp, by: DeviceID?, editedAfter: [UInt32]) {
        self.record = record
        self.deleted = deleted
        self.by = by
        self.editedAfter = editedAfter
    }
}

extension LinnetCRDT.Schema {
    /// Returns the record as it shows; nil when it is not live or its collection is unknown.
    func view(of state: RecordState) -> RecordView? {
        guard state.isLive, let collection = collection(id: state.collection) else {
            return nil
        }
        return view(of: state, showing: state.visibleContents, in: collection)
    }

    func view(
        of state: RecordState, showing contents: [(field: UInt32, content: FieldContent)],
        in collection: Collection
    ) -> RecordView {
        var fields: [(field: UInt32, values: [Value])] = []
        var conflicts: [UInt32] = []
        for (id, content) in contents {
            guard let field = collection.field(id: id), let values = content.values(of: field)
            else { continue }
            fields.append((id, values))
            if content.isConflicting { conflicts.append(id) }
        }
        var isCollision = false
        if case .log(let log)? = state.content(of: 0) {
            isCollision = log.isCollision
            for cell in log.first.flatMap({ try? LogCell.decode($0.payload) }) ?? [] {
                guard let field = collection.field(id: cell.field),
                    let values = try? field.values(of: cell.payload)
                else { continue }
                fields.append((cell.field, values))
            }
        }
        return RecordView(
            collection: state.collection, id: state.record, fields: fields, conflicts: conflicts,
            isCollision: isCollision)
    }
}
