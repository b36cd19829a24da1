package import LinnetCRDT
import LinnetStorage

/// A reading of a whole collection, a page at a time, in the order of identifiers.
///
/// Each record is as it was when its page was read. What is written meanwhile is met if it comes
/// after the page.
package struct CollectionReading: Sendable {
    /// The most records that one page reads.
    private static let pageRecords = 1_024
    /// The bytes that one page has, about; its last record may have more.
    private static let pageBytes = 4 << 20

    /// The collection.
    let collection: UInt32
    /// True when all was read.
    package private(set) var isDone = false
    /// The last record that was read; nil at the beginning.
    fileprivate private(set) var last: RecordID?
    private let tell: ReadTelling?
    private var progress: ReadingProgress?
    /// The amount that the page under way has.
    private var page = (records: 0, bytes: 0)

    /// Begins to read a collection. `tell` is told how many records were read.
    package init(_ collection: UInt32, telling tell: ReadTelling? = nil) {
        self.collection = collection
        self.tell = tell
    }

    /// Begins a page.
    fileprivate mutating func begin(_ reader: RecordReader) throws(StorageError) {
        page = (0, 0)
        if progress == nil { progress = try reader.progress(over: collection, tell) }
    }

    /// Returns true when a page has room for the record that comes next.
    fileprivate func hasRoom() -> Bool {
        page.records < Self.pageRecords && page.bytes < Self.pageBytes
    }

    /// Counts a record that was read, with its bytes if it is in the answer.
    fileprivate mutating func count(_ record: RecordID, _ bytes: Int?) {
        last = record
        page.records += 1
        page.bytes += bytes ?? 0
        progress?.count()
        if bytes != nil { progress?.find() }
    }

    /// Notes that nothing comes any more.
    fileprivate mutating func end() {
        isDone = true
        progress?.end()
    }
}

extension RecordReader {
    /// Returns the live records of the next page, with those whose parents are not there.
    package func records(
        _ reading: inout CollectionReading
    ) throws(ReplicaError) -> [RecordView] {
        guard let declared = log.schema.collection(id: reading.collection) else {
            throw .unknownCollection(reading.collection)
        }
        var views: [RecordView] = []
        var standings = Standings()
        let mayDetach = declared.hasReferences
        try storage { () throws(StorageError) in
            try reading.begin(self)
            var isEnd = true
            try forEachView(in: declared, after: reading.last) {
                (id, shown) throws(StorageError) in
                isEnd = reading.hasRoom()
                guard isEnd else { return false }
                reading.count(id, shown?.approximateBytes)
                guard var view = shown else { return true }
                if mayDetach { view.standing = try standing(of: view, in: declared, &standings) }
                views.append(view)
                return true
            }
            if isEnd { reading.end() }
        }
        return views
    }

    /// Returns the deleted records of the next page, with what they last held.
    package func trash(_ reading: inout CollectionReading) throws(ReplicaError) -> [TrashView] {
        var found: [TrashView] = []
        try page(of: &reading) { (state, declared) throws(StorageError) in
            guard let view = buried(state, in: declared) else { return nil }
            found.append(view)
            return view.record.approximateBytes
        }
        return found
    }

    /// Gives `body` the records of the next page; it returns the bytes of what it takes into the
    /// answer.
    private func page(
        of reading: inout CollectionReading,
        _ body: (RecordState, Collection) throws(StorageError) -> Int?
    ) throws(ReplicaError) {
        guard let declared = log.schema.collection(id: reading.collection) else {
            throw .unknownCollection(reading.collection)
        }
        try storage { () throws(StorageError) in
            try reading.begin(self)
            var isEnd = true
            try forEachRecord(in: reading.collection, after: reading.last) {
                (state) throws(StorageError) in
                isEnd = reading.hasRoom()
                if isEnd { reading.count(state.record, try body(state, declared)) }
                return isEnd
            }
            if isEnd { reading.end() }
        }
    }
}
