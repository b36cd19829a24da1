package import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// A live record, nil when there is none.
    package func record(
        _ collection: UInt32, _ id: RecordID
    ) throws(ReplicaError) -> RecordView? {
        guard schema.collection(id: collection) != nil else { throw .unknownCollection(collection) }
        let state = try storage { () throws(StorageError) in
            try existing(RecordKey(collection: collection, record: id))
        }
        guard let state else { return nil }
        return view(of: state)
    }

    /// Every live record of a collection, in order of identifier.
    package func records(_ collection: UInt32) throws(ReplicaError) -> [RecordView] {
        guard schema.collection(id: collection) != nil else { throw .unknownCollection(collection) }
        var views: [RecordView] = []
        try storage { () throws(StorageError) in
            try forEachRecord(collection: collection) { (state) throws(StorageError) in
                if let view = view(of: state) { views.append(view) }
            }
        }
        return views
    }

    func view(of state: RecordState) -> RecordView? {
        guard state.isLive, let collection = schema.collection(id: state.collection) else {
            return nil
        }
        var fields: [(field: UInt32, values: [Value])] = []
        for (id, shown) in state.visibleFields {
            guard let field = collection.field(id: id),
                let values = try? field.values(of: shown.payload)
            else { continue }
            fields.append((id, values))
        }
        return RecordView(collection: state.collection, id: state.record, fields: fields)
    }
}
