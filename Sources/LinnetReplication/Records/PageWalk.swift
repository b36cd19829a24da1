import LinnetCRDT
import LinnetStorage

/// One walk over the pages of a collection. Those that are known and have no record that differs
/// from its row are passed over; the others are made from their records.
struct PageWalk {
    private let collection: Collection
    /// The pages that are known of the rows, in order; without a hash where that may not be used.
    private var known: [KnownPage]
    /// The records that differ from their rows, in order.
    private let changed: [Overlay.Held]
    private var nextKnown = 0
    private var nextChanged = 0
    /// The bytes up to which everything was walked over.
    private var after: [UInt8] = []
    /// The pages with their scopes, in order.
    private(set) var pages: [(scope: String, page: PageHash)] = []
    /// The pages that were made and are those of the rows.
    private(set) var made: [MadePage] = []
    /// The records that may still be read.
    private(set) var left: Int
    /// True once it ended before the end of the collection, behind a page that can be kept.
    private(set) var isStopped = false

    /// - Parameter limit: the records after which it stops as soon as a page can be kept.
    init(
        _ collection: Collection, _ known: [KnownPage], _ changed: [Overlay.Held],
        atMost limit: Int = .max
    ) {
        left = limit
        self.collection = collection
        self.changed = changed
        self.known = Self.unchanged(known, changed)
    }

    /// Takes the hashes of those pages away that have records which differ from their rows.
    private static func unchanged(
        _ known: [KnownPage], _ changed: [Overlay.Held]
    ) -> [KnownPage] {
        var next = 0
        return known.map { page in
            let first = next
            while next < changed.count,
                !page.last.lexicographicallyPrecedes(changed[next].state.record.utf8)
            {
                next += 1
            }
            return next == first ? page : KnownPage(last: page.last, hash: nil)
        }
    }

    /// Walks over all pages.
    mutating func run(_ rows: RecordRows) throws(StorageError) {
        while after != SQLiteStore.endOfPages && !isStopped {
            if nextKnown < known.count, let hash = known[nextKnown].hash {
                let last = known[nextKnown].last
                pages.append((scope(at: last), hash))
                nextKnown += 1
                go(to: last)
            } else {
                try read(rows)
            }
        }
    }

    /// Goes on from the end of a page.
    private mutating func go(to last: [UInt8]) {
        after = last
        while nextChanged < changed.count,
            !last.lexicographicallyPrecedes(changed[nextChanged].state.record.utf8)
        {
            nextChanged += 1
        }
    }

    /// Makes pages from records until one ends where a known page does, after which there is one
    /// with a hash.
    private mutating func read(_ rows: RecordRows) throws(StorageError) {
        var maker = PageMaker(collection, after: after)
        var next = nextChanged
        var isAligned = false
        try rows.log.store.forEachRow(
            collection: collection.id, after: after, mending: rows.mended
        ) { (row) throws(StorageError) in
            while next < changed.count, changed[next].state.record < row.state.record {
                isAligned = try !add(changed[next].state, isChanged: true, to: &maker)
                next += 1
                if isAligned { return false }
            }
            if next < changed.count, changed[next].state.record == row.state.record {
                isAligned = try !add(
                    changed[next].whole(over: row.state), isChanged: true, to: &maker)
                next += 1
            } else {
                isAligned = try !add(row.state, isChanged: false, to: &maker)
            }
            return !isAligned
        }
        while !isAligned, next < changed.count {
            isAligned = try !add(changed[next].state, isChanged: true, to: &maker)
            next += 1
        }
        guard !isAligned else { return }
        for page in maker.finish() { _ = note(page) }
        go(to: SQLiteStore.endOfPages)
    }

    private mutating func add(
        _ state: RecordState, isChanged: Bool, to maker: inout PageMaker
    ) throws(StorageError) -> Bool {
        left -= 1
        return try maker.add(state, isChanged: isChanged) { note($0) }
    }

    /// Notes a page that was made; false when the next one is known.
    private mutating func note(_ page: PageMaker.Page) -> Bool {
        pages.append((page.scope, page.made.hash))
        if page.isOfRows { made.append(page.made) }
        let last = page.made.last
        var isAligned = false
        while nextKnown < known.count, !last.lexicographicallyPrecedes(known[nextKnown].last) {
            isAligned = known[nextKnown].last == last
            nextKnown += 1
        }
        go(to: last)
        isStopped = left <= 0 && page.isOfRows && last != SQLiteStore.endOfPages
        return !isStopped
            && !(isAligned && nextKnown < known.count && known[nextKnown].hash != nil)
    }

    /// Returns the scope of the page that ends with an identifier, or with the end of a scope.
    private func scope(at last: [UInt8]) -> String {
        let bytes = last.last == 0xff ? last.dropLast() : last[...]
        guard !bytes.isEmpty else {
            if case .divided = collection.scope { return "" }
            return collection.scope.name
        }
        let id = String(validating: bytes, as: UTF8.self).flatMap { RecordID($0) }
        return id.flatMap { collection.scope.scope(of: $0) } ?? ""
    }
}
