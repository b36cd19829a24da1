package import LinnetCRDT
import LinnetStorage

/// A part of what a query finds: the records among some hundreds that were read in one call.
package struct QuerySlice: Sendable {
    /// The most records that are read for one slice, so that a write waits for few.
    package static let mostRead = 512

    /// The records that the query asks for, in the order of identifiers.
    package var records: [RecordView] = []
    /// The last record that was read; nil once nothing comes after it.
    package var last: RecordID?
}

extension RecordReader {
    /// Returns the records that a query asks for among those that follow `last`, of which it reads
    /// some hundreds. The query's order, offset, limit and place are left aside.
    package func slice(of query: Query, after last: RecordID?) throws(ReplicaError) -> QuerySlice {
        var all = query
        (all.after, all.sort, all.offset, all.limit) = (nil, [], 0, nil)
        let bound: BoundQuery
        let collection: Collection
        do throws(SchemaError) {
            collection = try log.schema.collection(named: query.collection)
            bound = try BoundQuery(all, in: collection)
        } catch {
            throw .schema(error)
        }
        var slice = QuerySlice()
        var (count, standings) = (0, Standings())
        try storage { () throws(StorageError) in
            try forEachRecord(in: collection.id, after: last) { (state) throws(StorageError) in
                if count == QuerySlice.mostRead { return false }
                count += 1
                slice.last = state.record
                guard var view = log.schema.view(of: state), bound.admits(view) else { return true }
                view.standing = try standing(of: view, in: collection, &standings)
                if view.standing == .attached || query.showsDetached { slice.records.append(view) }
                return true
            }
        }
        if count < QuerySlice.mostRead { slice.last = nil }
        return slice
    }
}
