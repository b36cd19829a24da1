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
        var reading = try FiguresReading(aggregates, of: query, by: names, self, telling: tell)
        return try reading.readAll(self)
    }

    /// Returns the way in which `figures` finds what it needs.
    package func plan(
        of query: Query, _ aggregates: [Aggregate], by names: [String] = []
    ) throws(ReplicaError) -> QueryPlan {
        let (all, collection, bound, figures) = try prepare(aggregates, query)
        if let end = Self.ends(of: figures, all, by: names)?.first {
            return .index(field: end.field.name, .clear, .order)
        }
        return bound.path(in: collection.id, limit: nil).plan
    }

    fileprivate func prepare(
        _ aggregates: [Aggregate], _ query: Query
    ) throws(ReplicaError) -> (Query, Collection, BoundQuery, [BoundAggregate]) {
        var all = query
        (all.after, all.sort, all.offset, all.limit) = (nil, [], 0, nil)
        return try schemaAsked { () throws(SchemaError) in
            let collection = try log.schema.collection(named: query.collection)
            let figures = try aggregates.map { (aggregate) throws(SchemaError) in
                try BoundAggregate(aggregate, in: collection)
            }
            return (all, collection, try BoundQuery(all, in: collection), figures)
        }
    }

    /// Returns the ends of indexes that answer all figures; nil when records have to be read.
    fileprivate static func ends(
        of figures: [BoundAggregate], _ query: Query, by names: [String]
    ) -> [(field: Field, isLast: Bool)]? {
        guard names.isEmpty, query.condition == nil, !figures.isEmpty else { return nil }
        let ends = figures.compactMap(\.end)
        return ends.count == figures.count ? ends : nil
    }

    /// Reads the first record of each order that has a value.
    fileprivate func ends(
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
}

/// Figures about the records that a query asks for, in groups.
package struct FiguresReading: SlicedReading {
    private let figures: [BoundAggregate]
    private let keys: [FieldReference]
    private var groups: OrderedTable<GroupName, RunningGroup> = OrderedTable()
    /// The records that are read; nil where indexes answer.
    private var matches: MatchReading?
    /// The answer of indexes, where they have one.
    private var found: [FigureGroup]?

    /// - Parameters:
    ///   - names: the fields whose values make groups.
    ///   - tell: is told how many records were read.
    package init(
        _ aggregates: [Aggregate], of query: Query, by names: [String], _ reader: RecordReader,
        telling tell: ReadTelling? = nil
    ) throws(ReplicaError) {
        let (all, collection, bound, figures) = try reader.prepare(aggregates, query)
        self.figures = figures
        keys = try schemaAsked { () throws(SchemaError) in
            try names.map { (name) throws(SchemaError) in
                try FieldReference(name, in: collection)
            }
        }
        if let ends = RecordReader.ends(of: figures, all, by: names) {
            found = try reader.ends(ends, all)
            return
        }
        if keys.isEmpty { groups[GroupName([])] = RunningGroup([], figures) }
        matches = try MatchReading(all, bound, in: collection, most: nil, reader, tell)
    }

    /// The records that it may yet look at.
    package var rest: RecordSpan { matches?.rest ?? .all }

    /// Reads so much more; true when all was read.
    package mutating func goOn(
        _ reader: RecordReader, _ slice: ReadingSlice
    ) throws(ReplicaError) -> Bool {
        let (keys, figures) = (keys, figures)
        var groups: OrderedTable<GroupName, RunningGroup> = OrderedTable()
        swap(&groups, &self.groups)
        defer { swap(&groups, &self.groups) }
        let isDone = try matches?.goOn(reader, slice) { view in
            let values = keys.map { $0.value(in: view) ?? .null }
            groups[GroupName(values), default: RunningGroup(values, figures)].figures
                .add(view, to: figures)
        }
        return isDone ?? true
    }

    /// Returns the groups in the order of their values, those without a value first.
    package func answer() throws(ReplicaError) -> [FigureGroup] {
        if let found { return found }
        return try schemaAsked { () throws(SchemaError) in
            try groups.values.sorted { Self.comes($0.by, before: $1.by) }
                .map { (group) throws(SchemaError) in
                    FigureGroup(by: group.by, figures: try group.figures.figures(of: figures))
                }
        }
    }

    private static func comes(_ left: [Value], before right: [Value]) -> Bool {
        for (left, right) in zip(left, right) {
            if ValueOrder.sortsBefore(left, right) { return true }
            if ValueOrder.sortsBefore(right, left) { return false }
        }
        return false
    }
}

private func schemaAsked<Result>(
    _ body: () throws(SchemaError) -> Result
) throws(ReplicaError) -> Result {
    do throws(SchemaError) {
        return try body()
    } catch {
        throw .schema(error)
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
