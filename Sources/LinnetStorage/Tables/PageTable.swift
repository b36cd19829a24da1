internal import LinnetCRDT
package import LinnetWire

/// The statements on the hashes of pages.
struct PageTable: ~Copyable {
    let ofCollection: Statement
    let covering: Statement
    let makeStale: Statement
    let put: Statement
    let bound: Statement
    let deleteRange: Statement
    let deleteCollections: Statement
    let any: Statement

    init(_ connection: borrowing Connection) {
        ofCollection = connection.prepare(
            "SELECT last, version, sealed FROM pages WHERE collection = ? ORDER BY last",
            place: "pages")
        covering = connection.prepare(
            """
            SELECT last, length(sealed) FROM pages
            WHERE collection = ? AND last >= ? ORDER BY last LIMIT 1
            """, place: "pages")
        makeStale = connection.prepare(
            "UPDATE pages SET sealed = x'' WHERE collection = ? AND last = ?", place: "pages")
        put = connection.prepare(
            "INSERT OR REPLACE INTO pages (collection, last, version, sealed) VALUES (?, ?, ?, ?)",
            place: "pages")
        bound = connection.prepare(
            "INSERT OR IGNORE INTO pages (collection, last, version, sealed) VALUES (?, ?, ?, x'')",
            place: "pages")
        deleteRange = connection.prepare(
            "DELETE FROM pages WHERE collection = ? AND last > ? AND last <= ?", place: "pages")
        deleteCollections = connection.prepare(
            "DELETE FROM pages WHERE collection BETWEEN ? AND ?", place: "pages")
        any = connection.prepare("SELECT 1 FROM pages LIMIT 1", place: "pages")
    }
}

/// The hash over the live records of a page, in the order of their identifiers.
package struct PageHash: Equatable, Sendable {
    /// The hash; that of a page without records says nothing.
    package let hash: Bytes32
    /// The number of zero bytes with which the hash of the last identifier begins.
    package let rank: UInt8
    /// The number of records.
    package let records: Int

    /// Joins the hash of a page and what is known of its records.
    package init(hash: Bytes32, rank: UInt8, records: Int) {
        self.hash = hash
        self.rank = rank
        self.records = records
    }
}

/// A page of a collection, which begins after the one before.
package struct KnownPage: Equatable, Sendable {
    /// The bytes after which the next page begins: no identifier of the page comes after them.
    package let last: [UInt8]
    /// The hash; nil once a row of the page was written.
    package let hash: PageHash?

    /// Joins the end of a page and its hash.
    package init(last: [UInt8], hash: PageHash?) {
        self.last = last
        self.hash = hash
    }
}

/// A page whose hash was made from rows.
package struct MadePage: Equatable, Sendable {
    /// The collection.
    package let collection: UInt32
    /// The bytes after which it begins.
    package let after: [UInt8]
    /// The bytes up to which it goes.
    package let last: [UInt8]
    /// The hash over its live records.
    package let hash: PageHash

    /// Joins a page and its hash.
    package init(collection: UInt32, after: [UInt8], last: [UInt8], hash: PageHash) {
        self.collection = collection
        self.after = after
        self.last = last
        self.hash = hash
    }
}

/// The pages that were made since the last transaction, and the records whose page is known to be
/// stale, so that a fold, which writes rows in order, looks for each page once.
struct PageBook {
    fileprivate(set) var pending: [MadePage] = []
    /// A part of a collection in which no page has a hash.
    fileprivate var stale: (collection: UInt32, from: [UInt8], upTo: [UInt8])?
    /// False when the file has no pages; nil when that is not known.
    fileprivate var hasAny: Bool?

    /// Forgets what is at hand, as after a transaction that was taken back.
    mutating func forget() { self = PageBook() }
}

extension SQLiteStore {
    /// No identifier comes after these bytes, since they are not UTF-8.
    package static let endOfPages: [UInt8] = [0xff]

    /// The pages of a collection that are known, in order.
    package func pages(collection: UInt32) throws(StorageError) -> [KnownPage] {
        var kept: [KnownPage] = []
        if try hasPages() {
            try file.pages.ofCollection.forEachRow(
                .integer(Int64(collection))
            ) { (row) throws(StorageError) in
                let last = try row.bytes(0)
                let hash = try pageHash(
                    collection, last, version: try row.number(1), sealed: try row.bytes(2))
                kept.append(KnownPage(last: last, hash: hash))
                return true
            }
        }
        let made = pages.pending.filter { $0.collection == collection }
        guard !made.isEmpty else { return kept }
        return Self.joined(kept, made.sorted { $0.last.lexicographicallyPrecedes($1.last) })
    }

