package import LinnetCRDT
import LinnetStorage

extension RecordReader {
    /// Returns the live records that a query asks for, in its order. This reads what `plan` says,
    /// and holds at most twice as many records as its offset and limit come to, or 1,024.
    package func records(matching query: Query) throws(ReplicaError) -> [RecordView] {
        let (collection, bound) = try bind(query)
        return try records(of: query, bound, in: collection, limit: query.limit)
    }

    /// Returns the live records that a query asks for, in its order, and the place where the next
    /// page begins; nil when there are no more.
    ///
    /// A page holds the records that come after the place, in the order that they have while it is
    /// read. Where all records have to be read, `tell` is told how many were. Each record that does
    /// not change is met once in a row of pages, whatever else is written in between.
    package func page(
        matching query: Query, telling tell: ReadTelling? = nil
    ) throws(ReplicaError) -> (records: [RecordView], next: String?) {
        let (collection, bound) = try bind(query)
        let limit = query.limit.map { max(0, $0) }
        // One more record tells whether there is a next page.
        let more = limit.map { $0 < .max ? $0 + 1 : $0 }
        let found = try records(
            of: query, bound, in: collection, limit: more, tell)
        guard let limit, found.count > limit, limit > 0 else {
            return (Array(found.prefix(limit ?? found.count)), nil)
        }
        return (
            Array(found.prefix(limit)), QueryCursor(found[limit - 1], in: bound).text(of: query)
        )
    }

    /// Returns the number of live records that a query asks for, whatever its offset, its limit and
    /// the place where it begins. Without a condition nothing is read where no record can be
    /// detached.
    package func count(matching query: Query) throws(ReplicaError) -> Int {
        var all = query
        all.after = nil
        all.sort = []
        let (collection, bound) = try bind(all)
        if query.condition == nil, query.showsDetached || !collection.hasReferences {
            return try storage { () throws(StorageError) in try liveCount(of: collection.id) }
        }
        var count = 0
        try forEachMatch(of: query, bound, in: collection, most: nil) { _ in
            count += 1
        }
        return count
    }

    /// Returns the way in which `records` finds the records of a query.
    package func plan(of query: Query) throws(ReplicaError) -> QueryPlan {
        let (collection, bound) = try bind(query)
        return bound.path(in: collection.id, limit: query.limit).plan
    }

    private func bind(_ query: Query) throws(ReplicaError) -> (Collection, BoundQuery) {
        do throws(SchemaError) {
            let collection = try log.schema.collection(named: query.collection)
            return (collection, try BoundQuery(query, in: collection))
        } catch {
            throw .schema(error)
        }
    }
}
