import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// The live records that a query asks for, in its order. Reads what `plan` says; of what it
    /// reads, it keeps at most twice what it returns.
    package func records(matching query: Query) throws(ReplicaError) -> [RecordView] {
        let (collection, bound) = try bind(query)
        return try records(of: query, bound, in: collection, limit: query.limit)
    }

    /// The live records that a query asks for, in its order, and the place where the next page
    /// begins; nil when there are no more.
    ///
    /// A page holds the records that come after the place in the order that they have while it is
    /// read; `tell` is told how many were read, where all are. Through a row of pages each record
    /// that does not change is met once, whatever else is written in between.
    package func page(
        matching query: Query, telling tell: ReadTelling? = nil
    ) throws(ReplicaError) -> (records: [RecordView], next: String?) {
        let (collection, bound) = try bind(query)
        let limit = query.limit.map { max(0, $0) }
        // One more tells whether there is a next page.
        let more = limit.map { $0 < .max ? $0 + 1 : $0 }
        let found = try records(of: query, bound, in: collection, limit: more, tell)
        guard let limit, found.count > limit, limit > 0 else {
            return (Array(found.prefix(limit ?? found.count)), nil)
        }
        return (
            Array(found.prefix(limit)), QueryCursor(found[limit - 1], in: bound).text(of: query)
        )
    }

    /// How many live records a query asks for; its offset, its limit and where it begins are left
    /// aside.
    package func count(matching query: Query) throws(ReplicaError) -> Int {
        var all = query
        all.after = nil
        all.sort = []
        let (collection, bound) = try bind(all)
        var count = 0
        try forEachMatch(of: query, bound, in: collection, most: nil) { _ in count += 1 }
        return count
    }

    /// What `records` reads for a query.
    package func plan(of query: Query) throws(ReplicaError) -> QueryPlan {
        let (collection, bound) = try bind(query)
        return bound.path(in: collection.id, limit: query.limit).plan
    }

    private func records(
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

    private func bind(_ query: Query) throws(ReplicaError) -> (Collection, BoundQuery) {
        do throws(SchemaError) {
            let collection = try schema.collection(named: query.collection)
            return (collection, try BoundQuery(query, in: collection))
        } catch {
            throw .schema(error)
        }
    }

    /// Gives `body` the records that a query asks for, in no order: all, or those at least among
    /// which the first `most` are.
    private func forEachMatch(
        of query: Query, _ bound: BoundQuery, in collection: Collection, most: Int?,
        _ tell: ReadTelling? = nil, _ body: (RecordView) -> Void
    ) throws(ReplicaError) {
        var standings = Standings()
        func consider(_ state: RecordState) throws(StorageError) -> RecordView? {
            guard var view = view(of: state), bound.admits(view) else { return nil }
            view.standing = try standing(of: view, in: collection, &standings)
            return view.standing == .attached || query.showsDetached ? view : nil
        }
        try storage { () throws(StorageError) in
            switch bound.path(in: collection.id, limit: most) {
            case .scan:
                var progress = try ReadingProgress(self, collection: collection.id, tell)
                try forEachRecord(collection: collection.id) { (state) throws(StorageError) in
                    progress.count()
                    guard let view = try consider(state) else { return }
                    body(view)
                    progress.find()
                }
            case .identifiers:
                var count = 0
                try forEachRecord(in: collection.id, after: bound.after?.id) {
                    (state) throws(StorageError) in
                    if let most, count >= most { return false }
                    if let view = try consider(state) {
                        body(view)
                        count += 1
                    }
                    return true
                }
            case .index(let lookup):
                try forEachFound(by: lookup, in: collection.id, most: most, consider, body)
            }
        }
    }

    /// What changed since its row was written is looked at as a whole; of the rest an index tells.
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
                by: search, mending: { (row) throws(StorageError) in try mended(row) }
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
}
