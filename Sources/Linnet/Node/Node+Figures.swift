public import LinnetReplication

// Figures about many records.
extension Node {
    /// Returns figures about the records that a query finds, whatever its order, offset and limit.
    ///
    /// Sums are exact or throw `overflow`, never rounded; an average says whether it is exact. A
    /// smallest or largest value of all records of a collection is read from a clear index of its
    /// field; all else reads the records that the query finds. See
    /// ``plan(of:_:by:)``.
    ///
    /// - Parameters:
    ///   - aggregates: the figures, such as `[.count, .sum("pills")]`.
    ///   - query: the records; its order, offset, limit and place are left aside.
    ///   - fields: the fields whose values make groups, named as in ``Condition``; with none there
    ///     is one group. The groups come in the order of these values, those without one first.
    public func figures(
        _ aggregates: [Aggregate], of query: Query, by fields: [String] = []
    ) throws(LinnetError) -> [FigureGroup] {
        _ = try collection(named: query.collection)
        return try reading { (replica) throws(ReplicaError) in
            try replica.reader.figures(aggregates, of: query, by: fields)
        }
    }

    /// Returns figures as the other call of this name does, of the moment at which it began; it
    /// reads in slices, between which writes come.
    ///
    /// An `await` before the call means this one; the other one reads in one call, for
    /// ``read(_:)``.
    public func figures(
        _ aggregates: [Aggregate], of query: Query, by fields: [String] = []
    ) async throws(LinnetError) -> [FigureGroup] {
        try await figures(aggregates, of: query, by: fields, telling: nil)
    }

    func figures(
        _ aggregates: [Aggregate], of query: Query, by fields: [String], telling: ReadTelling?
    ) async throws(LinnetError) -> [FigureGroup] {
        _ = try collection(named: query.collection)
        return try await readInSlices { (reader) throws(ReplicaError) in
            try FiguresReading(aggregates, of: query, by: fields, reader, telling: telling)
        }
    }

    /// Returns what is read to find figures: an index, or records.
    public func plan(
        of query: Query, _ aggregates: [Aggregate], by fields: [String] = []
    ) throws(LinnetError) -> QueryPlan {
        try reading { (replica) throws(ReplicaError) in
            try replica.reader.plan(of: query, aggregates, by: fields)
        }
    }

    /// Observes figures about the records that a query finds: now, and whenever they change.
    public func observeFigures(
        _ aggregates: [Aggregate], of query: Query, by fields: [String] = []
    ) throws(LinnetError) -> Observation<[FigureGroup]> {
        let feed = try recordFeed(of: query.collection)
        return Observation(feed) { [weak self] () async throws(LinnetError) in
            guard let self else { throw .stopped }
            return try await self.figures(aggregates, of: query, by: fields)
        }
    }
}
