package import LinnetCRDT
package import LinnetStorage

extension ModelStore {
    /// The state of a record and the number of its row, or nil when nothing was ever written.
    package func storedRecord(
        collection: UInt32, id: RecordID, mending: RowMending
    ) throws(StorageError) -> KeptRecord? {
        guard let shelf = tables.shelf(collection), let place = shelf.place(of: id),
            let state = shelf.state(id)
        else { return nil }
        return KeptRecord(row: Int64(place), state: state)
    }

    /// The names of all records that have a row; nil when they may be more than `limit`.
    package func recordNames(atMost limit: Int) throws(StorageError) -> [RecordName]? {
        var names: [RecordName] = []
        for collection in tables.records.map(\.collection) {
            let records = tables.withShelf(collection) { $0.sorted() }
            for place in records.order {
                names.append(RecordName(collection: collection, id: records.states[place].record))
            }
        }
        return names.count <= limit ? names : nil
    }

    /// The number of records that have a row, of one collection or of all when nil.
    package func recordCount(collection: UInt32?) throws(StorageError) -> Int {
        tables.records.reduce(0) {
            $0 + ($1.collection == collection ?? $1.collection ? $1.count : 0)
        }
    }

    /// The names of the records that follow one, in order, at most `limit`.
    package func recordNames(
        after last: RecordName?, limit: Int
    ) throws(StorageError) -> [RecordName] {
        let names = try recordNames(atMost: .max) ?? []
        let following = names.drop { name in
            last.map { (name.collection, name.id) <= ($0.collection, $0.id) } ?? false
        }
        return Array(following.prefix(limit))
    }

    /// None: rows of the model do not rot.
    package func damagedRows(collection: UInt32) throws(StorageError) -> [DamagedRow] { [] }

    /// Is not asked of a store whose rows do not rot.
    package func removeRow(_ number: Int64, collection: UInt32) throws(StorageError) {
        throw .outOfRange
    }

    /// Writes the state of a record over the one before, and returns the number of its row.
    package func putRecord(
        _ state: RecordState, row: Int64?, content: [UInt8]?
    ) throws(StorageError) -> Int64 {
        checkTransaction()
        let (change, place) = tables.withShelf(state.collection) { shelf in
            guard let row else {
                shelf.append(state)
                return (ModelChange.recordAdded(collection: state.collection), shelf.count - 1)
            }
            let place = Int(row)
            return (.record(at: place, shelf.replace(at: place, with: state)), place)
        }
        note(change)
        return Int64(place)
    }

    /// Gives `body` every record, of one collection or of all when nil, by collection and then by
    /// the bytes of its identifier; `body` writes nothing.
    package func forEachRecord(
        collection: UInt32?, mending: RowMending,
        _ body: (RecordState) throws(StorageError) -> Void
    ) throws(StorageError) {
        let wanted = tables.records.map(\.collection).filter { $0 == collection ?? $0 }
        for collection in wanted {
            let records = tables.withShelf(collection) { $0.sorted() }
            for place in records.order { try body(records.states[place]) }
        }
    }

    /// Gives `body` the records of a collection and their rows by the bytes of their identifiers,
    /// those alone that follow `after`, until it returns false; `body` writes nothing.
    package func forEachRow(
        collection: UInt32, after: [UInt8], mending: RowMending,
        _ body: (KeptRecord) throws(StorageError) -> Bool
    ) throws(StorageError) {
        guard tables.shelf(collection) != nil else { return }
        let records = tables.withShelf(collection) { $0.sorted() }
        for place in records.order {
            let state = records.states[place]
            guard after.lexicographicallyPrecedes(state.record.utf8) else { continue }
            guard try body(KeptRecord(row: Int64(place), state: state)) else { return }
        }
    }

    /// Forgets the records of a collection whose identifiers begin with some bytes; without bytes
    /// all of them.
    package func removeRecords(
        collection: UInt32, prefix: [UInt8]
    ) throws(StorageError) {
        guard !prefix.isEmpty else { return try removeAllRecords(collections: [collection]) }
        checkTransaction()
        let before = tables.records
        let kept = tables.withShelf(collection) { shelf in
            let all = shelf.sorted()
            return all.order.map { (state: all.states[$0], entries: shelf.entries(at: $0)) }
                .filter { !$0.state.record.utf8.starts(with: prefix) }
        }
        tables.records.removeAll { $0.collection == collection }
        for (state, entries) in kept {
            tables.withShelf(collection) { shelf in
                shelf.append(state)
                shelf.setEntries(entries, at: shelf.count - 1)
            }
        }
        note(.records(before))
    }

    /// Forgets the records of some collections, or of all when nil, before they are folded anew.
    package func removeAllRecords(collections: [UInt32]?) throws(StorageError) {
        checkTransaction()
        let before = tables.records
        let isRemoved = { (shelf: RecordShelf) in
            collections?.contains(shelf.collection) ?? true
        }
        guard before.contains(where: { isRemoved($0) && $0.count > 0 }) else { return }
        tables.records.removeAll(where: isRemoved)
        note(.records(before))
    }
}
