import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// Looks at every record that changed since its row was written, and finds the others by an
    /// index.
    func forEachFound(
        by lookup: AccessPath.Lookup, in collection: UInt32, most: Int?,
        _ consider: (RecordState) throws(StorageError) -> RecordView?, _ body: (RecordView) -> Void
    ) throws(StorageError) {
        let changed = overlay.changed(in: collection)
        for held in changed {
            if let view = try consider(try whole(held)) { body(view) }
        }
        let names = OrderedSet(changed.map(\.state.record))
        var seen: OrderedSet<RecordID> = OrderedSet()
        var count = 0
        var last: [UInt8]?
        for search in lookup.searches {
            if lookup.isInOrder, let most, count >= most { return }
            try store.forEachFound(
                by: search, mending: rows.mended
            ) { (key, state) throws(StorageError) in
                if lookup.isInOrder, let most, count >= most, key != last { return false }
                last = key
                guard !names.contains(state.record), let view = try consider(state) else {
                    return true
                }
                // Concurrent values lead to one record more than once.
                if view.conflicts.contains(lookup.field.id), !seen.insert(view.id) { return true }
                body(view)
                count += 1
                return true
            }
        }
    }

    /// Returns the live records of a collection as a reader sees them ordered by a field.
    func orderedRecords(
        of collection: UInt32, by field: UInt32
    ) throws(ReplicaError) -> [(record: RecordID, place: FractionalKey?)] {
        var line: [(record: RecordID, place: FractionalKey?)] = []
        try storage { () throws(StorageError) in
            try forEachRecord(collection: collection) { (state) throws(StorageError) in
                guard state.isLive else { return }
                line.append((state.record, state.place(in: field)))
            }
        }
        return line.sorted { left, right in
            switch (left.place, right.place) {
            case (let one?, let other?): (one, left.record) < (other, right.record)
            case (_?, nil): true
            case (nil, _?): false
            case (nil, nil): left.record < right.record
            }
        }
    }
}
