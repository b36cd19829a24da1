import LinnetCRDT
import LinnetStorage

/// A walk over the records of a collection as they show, in the order of the bytes of their
/// identifiers. It may rest after any of them, and goes on over the records as they stood.
///
/// Of a record that equals its row no state is made.
struct ViewWalk {
    private let collection: Collection
    private let changed: [Overlay.Held]
    private var next = 0
    /// The last record that was given; nil at the beginning.
    private(set) var last: RecordID?
    /// True when no record is left.
    private(set) var isDone = false

    /// Begins with the record that follows `after`.
    init(over collection: Collection, after: RecordID?, _ reader: RecordReader) {
        self.collection = collection
        last = after
        changed = reader.overlay.changed(in: collection.id, after: after)
    }

    /// Gives `body` the records that follow, nil for those that do not show, until it returns
    /// false.
    mutating func goOn(
        _ reader: RecordReader, _ body: (RecordID, RecordView?) throws(StorageError) -> Bool
    ) throws(StorageError) {
        var rests = false
        func give(_ id: RecordID, _ view: RecordView?) throws(StorageError) -> Bool {
            last = id
            rests = try !body(id, view)
            return !rests
        }
        func giveChanged() throws(StorageError) -> Bool {
            let state = changed[next].state
            next += 1
            return try give(state.record, reader.log.schema.view(of: state))
        }
        try reader.store.forEachContent(
            collection: collection.id, after: last?.utf8 ?? [], mending: reader.rows.mended
        ) { (content) throws(StorageError) in
            let id = content.record
            while next < changed.count, changed[next].state.record < id {
                guard try giveChanged() else { return false }
            }
            if next < changed.count, changed[next].state.record == id {
                let state = try reader.whole(changed[next])
                next += 1
                return try give(id, reader.log.schema.view(of: state))
            }
            if let before = reader.before(RecordKey(collection: collection.id, record: id)) {
                return try give(id, reader.log.schema.view(of: before))
            }
            return try give(id, try reader.rows.view(of: content, in: collection))
        }
        while !rests, next < changed.count { _ = try giveChanged() }
        isDone = !rests
    }
}

extension RecordReader {
    /// Gives `body` the records of a collection that follow `after` as they show, nil for those
    /// that do not, in the order of the bytes of their identifiers, until it returns false.
    func forEachView(
        in collection: Collection, after: RecordID?,
        _ body: (RecordID, RecordView?) throws(StorageError) -> Bool
    ) throws(StorageError) {
        var walk = ViewWalk(over: collection, after: after, self)
        try walk.goOn(self, body)
    }
}

extension RecordRows {
    /// Returns what the content of a row shows; nil of a record that is not live.
    fileprivate func view(
        of content: RowContent, in collection: Collection
    ) throws(StorageError) -> RecordView? {
        switch content {
        case .state(let state): return log.schema.view(of: state)
        case .bytes(let id, let bytes):
            do throws(CRDTError) {
                if let view = try RecordRow.view(bytes, of: id, in: collection) { return view }
                let state = try RecordRow.decode(bytes, collection: collection.id, record: id)
                return log.schema.view(of: state)
            } catch {
                // The way of a damaged row: the log tells what it should hold.
                let key = RecordKey(collection: collection.id, record: id)
                return try record(key).flatMap { log.schema.view(of: $0.state) }
            }
        }
    }
}

extension RowContent {
    fileprivate var record: RecordID {
        switch self {
        case .bytes(let id, _): id
        case .state(let state): state.record
        }
    }
}
