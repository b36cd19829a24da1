import LinnetCRDT
import Testing

@testable import LinnetReplication

/// The reports to somebody who waits for many records.
struct ReadTellingTests {
    private static let records = 2_500

    private func device() throws -> Device {
        let fleet = try Fleet.ofThings()
        let device = try fleet.group(["a"])[0]
        let writes = try (0..<Self.records).map { number in
            try Write.set(
                collection: 2_000, record: #require(RecordID("r\(10_000 + number)")),
                fields: [FieldWrite(5, .int(Int64(number % 2)))])
        }
        try device.commit(writes, at: fleet.now)
        return device
    }

    private func words(
        _ query: Query
    ) throws -> (words: [ReadWords.Word], page: Int, next: String?) {
        let words = ReadWords()
        let page = try #require(
            try device().replica?.reader.page(matching: query, telling: words.telling))
        return (words.all, page.records.count, page.next)
    }

    @Test(arguments: [nil, 1, 700, 2_000, 2_500, 9_000] as [Int?], [false, true])
    func `the last word is that all is read, with what is in the answer`(
        limit: Int?, isHalf: Bool
    ) throws {
        var query = Query("thing", limit: limit)
        if isHalf { query.condition = .test("peak", .equal, .int(1)) }
        let (words, count, _) = try words(query)
        let last = try #require(words.last)
        #expect(last.read == last.total)
        // One more than the page has tells whether there is another page.
        #expect(last.found == count || last.found == count + 1)
        for (earlier, later) in zip(words, words.dropFirst()) {
            #expect(earlier.read < later.read && earlier.found <= later.found)
        }
        for word in words { #expect(word.read <= word.total && word.total <= Self.records) }
    }

    @Test func `a reading that ends when there is enough counts up to its end`() throws {
        let half = Condition.test("peak", .equal, .int(1))
        let (words, _, _) = try words(Query("thing", where: half, limit: 600))
        #expect(words[0].read == 1_000)
        // Every other one is in the answer: of 2,500 about 1,200 are read.
        #expect((1_190...1_210).contains(words[0].total))
        #expect(words.last?.found == 601)
    }

    @Test func `of what follows a place nobody knows how much there is, until enough is found`()
        throws
    {
        let device = try device()
        var query = Query("thing", limit: 10)
        query.after = try #require(try device.replica?.reader.page(matching: query).next)
        query.limit = nil
        let first = ReadWords()
        _ = try device.replica?.reader.page(matching: query, telling: first.telling)
        #expect(first.all.map(\.total) == [0, 0, 2_490])
        query.limit = 2_000
        let second = ReadWords()
        _ = try device.replica?.reader.page(matching: query, telling: second.telling)
        let totals = second.all.map(\.total)
        // The record that is read now is not found yet.
        #expect(totals.count == 3)
        for total in totals { #expect((2_001...2_004).contains(total)) }
    }
}
