import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

/// The hashes of pages beside the rows that they are made from.
struct PageTableTests {
    let home: TemporaryHome

    init() throws { home = try TemporaryHome() }

    private func put(_ store: SQLiteStore, _ names: String...) throws {
        try store.begin()
        for name in names { try store.putRecord(.sample(name)) }
        try store.commit()
    }

    private func page(_ after: String, _ last: [UInt8], _ byte: UInt8) -> MadePage {
        MadePage(
            collection: 7, after: Array(after.utf8), last: last,
            hash: PageHash(hash: Bytes32(repeating: byte), rank: 1, records: 2))
    }

    /// Two pages: up to "b", and from there to the end.
    private var two: [MadePage] {
        [page("", Array("b".utf8), 1), page("b", SQLiteStore.endOfPages, 2)]
    }

    /// The hash of each page by its first byte; nil of one that is stale.
    private func hashes(_ store: SQLiteStore) throws -> [UInt8?] {
        try store.pages(collection: 7).map { $0.hash?.hash.array.first }
    }

    @Test func `pages are known at once, and after the file was closed and opened`() throws {
        var store = try home.open()
        try put(store, "a", "b", "c")
        #expect(try store.pages(collection: 7).isEmpty)
        store.keepPages(two)
        #expect(try hashes(store) == [1, 2])
        #expect(try store.pages(collection: 8).isEmpty)
        try store.close()
        store = try home.open()
        let pages = try store.pages(collection: 7)
        #expect(pages.map(\.last) == [Array("b".utf8), SQLiteStore.endOfPages])
        #expect(pages.map(\.hash) == two.map(\.hash))
        try store.close()
    }

    private static let written: [(String, [UInt8?])] = [
        ("a", [nil, 2]), ("b", [nil, 2]), ("bb", [1, nil]), ("z", [1, nil]),
    ]

    @Test(arguments: written)
    func `the page of a row that is written is stale`(
        name: String, expected: [UInt8?]
    ) throws {
        let store = try home.open()
        try put(store, "a", "b", "c")
        store.keepPages(two)
        try put(store, name)
        #expect(try hashes(store) == expected)
        // Those that are made anew take the place of all that lay in them.
        store.keepPages([page("", SQLiteStore.endOfPages, 3)])
        #expect(try hashes(store) == [3])
        try put(store, "d")
        #expect(try hashes(store) == [nil])
        try store.close()
    }

    @Test func `a page that is kept alone begins where it says`() throws {
        var store = try home.open()
        try put(store, "a", "b", "c")
        store.keepPages([two[0], page("bb", SQLiteStore.endOfPages, 2)])
        store.keepPages([page("bb", SQLiteStore.endOfPages, 2)])
        for _ in 0..<2 {
            let pages = try store.pages(collection: 7)
            let ends = pages.map(\.last)
            #expect(ends == [Array("b".utf8), Array("bb".utf8), SQLiteStore.endOfPages])
            #expect(try hashes(store) == [1, nil, 2])
            try store.close()
            store = try home.open()
        }
        try store.close()
    }

    @Test func `rows in order make each page stale once, those in no order too`() throws {
        let store = try home.open()
        try put(store, "a", "b", "c")
        store.keepPages(two)
        try put(store, "a", "aa", "b", "c", "d")
        #expect(try hashes(store) == [nil, nil])
        store.keepPages(two)
        try put(store, "d", "a")
        #expect(try hashes(store) == [nil, nil])
        try store.close()
    }

    @Test func `a transaction that is taken back leaves the pages as they were`() throws {
        let store = try home.open()
        try put(store, "a", "b", "c")
        store.keepPages(two)
        try put(store, "z")
        try store.begin()
        try store.putRecord(.sample("a"))
        #expect(try hashes(store) == [nil, nil])
        store.rollback()
        #expect(try hashes(store) == [1, nil])
        // Another write in the same place is noticed as well.
        try put(store, "a")
        #expect(try hashes(store) == [nil, nil])
        try store.close()
    }

    @Test func `rows that are taken away take the pages along`() throws {
        let store = try home.open()
        let ways: [() throws -> Void] = [
            { try store.removeAllRecords(collections: [7]) },
            { try store.removeRecords(collection: 7, prefix: Array("a".utf8)) },
            { try store.removeRow(1, collection: 7) },
            { try store.forgetPages() },
        ]
        for way in ways {
            try put(store, "a", "b", "c")
            store.keepPages(two)
            try store.begin()
            try way()
            try store.commit()
            #expect(try store.pages(collection: 7).isEmpty)
        }
        try store.close()
    }

    @Test func `a hash that does not open is made anew`() throws {
        var store = try home.open()
        try put(store, "a")
        store.keepPages(two)
        try store.close()
        // One page in the place of the other.
        try home.tamper(
            "UPDATE pages SET sealed = (SELECT sealed FROM pages ORDER BY last DESC LIMIT 1)")
        store = try home.open()
        #expect(try hashes(store) == [nil, 2])
        try store.close()
    }
}
