import LinnetCRDT
import LinnetStorage
import LinnetWire

extension RecordReader {
    /// Returns figures about the records that a query asks for, whatever its order, its offset, its
    /// limit and the place where it begins.
    ///
    /// Without fields to group by there is one group; with some, one for each combination of their
    /// values, in the order of the values, those without a value first. Each group takes memory.
    package func figures(
        _ aggregates: [Aggregate], of query: Query, by names: [String] = [],
        telling tell: ReadTelling? = nil
    ) throws(ReplicaError) -> [FigureGroup] {
        let (all, collection, bound, figures) = try prepare(aggregates, query)
        let keys = try schema { () throws(SchemaError) in
            try names.map { (name) throws(SchemaError) in
                try FieldReference(name, in: collection)
            }
        }
        if let ends = ends(of: figures, all, by: names) { return try self.ends(ends, all) }
        var groups: OrderedTable<GroupName, RunningGroup> = OrderedTable()
        if keys.isEmpty { groups[GroupName([])] = RunningGroup([], figures) }
        try forEachMatch(of: all, bound, in: collection, most: nil, tell) { view in
            let values = keys.map { $0.value(in: view) ?? .null }
            groups[GroupName(values), default: RunningGroup(values, figures)].figures
                .add(view, to: figures)
        }
        return try schema { () throws(SchemaError) in
            try groups.values.sorted { Self.comes($0.by, before: $1.by) }
                .map { (group) throws(SchemaError) in
                    FigureGroup(by: group.by, figures: try group.figures.figures(of: figures))
                }
        }
    }

    /// Returns the way in which `figures` finds what it needs.
    package func plan(
        of query: Query, _ aggregates: [Aggregate], by names: [String] = []
    ) throws(ReplicaError) -> QueryPlan {
        let (all, collection, bound, figures) = try prepare(aggregates, query)
        if let end = ends(of: figures, all, by: names)?.first {
            return .index(field: end.field.name, .clear, .order)
        }
        return bound.path(in: collection.id, limit: nil).plan
    }

    private func prepare(
        _ aggregates: [Aggregate], _ query: Query
    ) throws(ReplicaError) -> (Query, Collection, BoundQuery, [BoundAggregate]) {
        var all = query
        (all.after, all.sort, all.offset, all.limit) = (nil, [], 0, nil)
        return try schema { () throws(SchemaError) in
            let collection = try log.schema.collection(named: query.collection)
            let figures = try aggregates.map { (aggregate) throws(SchemaError) in
                try BoundAggregate(aggregate, in: collection)
            }
            return (all, collection, try BoundQuery(all, in: collection), figures)
        }
    }

    /// Returns the ends of indexes that answer all figures; nil when records have to be read.
    private func ends(
        of figures: [BoundAggregate], _ query: Query, by names: [String]
    ) -> [(field: Field, isLast: Bool)]? {
        guard names.isEmpty, query.condition == nil, !figures.isEmpty else { return nil }
        let ends = figures.compactMap(\.end)
        return ends.count == figures.count ? ends : nil
    }

    /// Reads the first record of each order that has a value.
    private func ends(
        _ ends: [(field: Field, isLast: Bool)], _ query: Query
    ) throws(ReplicaError) -> [FigureGroup] {
        var figures: [Figure] = []
        for end in ends {
            var first = query
            first.sort = [SortKey(end.field.name, descending: end.isLast)]
            first.limit = 1
            if !end.isLast { first.condition = .not(.isNull(end.field.name)) }
            let view = try records(matching: first).first
            let value = view.flatMap { FieldReference(end.field).value(in: $0) }
            figures.append(Figure(value ?? .null))
        }
        return [FigureGroup(by: [], figures: figures)]
    }

    private static func comes(_ left: [Value], before right: [Value]) -> Bool {
        for (left, right) in zip(left, right) {
            if ValueOrder.sortsBefore(left, right) { return true }
            if ValueOrder.sortsBefore(right, left) { return false }
        }
        return false
    }

    private func schema<Result>(
        _ body: () throws(SchemaError) -> Result
    ) throws(ReplicaError) -> Result {
        do throws(SchemaError) {
            return try body()
        } catch {
            throw .schema(error)
        }
    }
}

/// A group while its records are read.
private struct RunningGroup {
    let by: [Value]
    var figures: RunningFigures

    init(_ by: [Value], _ aggregates: [BoundAggregate]) {
        self.by = by
        figures = RunningFigures(aggregates)
    }
}

/// The stored bytes of the values that make a group.
private struct GroupName: Comparable {
    private let bytes: [UInt8]

    init(_ values: [Value]) {
        // Values that were read out of records can be written again.
        bytes = values.flatMap { value in (try? value.encoded()) ?? [] }
    }

    static func < (left: GroupName, right: GroupName) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
