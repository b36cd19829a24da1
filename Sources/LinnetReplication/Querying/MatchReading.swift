import LinnetCRDT
import LinnetStorage

/// The records that a query asks for, in no order: all of them, or at least so many that the first
/// ones are among them. Those that are found by walking over the collection are read in slices,
/// those that an index names in one.
struct MatchReading: Sendable {
    let bound: BoundQuery
    private let collection: Collection
    private let showsDetached: Bool
    private let most: Int?
    private let way: AccessPath
    private var walk: ViewWalk?
    private var standings = Standings()
    private var progress: ReadingProgress
    private var count = 0

    /// - Parameter most: the number of records among which the first ones have to be; nil for all.
    init(
        _ query: Query, _ bound: BoundQuery, in collection: Collection, most: Int?,
        _ reader: RecordReader, _ tell: ReadTelling? = nil
    ) throws(ReplicaError) {
        self.bound = bound
        self.collection = collection
        self.most = most
        showsDetached = query.showsDetached
        way = bound.path(in: collection.id, limit: most)
        let (counted, end): (UInt32?, Int?)
        switch way {
        case .scan:
            walk = ViewWalk(over: collection, after: nil, reader)
            (counted, end) = (collection.id, nil)
        case .identifiers:
            walk = ViewWalk(over: collection, after: bound.after?.id, reader)
            (counted, end) = (bound.after == nil ? collection.id : nil, most)
        case .index(let lookup):
            (counted, end) = (nil, lookup.isInOrder ? most : nil)
        }
        progress = try storage { () throws(StorageError) in
            try reader.progress(over: counted, until: end, tell)
        }
    }

    /// The records that are yet to be looked at, those included on which others depend.
    var rest: RecordSpan {
        guard !collection.hasReferences, let walk else { return .all }
        return .rest(of: collection.id, after: walk.last)
    }

    /// Gives `body` the next records; true when there are no more.
    mutating func goOn(
        _ reader: RecordReader, _ slice: ReadingSlice, _ body: (RecordView) -> Void
    ) throws(ReplicaError) -> Bool {
        try storage { () throws(StorageError) in
            switch way {
            case .scan, .identifiers: try walkOn(reader, slice, body)
            case .index(let lookup): try look(lookup, reader, body)
            }
        }
    }

    private mutating func walkOn(
        _ reader: RecordReader, _ slice: ReadingSlice, _ body: (RecordView) -> Void
    ) throws(StorageError) -> Bool {
        guard var walk = walk.take() else { return true }
        var most = Int.max
        if case .identifiers = way { most = self.most ?? .max }
        var (read, bytes) = (0, 0)
        if count < most {
            try walk.goOn(reader) { (_, shown) throws(StorageError) in
                progress.count()
                read += 1
                if slice.bytes < .max { bytes += shown?.approximateBytes ?? 0 }
                if let view = try consider(shown, reader) {
                    body(view)
                    progress.find()
                    count += 1
                }
                return read < slice.records && bytes < slice.bytes && count < most
            }
        }
        guard walk.isDone || count >= most else {
            self.walk = walk
            return false
        }
        progress.end()
        return true
    }

    private mutating func look(
        _ lookup: AccessPath.Lookup, _ reader: RecordReader, _ body: (RecordView) -> Void
    ) throws(StorageError) -> Bool {
        try reader.forEachFound(by: lookup, in: collection.id, most: most) {
            (state) throws(StorageError) in
            progress.count()
            return try consider(reader.log.schema.view(of: state), reader)
        } _: { view in
            body(view)
            progress.find()
        }
        progress.end()
        return true
    }

    /// Returns a record with its standing if it is asked for.
    private mutating func consider(
        _ shown: RecordView?, _ reader: RecordReader
    ) throws(StorageError) -> RecordView? {
        guard var view = shown, bound.admits(view) else { return nil }
        guard collection.hasReferences else { return view }
        view.standing = try reader.standing(of: view, in: collection, &standings)
        return view.standing == .attached || showsDetached ? view : nil
    }
}
