package import LinnetCRDT
import LinnetStorage

/// The live records that a query asks for, in its order. It holds at most twice as many records as
/// the query's offset and limit come to, or 1,024.
package struct PageReading: SlicedReading {
    private let query: Query
    private let limit: Int?
    private let start: Int
    private let most: Int?
    private var matches: MatchReading
    private var found: [RecordView] = []

    /// - Parameters:
    ///   - isPage: true when the place is wanted where the next page begins.
    ///   - tell: is told how many records were read.
    package init(
        _ query: Query, isPage: Bool, _ reader: RecordReader, telling tell: ReadTelling? = nil
    ) throws(ReplicaError) {
        let (collection, bound) = try reader.bind(query)
        self.query = query
        limit = query.limit.map { max(0, $0) }
        start = max(0, query.offset)
        // One more record tells whether there is a next page.
        let wanted = limit.map { isPage && $0 < .max ? $0 + 1 : $0 }
        let end = wanted.map { $0.addingReportingOverflow(max(0, query.offset)) }
        most = end.map { $0.overflow ? Int.max : $0.partialValue }
        matches = try MatchReading(query, bound, in: collection, most: most, reader, tell)
    }

    /// The records that it may yet look at.
    package var rest: RecordSpan { matches.rest }

    /// Reads so much more; true when all was read.
    package mutating func goOn(
        _ reader: RecordReader, _ slice: ReadingSlice
    ) throws(ReplicaError) -> Bool {
        let (bound, most) = (matches.bound, most)
        var found: [RecordView] = []
        swap(&found, &self.found)
        defer { swap(&found, &self.found) }
        return try matches.goOn(reader, slice) { view in
            found.append(view)
            guard let most, found.count / 2 > most, found.count > 1_024 else { return }
            found = Array(bound.sorted(found).prefix(most))
        }
    }

    /// Returns the records, and the place where the next page begins; nil when there are no more.
    package func answer() -> (records: [RecordView], next: String?) {
        let sorted = matches.bound.sorted(found).prefix(most ?? .max).dropFirst(start)
        guard let limit, sorted.count > limit, limit > 0 else {
            return (Array(sorted.prefix(limit ?? sorted.count)), nil)
        }
        let page = Array(sorted.prefix(limit))
        return (page, QueryCursor(page[limit - 1], in: matches.bound).text(of: query))
    }
}

/// The number of live records that a query asks for, whatever its offset, its limit and the place
/// where it begins. Without a condition nothing is read where no record can be detached.
package struct CountReading: SlicedReading {
    private let collection: Collection
    /// The records that are read; nil where the number is kept.
    private var matches: MatchReading?
    private var count = 0

    /// Begins to count; the query's order and place are left aside.
    package init(_ query: Query, _ reader: RecordReader) throws(ReplicaError) {
        var all = query
        (all.after, all.sort) = (nil, [])
        let bound: BoundQuery
        (collection, bound) = try reader.bind(all)
        guard query.condition != nil || (collection.hasReferences && !query.showsDetached) else {
            return
        }
        matches = try MatchReading(all, bound, in: collection, most: nil, reader)
    }

    /// The records that it may yet look at.
    package var rest: RecordSpan { matches?.rest ?? .all }

    /// Reads so much more; true when all was read.
    package mutating func goOn(
        _ reader: RecordReader, _ slice: ReadingSlice
    ) throws(ReplicaError) -> Bool {
        var found = 0
        defer { count += found }
        if let isDone = try matches?.goOn(reader, slice, { _ in found += 1 }) { return isDone }
        found = try storage { () throws(StorageError) in try reader.liveCount(of: collection.id) }
        return true
    }

    /// Returns the number, once all was read.
    package func answer() -> Int { count }
}
