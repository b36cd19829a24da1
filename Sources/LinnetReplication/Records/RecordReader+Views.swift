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

    /// Returns the text of a field as a reader sees it, with all that it was made of; an empty one
    /// where there is none.
    package func text(_ key: RecordKey, field: UInt32) throws(ReplicaError) -> TextDocument {
        try storage { () throws(StorageError) in
            try existing(key)?.text(of: field) ?? TextDocument()
        }
    }

    /// Returns every live record of a collection in the order of identifiers, with those whose
    /// parents are not there.
    package func records(_ collection: UInt32) throws(ReplicaError) -> [RecordView] {
        var reading = CollectionReading(collection)
        var all: [RecordView] = []
        while !reading.isDone { all += try records(&reading) }
        return all
    }

    /// Returns the deleted records of a collection in the order of identifiers, with what they last
    /// held.
    package func trash(_ collection: UInt32) throws(ReplicaError) -> [TrashView] {
        var reading = CollectionReading(collection)
        var all: [TrashView] = []
        while !reading.isDone { all += try trash(&reading) }
        return all
    }

    /// Returns a record as it was when it was deleted; nil of one that was not, or lives again.
    func buried(_ state: RecordState, in declared: Collection) -> TrashView? {
        guard let deletion = state.deletion, !state.isLive else { return nil }
        let contents = state.deletedContents
        let late = contents.filter { !deletion.context.covers($0.content.writes) }
        return TrashView(
            record: declared.view(of: state, showing: contents),
            deleted: deletion.stamp,
            by: writer(of: deletion.position, in: declared, state.record),
            editedAfter: late.map(\.field))
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
