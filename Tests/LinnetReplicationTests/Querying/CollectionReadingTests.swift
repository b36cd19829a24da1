import LinnetCRDT
import Testing

@testable import LinnetReplication

/// The reading of a whole collection in pages.
@Suite struct CollectionReadingTests {
    private static let records = 2_500

    private let fleet: Fleet
    private let device: Device

    init() throws {
        fleet = try Fleet.ofThings()
        device = try fleet.group(["a"])[0]
        try write(Self.names(0..<Self.records))
    }

    private static func names(_ numbers: Range<Int>) -> [String] {
        numbers.map { "r\(10_000 + $0)" }
    }

    private func write(_ names: [String]) throws {
        try device.commit(
            try names.map { name in
                try Write.set(
                    collection: 2_000, record: #require(RecordID(name)),
                    fields: [FieldWrite(5, .int(1))])
            }, at: fleet.now)
    }

    private func delete(_ names: [String]) throws {
        try device.commit(
            try names.map { name in
                let key = RecordKey(collection: 2_000, record: try #require(RecordID(name)))
                return Write(key, [.delete])
            }, at: fleet.now)
    }

    private func page(_ reading: inout CollectionReading) throws -> [String] {
        try #require(try device.replica?.reader.records(&reading)).map(\.id.description)
    }

    /// Every page to the end, with what happens after the first one.
    private func pages(after first: () throws -> Void = {}) throws -> [[String]] {
        var reading = CollectionReading(2_000)
        var pages = [try page(&reading)]
        try first()
        while !reading.isDone { pages.append(try page(&reading)) }
        return pages
    }

    @Test(arguments: [false, true])
    func `pages follow one another without a gap`(areRowsWritten: Bool) throws {
        if areRowsWritten { try device.replica?.foldEverything() }
        let pages = try pages()
        #expect(pages.flatMap(\.self) == Self.names(0..<Self.records))
        #expect(pages.map(\.count) == [1_024, 1_024, 452])
    }

    @Test func `what is written between two pages is met once if it comes after`() throws {
        let pages = try pages {
            try write(["r10000", "r10001a", "r12000a", "r12600"])
            try delete(["r10002", "r12400"])
        }
        let all = pages.flatMap(\.self)
        var expected = Self.names(0..<Self.records) + ["r12000a", "r12600"]
        expected.removeAll { $0 == "r12400" }
        #expect(all == expected.sorted())
    }

    @Test func `a page ends when it has some megabytes`() throws {
        let text = String(repeating: "x", count: 60_000)
        let writes = try Self.names(0..<200).map { name in
            let key = RecordKey(collection: 2_000, record: try #require(RecordID(name)))
            return Write(key, [.edit(field: 3, at: 0, deleting: 0, inserting: text)])
        }
        try device.commit(writes, at: fleet.now)
        let first = try #require(try pages().first)
        #expect(first.count == 70)
    }

    @Test func `the deleted come in pages as well`() throws {
        try delete(Self.names(0..<1_500))
        var reading = CollectionReading(2_000)
        var found: [[TrashView]] = []
        while !reading.isDone {
            found.append(try #require(try device.replica?.reader.trash(&reading)))
        }
        #expect(found.map(\.count) == [1_024, 476, 0])
    }

    @Test func `progress goes on from page to page`() throws {
        let words = ReadWords()
        var reading = CollectionReading(2_000, telling: words.telling)
        while !reading.isDone { _ = try page(&reading) }
        #expect(words.all.map(\.read) == [1_000, 2_000, 2_500])
        #expect(words.all.map(\.total) == [2_500, 2_500, 2_500])
        #expect(words.all.map(\.found) == [999, 1_999, 2_500])
    }

    @Test func `an unknown collection is refused`() throws {
        var reading = CollectionReading(7)
        #expect(throws: ReplicaError.unknownCollection(7)) { _ = try page(&reading) }
    }
}
