package import LinnetCRDT
import LinnetStorage

/// A part of what a query finds: the records among some hundreds that were read in one call.
package struct QuerySlice: Sendable {
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
        let most = ReadingSlice.usual
        var (count, bytes, standings) = (0, 0, Standings())
        var walk = ViewWalk(over: collection, after: last, self)
        try storage { () throws(StorageError) in
            try walk.goOn(self) { (id, shown) throws(StorageError) in
                count += 1
                bytes += shown?.approximateBytes ?? 0
                slice.last = id
                if var view = shown, bound.admits(view) {
                    view.standing = try standing(of: view, in: collection, &standings)
                    if view.standing == .attached || query.showsDetached {
                        slice.records.append(view)
                    }
                }
                return count < most.records && bytes < most.bytes
            }
        }
        if walk.isDone { slice.last = nil }
        return slice
    }
}
