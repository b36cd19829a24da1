import Foundation
import Linnet
import LinnetCRDT
import LinnetControl
import LinnetReplication
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeObservingTests {
    private let home = TestHome()

    private func node() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
    }

    @Test func `a record, a query and a count are told once and then when they differ`()
        async throws
    {
        let node = try await node()
        let observation: Observation<Record?> = try await node.observe("item", "a")
        var record = observation.makeAsyncIterator()
        var query = try await node.observe(Query("item", where: FieldName("size") > 1))
            .makeAsyncIterator()
        var count = try await node.observeCount(Query("item")).makeAsyncIterator()
        #expect(try await record.next() == .some(nil))
        #expect(try await query.next() == [])
        #expect(try await count.next() == 0)
        try await node.set("item", "a", ["size": 1])
        #expect(try await record.next()??["size"] == 1)
        #expect(try await count.next() == 1)
        try await node.set("item", "a", ["size": 2])
        #expect(try await query.next()?.map(\.id) == ["a"], "the first change did not show in it")
        // Nobody reads meanwhile: only the latest state is left.
        for size in 3...20 { try await node.set("item", "a", ["size": .int(Int64(size))]) }
        #expect(try await record.next()??["size"] == 20)
        await node.stop()
        #expect(try await record.next() == nil)
        #expect(try await count.next() == nil)
    }

    @Test func `a query sees that the parent of its records came and went`() async throws {
        let node = try await node()
        try await node.set("note", "n", ["item": "a"])
        var count = try await node.observeCount(Query("note")).makeAsyncIterator()
        #expect(try await count.next() == 0)
        try await node.set("item", "a", ["name": "A"])
        #expect(try await count.next() == 1)
        try await node.delete("item", "a")
        #expect(try await count.next() == 0)
        await node.stop()
    }

    /// Asks as another process would: on a thread of its own, which waits for the answers.
    private func command<Request: ControlRequest>(
        _ request: Request, _ reply: @escaping @Sendable (Request.Answer) -> ControlReply
    ) async throws -> [Request.Answer] {
        let path = home("laptop")
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        var seen: [Request.Answer] = []
                        let client = try ControlClient(Home.open(at: path))
                        try client.converse(request, within: nil, tell: { _ in }) {
                            (answer) throws(ControlFailure) in
                            seen.append(answer)
                            return reply(answer)
                        }
                        return seen
                    })
            }
        }
    }

    /// Observes while a record is written and deleted, until `last` is told.
    private func follow<Request: ControlRequest>(
        _ request: Request, of node: Node, until last: Request.Answer
    ) async throws {
        let writer = Task {
            for size in Int64(0)..<20 { try await node.set("item", "a", ["size": .int(size)]) }
            try await node.delete("item", "a")
        }
        let seen = try await command(request) { $0 == last ? .cancel : .more }
        try await writer.value
        #expect(seen.last == last)
        for (one, next) in zip(seen, seen.dropFirst()) { #expect(one != next) }
        try await node.set("item", "a", ["size": 0])
    }

    @Test func `another process observes through the socket, at its own pace`() async throws {
        let node = try await node()
        try await node.start(.loopback)
        try await node.set("item", "a", ["size": 0])
        let id = try #require(RecordID("a"))
        let key = RecordKey(collection: 2_000, record: id)
        try await follow(RecordObservationRequest(key), of: node, until: [])
        try await follow(QueryObservationRequest(Query("item")), of: node, until: [])
        try await follow(CountObservationRequest(Query("item")), of: node, until: 0)
        await #expect(throws: ControlFailure.self) {
            try await command(ChangesRequest(77)) { _ in .cancel }
        }
        await node.stop()
    }

    @Test func `changes of all collections are told with the records as they look`() async throws {
        let node = try await node()
        try await node.start(.loopback)
        let writer = Task {
            // The observation begins whenever the command is heard: it is written until then.
            var number: Int64 = 0
            while !Task.isCancelled {
                number += 1
                try await node.set("item", "a", ["size": .int(number)])
                try await node.insert("event", "e\(number)", ["what": "w"])
            }
        }
        let collections = Mutex<Set<UInt32>>([])
        let seen = try await command(ChangesRequest()) { changed in
            collections.withLock { collections in
                for change in changed where change.record != nil {
                    collections.insert(change.key.collection)
                }
                return collections.count > 1 ? .cancel : .more
            }
        }
        writer.cancel()
        _ = try? await writer.value
        #expect(!seen.isEmpty && collections.withLock(\.self) == [2_000, 2_002])
        await node.stop()
    }
}
