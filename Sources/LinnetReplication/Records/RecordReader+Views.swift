package import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// Returns a live record; nil when there is none.
    package func record(
        _ collection: UInt32, _ id: RecordID
    ) throws(ReplicaError) -> RecordView? {
        guard let declared = log.schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        return try storage { () throws(StorageError) in
            let key = RecordKey(collection: collection, record: id)
            guard let state = try existing(key), var view = log.schema.view(of: state)
            else { return nil }
            var standings = Standings()
            view.standing = try standing(of: view, in: declared, &standings)
            return view
        }
    }

    /// Returns every live record of a collection in the order of identifiers, with those whose
    /// parents are not there. `tell` is told the number that were read.
    package func records(
        _ collection: UInt32, telling tell: ReadTelling? = nil
    ) throws(ReplicaError) -> [RecordView] {
        guard let declared = log.schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        var views: [RecordView] = []
        var standings = Standings()
        try storage { () throws(StorageError) in
            var progress = try progress(over: collection, tell)
            try forEachRecord(collection: collection) {
                (state) throws(StorageError) in
                progress.count()
                guard var view = log.schema.view(of: state) else { return }
                view.standing = try standing(of: view, in: declared, &standings)
                views.append(view)
                progress.find()
            }
            progress.end()
        }
        return views
    }

    /// Returns the deleted records of a collection in the order of identifiers, with what they last
    /// held.
    package func trash(_ collection: UInt32) throws(ReplicaError) -> [TrashView] {
        guard let declared = log.schema.collection(id: collection) else {
            throw .unknownCollection(collection)
        }
        var found: [TrashView] = []
        try storage { () throws(StorageError) in
            try forEachRecord(collection: collection) {
                (state) throws(StorageError) in
                guard let deletion = state.deletion, !state.isLive else { return }
                let contents = state.deletedContents
                let late = contents.filter { !deletion.context.covers($0.content.writes) }
                found.append(
                    TrashView(
                        record: log.schema.view(of: state, showing: contents, in: declared),
                        deleted: deletion.stamp,
                        by: writer(of: deletion.position, in: declared, state.record),
                        editedAfter: late.map(\.field)))
            }
        }
        return found
    }

    /// Returns the device that wrote an op on a record; nil when its chain is not held.
    private func writer(
        of position: Position, in collection: Collection, _ record: RecordID
    ) -> DeviceID? {
        guard
            let scope = collection.scope.scope(of: record).flatMap({ log.group?.scope(named: $0) })
        else { return nil }
        return log.chains[ChainKey(scope: scope, chain: position.chain)]?.device
    }
}
