import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// Returns the records that a query asks for, in its order.
    func records(
        of query: Query, _ bound: BoundQuery, in collection: Collection, limit: Int?,
        _ tell: ReadTelling? = nil
    ) throws(ReplicaError) -> [RecordView] {
        let start = max(0, query.offset)
        let end = limit.map { max(0, $0).addingReportingOverflow(start) }
        let most = end.map { $0.overflow ? Int.max : $0.partialValue }
        var found: [RecordView] = []
        try forEachMatch(of: query, bound, in: collection, most: most, tell) { view in
            found.append(view)
            guard let most, found.count / 2 > most, found.count > 1_024 else { return }
            found = Array(bound.sorted(found).prefix(most))
        }
        return Array(bound.sorted(found).prefix(most ?? .max).dropFirst(start))
    }

    /// Gives `body` the records that a query asks for, in no order: all of them, or at least so
    /// many that the first `most` are among them.
    func forEachMatch(
        of query: Query, _ bound: BoundQuery, in collection: Collection, most: Int?,
        _ tell: ReadTelling? = nil, _ body: (RecordView) -> Void
    ) throws(ReplicaError) {
        var standings = Standings()
        let mayDetach = collection.hasReferences
        func consider(_ shown: RecordView?) throws(StorageError) -> RecordView? {
            guard var view = shown, bound.admits(view) else { return nil }
            guard mayDetach else { return view }
            view.standing = try standing(of: view, in: collection, &standings)
            return view.standing == .attached || query.showsDetached ? view : nil
        }
        try storage { () throws(StorageError) in
            switch bound.path(in: collection.id, limit: most) {
            case .scan:
                var progress = try self.progress(over: collection.id, tell)
                try forEachView(in: collection, after: nil) { (_, shown) throws(StorageError) in
                    progress.count()
                    if let view = try consider(shown) {
                        body(view)
                        progress.find()
                    }
                    return true
                }
                progress.end()
            case .identifiers:
                var progress = try self.progress(
                    over: bound.after == nil ? collection.id : nil, until: most, tell)
                var count = 0
                try forEachView(in: collection, after: bound.after?.id) {
                    (_, shown) throws(StorageError) in
                    if let most, count >= most { return false }
                    progress.count()
                    if let view = try consider(shown) {
                        body(view)
                        progress.find()
                        count += 1
                    }
                    return true
                }
                progress.end()
            case .index(let lookup):
                var progress = try self.progress(
                    over: nil, until: lookup.isInOrder ? most : nil, tell)
                func counted(_ state: RecordState) throws(StorageError) -> RecordView? {
                    progress.count()
                    return try consider(log.schema.view(of: state))
                }
                try forEachFound(by: lookup, in: collection.id, most: most, counted) { view in
                    body(view)
                    progress.find()
                }
                progress.end()
            }
        }
    }

    /// Looks at every record that changed since its row was written, and finds the others by an
    /// index.
    private func forEachFound(
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
