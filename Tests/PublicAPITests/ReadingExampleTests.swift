import Linnet
import Testing

// shown in Sources/Linnet/Linnet.docc/reading.md
struct Box: Codable, Sendable, Identifiable {
    var id: String
    var medicine = ""
    var pills = 0
    var expires: CalendarDay?
    var rooms: Set<String> = []
}

let boxes = TypedCollection<Box>(
    id: 2_000, name: "box", scope: "home",
    fields: [
        .lww(1, "medicine", \.medicine, index: .blind), .tally(2, "pills", \.pills),
        .lww(3, "expires", \.expires, index: .clear), .set(4, "rooms", \.rooms),
    ])
// shown until here

/// The examples of the article about reading, compiled and run.
@Suite(.timeLimit(.minutes(5)))
struct ReadingExampleTests {
    private let household = Household()

    @Test func `boxes are found, sorted, paged, counted, followed and explained`() async throws {
        let laptop = try await household.laptop(boxes.collection)
        try await find(laptop)
        try await page(laptop)
        try await plan(laptop)
        try await figures(laptop)
        try await together(laptop)
        try await follow(laptop)
        try await followHome(laptop)
        let watch = try await household.watch(of: laptop)
        try await lookBack(laptop, watch)
        try await end(laptop, watch)
        try await followWithoutNode()
    }

    private func find(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        for (id, medicine, pills, day) in [
            ("a", "aspirin", 30, "2027-03-01"), ("b", "ibuprofen", 10, "2026-12-01"),
            ("c", "aspirin", 5, "2027-01-15"),
        ] {
            let box = Box(
                id: id, medicine: medicine, pills: pills, expires: CalendarDay(day),
                rooms: ["kitchen"])
            try await laptop.save(box, in: boxes)
        }

        // One by its identifier, and several by a condition, in an order.
        let one = try await laptop.fetch(boxes, "b")  // nil when there is none
        let low = try await laptop.fetch(
            boxes, where: boxes[\.pills] < 20 && boxes[\.rooms].contains("kitchen"),
            sort: [SortKey("expires", descending: true)])
        let ids = low.map(\.id)  // ["c", "b"]
        // shown until here
        #expect(one?.medicine == "ibuprofen" && one?.expires == CalendarDay("2026-12-01"))
        #expect(ids == ["c", "b"])
    }

    private func page(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        var query = Query("box", sort: [SortKey("expires")], limit: 2)
        var pages: [[String]] = []
        repeat {
            let page = try await laptop.page(query)
            pages.append(page.records.map(\.id))
            query.after = page.next
        } while query.after != nil
        // [["b", "c"], ["a"]]
        // shown until here
        #expect(pages == [["b", "c"], ["a"]])
    }

    private func plan(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        let exact = try await laptop.plan(of: Query("box", where: boxes[\.medicine] == "aspirin"))
        // .index(field: "medicine", .blind, .exact)
        let range = try await laptop.plan(of: Query("box", where: boxes[\.expires] < .date(20_819)))
        // .index(field: "expires", .clear, .range)
        let order = try await laptop.plan(of: Query("box", sort: [SortKey("expires")], limit: 2))
        // .index(field: "expires", .clear, .order)
        let scan = try await laptop.plan(of: Query("box", where: boxes[\.pills] < 20))
        // .scan
        // shown until here
        #expect(exact == .index(field: "medicine", .blind, .exact))
        #expect(range == .index(field: "expires", .clear, .range))
        #expect(order == .index(field: "expires", .clear, .order))
        #expect(scan == .scan)
    }

    private func figures(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        let totals = try await laptop.figures(
            [.count, .sum("pills"), .average("pills")], of: Query("box"), by: ["medicine"])
        let aspirin = totals.first { $0.by == ["aspirin"] }
        let pills = aspirin?.figures[1].value  // 35
        let mean = aspirin?.figures[2].value.description  // "17.5"

        // The end of a clear index answers alone.
        let next = try await laptop.figures([.min("expires")], of: Query("box"))
        let day = next.first?.figures.first?.value.description  // "2026-12-01"

        // Words, without case and accents.
        let words = boxes[\.medicine].matches("ASPÍ")
        let found = try await laptop.count(Query("box", where: words))  // 2

        // Very many records, of which some hundreds are in memory at a time.
        var names: Set<String> = []
        for try await slice in try await laptop.scan(Query("box", where: boxes[\.pills] > 5)) {
            names.formUnion(slice.map(\.id))
        }
        // ["a", "b"]
        // shown until here
        #expect(pills == 35 && mean == "17.5")
        #expect(day == "2026-12-01" && found == 2 && names == ["a", "b"])
    }

