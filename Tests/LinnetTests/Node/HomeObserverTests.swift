import Glibc
import Linnet
import LinnetControl
import LinnetReplication
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HomeObserverTests {
    private let home = TestHome()

    private var path: String { home("laptop") }

    /// Uses the home for a moment, as a command without a node does.
    private func withHome(_ body: (Node) async throws -> Void) async throws {
        let node = try await Node.open(at: path, schema: .everyKind())
        try await body(node)
        await node.stop()
    }

    @Test func `a home is observed without a node, and through nodes that come and go`()
        async throws
    {
        let first = try await Node.create(
            at: path, name: "Laptop", kind: .laptop, schema: .everyKind())
        try await first.set("item", "a", ["size": 1])
        await first.stop()
        let observer = HomeObserver(path)
        let observed: HomeObservation<Record?> = try observer.observe("item", "a")
        var record = observed.makeAsyncIterator()
        var count = try observer.observeCount(Query("item", where: FieldName("size") > 10))
            .makeAsyncIterator()
        #expect(try await record.next()??["size"] == 1)
        #expect(try await count.next() == 0)
        try await withHome { try await $0.set("item", "a", ["size": 2]) }
        #expect(try await record.next()??["size"] == 2)
        for round in 0..<2 {
            let node = try await Node.open(at: path, schema: .everyKind())
            try await node.start(.loopback)
            for size in 10 * round + 3...10 * round + 12 {
                try await node.set("item", "a", ["size": .int(Int64(size))])
            }
            // Nobody read meanwhile: only the latest state is left.
            #expect(try await record.next()??["size"] == .int(Int64(10 * round + 12)))
            await node.stop()
        }
        #expect(try await count.next() == 1)
        try await withHome { try await $0.delete("item", "a") }
        #expect(try await record.next() == .some(nil))
        #expect(try await count.next() == 0)
    }

    @Test func `a query is observed as the node's own would be`() async throws {
        let node = try await Node.create(
            at: path, name: "Laptop", kind: .laptop, schema: .everyKind())
        try await node.start(.loopback)
        let query = Query("item", sort: [SortKey("size", descending: true)], limit: 2)
        var records = try HomeObserver(path).observe(query).makeAsyncIterator()
        #expect(try await records.next() == [])
        for (id, size) in [("a", 1), ("b", 3), ("c", 2)] {
            try await node.set("item", id, ["size": .int(Int64(size))])
        }
        var last = try await records.next()
        while last?.count != 2 || last?.first?.id != "b" || last?.last?.id != "c" {
            last = try await records.next()
        }
        #expect(try await last == node.fetch(query))
        await node.stop()
    }

    @Test func `an observation ends with its task, and says why it cannot read`() async throws {
        let node = try await Node.create(
            at: path, name: "Laptop", kind: .laptop, schema: .everyKind())
        await node.stop()
        let observer = HomeObserver(path)
        let task = Task {
            var count = try observer.observeCount(Query("item")).makeAsyncIterator()
            _ = try await count.next()
            return try await count.next()
        }
        task.cancel()
        #expect(try await task.value == nil)
        #expect(throws: LinnetError.badRecordID("")) {
            let _: HomeObservation<Record?> = try observer.observe("item", "")
        }
        var wrong = try observer.observe(Query("nothing")).makeAsyncIterator()
        await #expect(throws: LinnetError.schema(.unknownCollection("nothing"))) {
            try await wrong.next()
        }
        var missing = try HomeObserver(home("nowhere")).observeCount(Query("item"))
            .makeAsyncIterator()
        await #expect(throws: LinnetError.self) { try await missing.next() }
    }

    @Test func `an observer hears that a home can no longer be entered`() async throws {
        let node = try await Node.create(
            at: path, name: "Laptop", kind: .laptop, schema: .everyKind())
        await node.stop()
        var count = try HomeObserver(path).observeCount(Query("item")).makeAsyncIterator()
        #expect(try await count.next() == 0)
        try #require(unsafe chmod(path, 0o755) == 0)
        await #expect(
            throws: LinnetError.home(.directoryPermissions(path: path, mode: 0o755))
        ) {
            try await count.next()
        }
    }

    @Test func `no home and no node are told apart from a home that cannot be entered`()
        async throws
    {
        #expect(try ControlClient.ifListening(at: home("nowhere")) == nil)
        let node = try await Node.create(
            at: path, name: "Laptop", kind: .laptop, schema: .everyKind())
        #expect(try ControlClient.ifListening(at: path) == nil)
        try await node.start(.loopback)
        #expect(try ControlClient.ifListening(at: path) != nil)
        await node.stop()
        #expect(try ControlClient.ifListening(at: path) == nil)
        try #require(unsafe chmod(path, 0o755) == 0)
        #expect(throws: HomeError.directoryPermissions(path: path, mode: 0o755)) {
            try ControlClient.ifListening(at: path)
        }
        #expect(throws: ControlFailure.self) { try Gateway.running(at: path) }
    }
}
