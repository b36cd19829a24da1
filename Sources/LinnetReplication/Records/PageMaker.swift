import LinnetCRDT
import LinnetCrypto
import LinnetStorage
import LinnetWire

/// Cuts the live records of a collection, which come in order, into the pages of its digest.
///
/// A page ends with a record the hash of whose identifier begins with a zero byte, one in 256, or
/// with the last of its scope: where pages end follows from the records, in whatever order they
/// were written, as levels do in Merkle search trees (Auvolat and Taïani, "Merkle Search Trees:
/// Efficient State-Based CRDTs in Open Networks", 2019).
struct PageMaker: ~Copyable {
    /// A page that is complete.
    struct Page {
        let made: MadePage
        /// The scope of its records.
        let scope: String
        /// True when its bounds and records are those of the rows, so that its hash may be kept.
        let isOfRows: Bool
    }

    private let collection: Collection
    /// The bytes after which the open page begins.
    private var after: [UInt8]
    private var scope: String?
    private var hasher = DigestTree.hasher(level: 0)
    private var records = 0
    private var isOfRows = true
    private var startsAtRow = true

    /// Begins after some bytes, where a page of the rows begins.
    init(_ collection: Collection, after: [UInt8]) {
        self.collection = collection
        self.after = after
    }

    /// Takes the next record, live or not, and gives `body` the pages that end before and with it
    /// until it returns false; returns false then.
    ///
    /// - Parameter isChanged: true when the record differs from its row.
    mutating func add(
        _ state: RecordState, isChanged: Bool, _ body: (Page) throws(StorageError) -> Bool
    ) throws(StorageError) -> Bool {
        let home = state.isLive ? collection.scope.scope(of: state.record) : nil
        if let home, let scope, !scope.utf8.elementsEqual(home.utf8),
            try !body(endOfScope(scope))
        {
            return false
        }
        if isChanged { isOfRows = false }
        guard let home else { return true }
        scope = home
        hasher.update(state.canonicalBytes)
        records += 1
        let rank = DigestTree.rank(of: state.record)
        guard rank > 0 else { return true }
        return try body(end(at: state.record.utf8, rank: rank, of: home, isChanged: isChanged))
    }

    /// Returns the pages that are left once the last record came: the open one, and one without
    /// records that covers what comes after all scopes.
    mutating func finish() -> [Page] {
        var pages: [Page] = []
        if let scope { pages.append(endOfScope(scope)) }
        if after != SQLiteStore.endOfPages {
            pages.append(end(at: SQLiteStore.endOfPages, rank: 0, of: "", isChanged: false))
        }
        return pages
    }

    private mutating func endOfScope(_ scope: String) -> Page {
        end(at: collection.scope.prefix(of: scope) + [0xff], rank: 0, of: scope, isChanged: false)
    }

    private mutating func end(
        at last: [UInt8], rank: UInt8, of scope: String, isChanged: Bool
    ) -> Page {
        var finished = DigestTree.hasher(level: 0)
        swap(&finished, &hasher)
        let hash = PageHash(
            hash: BatchName.wide(finished.finish()), rank: rank, records: records)
        let page = Page(
            made: MadePage(collection: collection.id, after: after, last: last, hash: hash),
            scope: scope, isOfRows: isOfRows && startsAtRow)
        (after, self.scope, records) = (last, nil, 0)
        (isOfRows, startsAtRow) = (true, !isChanged)
        return page
    }
}