    private func together(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        struct TooFew: Error {}

        // Two pills go from one box into another, or nothing happens.
        try await laptop.transaction { tx in
            try tx.write { $0.count("box", "a", "pills", by: -2) }
            try tx.write { $0.count("box", "b", "pills", by: 2) }
            let left = try tx.fetch(boxes, "a")?.pills ?? 0  // 28: it sees what it wrote
            if left < 0 { throw TooFew() }
        }

        // Both numbers are of one state, whatever is written meanwhile.
        let (all, low) = try await laptop.read { (node) throws(LinnetError) in
            (
                try node.count(Query("box")),
                try node.count(Query("box", where: boxes[\.pills] < 20))
            )
        }
        // 3 and 2
        // shown until here
        #expect(all == 3 && low == 2)
        #expect(try await laptop.fetch(boxes, "a")?.pills == 28)
        await #expect(throws: TooFew.self) {
            try await laptop.transaction { tx in
                try tx.write { $0.count("box", "a", "pills", by: -100) }
                if try tx.fetch(boxes, "a")?.pills ?? 0 < 0 { throw TooFew() }
            }
        }
        #expect(try await laptop.fetch(boxes, "a")?.pills == 28)
    }

    private func follow(_ laptop: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        // What is there first, and then whenever it is different.
        var counts: [Int] = []
        for try await count in try await laptop.observeCount(
            Query("box", where: boxes[\.pills] < 20))
        {
            counts.append(count)
            if counts.count == 2 { break }
            try await laptop.recount("box", "a", "pills", to: 7)
        }
        // [2, 3]
        // shown until here
        #expect(counts == [2, 3])
        var record = try await laptop.observe("box", "a").makeAsyncIterator()
        #expect(try await record.next()??["pills"] == 7)
        var query = try await laptop.observe(Query("box", where: boxes[\.pills] == 7))
            .makeAsyncIterator()
        #expect(try await query.next()?.map(\.id) == ["a"])
    }

    private func followHome(_ laptop: Node) async throws {
        let folder = household.folder
        // shown in Sources/Linnet/Linnet.docc/reading.md
        let observer = HomeObserver(folder + "/laptop")
        var pills: [Value?] = []
        for try await box in try observer.observe("box", "a") {
            pills.append(box?["pills"])
            if pills.count == 2 { break }
            try await laptop.recount("box", "a", "pills", to: 12)
        }
        // [7, 12]
        // shown until here
        #expect(pills == [7, 12])
    }

    private func followWithoutNode() async throws {
        let observer = HomeObserver(household.folder + "/laptop")
        // shown in Sources/Linnet/Linnet.docc/reading.md

        // No node has the home open any more: the observer opens it itself, for a moment.
        var count = try observer.observeCount(Query("box")).makeAsyncIterator()
        let all = try await count.next()  // 3
        // shown until here
        #expect(all == 3)
    }

    private func lookBack(_ laptop: Node, _ watch: Node) async throws {
        // shown in Sources/Linnet/Linnet.docc/reading.md
        // Apart, both write the date, the watch later.
        try await laptop.set("box", "a", ["expires": .date(20_880)])
        // shown until here
        await household.tick()
        // shown in Sources/Linnet/Linnet.docc/reading.md
        try await watch.set("box", "a", ["expires": .date(20_911)])
        try await watch.start(.loopback)
        try await watch.sync()

        // Newest first: what shows, and what lost against it.
        let changes = try await laptop.history("box", "a", field: "expires", limit: 2)
        let fates = changes.map(\.fate)  // [.shows, .lost(to: changes[0].id)]

        let why = try await laptop.why("box", "a", "expires")
        let winner = why.winners.first?.device.name  // "Watch"
        let loser = why.others.first?.device.name  // "Laptop"
        let holders = why.holders.map(\.holding)  // [.holds, .holds]
        // shown until here
        #expect(fates == [.shows, .lost(to: changes.first?.id)])
        #expect(winner == "Watch" && loser == "Laptop" && holders == [.holds, .holds])
        #expect(why.value == .date(20_911))
    }
}