    /// Puts pages in the place of those that were known of the same records. Where the page before
    /// is not known, a stale one ends: otherwise a page would count for what is before it, too.
    private static func joined(_ kept: [KnownPage], _ made: [MadePage]) -> [KnownPage] {
        var (all, next): ([KnownPage], Int) = ([], 0)
        for page in made {
            while next < kept.count, !page.after.lexicographicallyPrecedes(kept[next].last) {
                all.append(kept[next])
                next += 1
            }
            while next < kept.count, !page.last.lexicographicallyPrecedes(kept[next].last) {
                next += 1
            }
            let before = all.last?.last ?? []
            if before == page.last { continue }
            if before != page.after { all.append(KnownPage(last: page.after, hash: nil)) }
            all.append(KnownPage(last: page.last, hash: page.hash))
        }
        return all + kept[next...]
    }

    /// Remembers pages whose hashes were made from the rows as they are.
    package func keepPages(_ made: [MadePage]) { pages.pending += made }

    /// Forgets all pages.
    package func forgetPages() throws(StorageError) {
        try forgetPages(collections: 0...UInt32.max)
    }

    func forgetPages(collections: ClosedRange<UInt32>) throws(StorageError) {
        checkTransaction()
        pages.pending.removeAll { collections.contains($0.collection) }
        pages.stale = nil
        guard try hasPages() else { return }
        try file.pages.deleteCollections.run(
            .integer(Int64(collections.lowerBound)), .integer(Int64(collections.upperBound)))
    }

    /// Takes the hash of the page away that has a record whose row is about to be written.
    func makePageStale(of collection: UInt32, _ id: RecordID) throws(StorageError) {
        // They were made from the rows as they still are.
        try savePages()
        guard try hasPages() else { return }
        if let stale = pages.stale, stale.collection == collection,
            !id.utf8.lexicographicallyPrecedes(stale.from),
            !stale.upTo.lexicographicallyPrecedes(id.utf8)
        {
            return
        }
        let page = try file.pages.covering.firstRow(
            .integer(Int64(collection)), .bytes(id.utf8)
        ) { (row) throws(StorageError) in (last: try row.bytes(0), size: try row.integer(1)) }
        if let page, page.size > 0 {
            try file.pages.makeStale.run(.integer(Int64(collection)), .bytes(page.last))
        }
        pages.stale = (collection, id.utf8, page?.last ?? Self.endOfPages)
    }

    /// Writes the pages that were made since; inside a transaction.
    func savePages() throws(StorageError) {
        guard !pages.pending.isEmpty else { return }
        for page in pages.pending {
            let collection = Binding.integer(Int64(page.collection))
            try file.pages.deleteRange.run(collection, .bytes(page.after), .bytes(page.last))
            let sealed = file.sealer.seal(
                .pages, Self.pageKey(page.collection, page.last), page.hash.encoded)
            if !page.after.isEmpty {
                try file.pages.bound.run(
                    collection, .bytes(page.after), .integer(Int64(SealedTable.rowVersion)))
            }
            try file.pages.put.run(
                collection, .bytes(page.last), .integer(Int64(SealedTable.rowVersion)),
                .bytes(sealed))
        }
        pages.pending = []
        (pages.stale, pages.hasAny) = (nil, true)
    }

    private func hasPages() throws(StorageError) -> Bool {
        if let known = pages.hasAny { return known }
        let any = try file.pages.any.firstRow { (row) throws(StorageError) in try row.integer(0) }
        pages.hasAny = any != nil
        return any != nil
    }

    /// Returns the hash of a page; nil of one that is stale, and of one whose row is damaged.
    private func pageHash(
        _ collection: UInt32, _ last: [UInt8], version: UInt32, sealed: [UInt8]
    ) throws(StorageError) -> PageHash? {
        guard !sealed.isEmpty else { return nil }
        do throws(StorageError) {
            return PageHash(
                decoding: try file.sealer.open(
                    .pages, Self.pageKey(collection, last), sealed, version: version))
        } catch .corrupt {
            return nil
        }
    }

    private static func pageKey(_ collection: UInt32, _ last: [UInt8]) -> [UInt8] {
        var key: [UInt8] = []
        BigEndian.append(collection, to: &key)
        return key + last
    }
}

extension PageHash {
    fileprivate var encoded: [UInt8] {
        var bytes = hash.array
        bytes.append(rank)
        BigEndian.append(UInt64(records), to: &bytes)
        return bytes
    }

    fileprivate init?(decoding bytes: [UInt8]) {
        guard bytes.count == 41, let hash = Bytes32(Array(bytes[..<32])) else { return nil }
        let records = bytes[33...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(hash: hash, rank: bytes[32], records: Int(clamping: records))
    }
}
