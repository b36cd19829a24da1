package import LinnetCRDT
import LinnetStorage

extension RecordReader {
    /// Returns the live records that a query asks for, in its order. This reads what `plan` says,
    /// and holds at most twice as many records as its offset and limit come to, or 1,024.
    package func records(matching query: Query) throws(ReplicaError) -> [RecordView] {
        var reading = try PageReading(query, isPage: false, self)
        return try reading.readAll(self).records
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
        var reading = try PageReading(query, isPage: true, self, telling: tell)
        return try reading.readAll(self)
    }

    /// Returns the number of live records that a query asks for, whatever its offset, its limit and
    /// the place where it begins. Without a condition nothing is read where no record can be
    /// detached.
    package func count(matching query: Query) throws(ReplicaError) -> Int {
        var reading = try CountReading(query, self)
        return try reading.readAll(self)
    }

    /// Returns the way in which `records` finds the records of a query.
    package func plan(of query: Query) throws(ReplicaError) -> QueryPlan {
        let (collection, bound) = try bind(query)
        return bound.path(in: collection.id, limit: query.limit).plan
    }

    func bind(_ query: Query) throws(ReplicaError) -> (Collection, BoundQuery) {
        do throws(SchemaError) {
            let collection = try log.schema.collection(named: query.collection)
            return (collection, try BoundQuery(query, in: collection))
        } catch {
            throw .schema(error)
        }
    }
}
