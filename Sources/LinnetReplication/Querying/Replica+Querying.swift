import LinnetCRDT
import LinnetStorage
import LinnetWire

extension Replica {
    /// The live records that a query asks for, in its order. Reads the whole collection; of what it
    /// reads, it keeps at most twice what it returns.
    package func records(matching query: Query) throws(ReplicaError) -> [RecordView] {
        let collection = try collection(of: query)
        let bound = try bind(query, to: collection)
        let start = max(0, query.offset)
        let end = query.limit.map { max(0, $0).addingReportingOverflow(start) }
        let most = end.map { $0.overflow ? Int.max : $0.partialValue } ?? .max
        var found: [RecordView] = []
        try forEachMatch(of: query, bound, in: collection) { view in
            guard found.count < most || !bound.isUnsorted else { return }
            found.append(view)
            guard found.count / 2 > most, found.count > 1_024 else { return }
            found = Array(bound.sorted(found).prefix(most))
        }
        return Array(bound.sorted(found).prefix(most).dropFirst(start))
    }

    /// How many live records a query asks for, its offset and limit left aside.
    package func count(matching query: Query) throws(ReplicaError) -> Int {
        let collection = try collection(of: query)
        var count = 0
        try forEachMatch(of: query, try bind(query, to: collection), in: collection) { _ in
            count += 1
        }
        return count
    }

    private func collection(of query: Query) throws(ReplicaError) -> Collection {
        do throws(SchemaError) {
            return try schema.collection(named: query.collection)
        } catch {
            throw .schema(error)
        }
    }

    private func bind(
        _ query: Query, to collection: Collection
    ) throws(ReplicaError) -> BoundQuery {
        do throws(SchemaError) {
            return try BoundQuery(query, in: collection)
        } catch {
            throw .schema(error)
        }
    }

    private func forEachMatch(
        of query: Query, _ bound: BoundQuery, in collection: Collection,
        _ body: (RecordView) -> Void
    ) throws(ReplicaError) {
        var standings = Standings()
        try storage { () throws(StorageError) in
            try forEachRecord(collection: collection.id) { (state) throws(StorageError) in
                guard var view = view(of: state), bound.admits(view) else { return }
                view.standing = try standing(of: view, in: collection, &standings)
                if view.standing == .attached || query.showsDetached { body(view) }
            }
        }
    }
}
