package import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// A live record, nil when there is none.
    package func record(
        _ collection: UInt32, _ id: RecordID
    ) throws(ReplicaError) -> RecordView? {
        guard let declared = schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        return try storage { () throws(StorageError) in
            let key = RecordKey(collection: collection, record: id)
            guard let state = try existing(key), var view = view(of: state) else { return nil }
            var standings = Standings()
            view.standing = try standing(of: view, in: declared, &standings)
            return view
        }
    }

    /// Every live record of a collection, in order of identifier, those too whose parents are not
    /// there. `tell` is told how many were read.
    package func records(
        _ collection: UInt32, telling tell: ReadTelling? = nil
    ) throws(ReplicaError) -> [RecordView] {
        guard let declared = schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        var views: [RecordView] = []
        var standings = Standings()
        try storage { () throws(StorageError) in
            var progress = try ReadingProgress(self, collection: collection, tell)
            try forEachRecord(collection: collection) { (state) throws(StorageError) in
                progress.count()
                guard var view = view(of: state) else { return }
                view.standing = try standing(of: view, in: declared, &standings)
                views.append(view)
                progress.find()
            }
        }
        return views
    }

    /// The deleted records of a collection, in order of identifier, with what they last held.
    package func trash(_ collection: UInt32) throws(ReplicaError) -> [TrashView] {
        guard let declared = schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        var found: [TrashView] = []
        try storage { () throws(StorageError) in
            try forEachRecord(collection: collection) { (state) throws(StorageError) in
                guard let deletion = state.deletion, !state.isLive else { return }
                let contents = state.deletedContents
                let late = contents.filter { !deletion.context.covers($0.content.writes) }
                found.append(
                    TrashView(
                        record: view(of: state, showing: contents, in: declared),
                        deleted: deletion.stamp,
                        by: author(of: deletion.position, in: declared, state.record),
                        editedAfter: late.map(\.field)))
            }
        }
        return found
    }

    /// The device that wrote an op on a record; nil when its chain is not held.
    private func author(
        of position: Position, in collection: Collection, _ record: RecordID
    ) -> DeviceID? {
        guard let scope = collection.scope.scope(of: record).flatMap({ group?.scope(named: $0) })
        else { return nil }
        return chains[ChainKey(scope: scope, chain: position.chain)]?.device
    }

    func view(of state: RecordState) -> RecordView? {
        guard state.isLive, let collection = schema.collection(id: state.collection) else {
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
