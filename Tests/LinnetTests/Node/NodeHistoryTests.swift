import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeHistoryTests {
    private let home = TestHome()

    private func node() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
    }

    @Test func `the history of a field has its losers, newest first`() async throws {
        let node = try await node()
        for name in ["A", "B", "C"] { try await node.set("item", "a", ["name": .text(name)]) }
        try await node.set("item", "b", ["name": "other"])
        let history = try await node.history("item", "a", field: "name")
        #expect(history.map(\.value) == ["C", "B", "A"])
        #expect(history.map(\.action) == [.set, .set, .set])
        #expect(history[0].fate == .shows)
        #expect(history[1].fate == .lost(to: history[0].id))
        #expect(history[0].device.name == "Laptop" && history[0].writtenMilliseconds > 0)
        #expect(try await node.history("item", "a", limit: 2).map(\.value) == ["C", "B"])
        #expect(try await node.history("item", "a", limit: 0).isEmpty)
        #expect(try await node.history("item", "nothing").isEmpty)
        await node.stop()
    }

    @Test func `every kind tells what was written and what became of it`() async throws {
        let node = try await node()
        try await node.count("item", "a", "stock", by: 5, key: "k")
        try await node.recount("item", "a", "stock", to: 30)
        try await node.count("item", "a", "stock", by: -1)
        var history = try await node.history("item", "a", field: "stock")
        #expect(history.map(\.action) == [.count, .recount, .count])
        #expect(history.map(\.value) == [-1, 30, 5])
        #expect(history[2].key == "k")
        #expect(history[2].fate == .lost(to: history[1].id), "the count had seen it")
        #expect(history[0].fate == .shows && history[1].fate == .shows)

        try await node.add("item", "a", "tags", "x")
        try await node.remove("item", "a", "tags", "x")
        history = try await node.history("item", "a", field: "tags")
        #expect(history.map(\.action) == [.remove, .add])
        #expect(history[0].fate == .shows && history[1].fate == .lost(to: history[0].id))

        try await node.set("item", "a", ["mood": "good"])
        try await node.set("item", "a", ["mood": "bad"])
        history = try await node.history("item", "a", field: "mood")
        #expect(history[1].fate == .lost(to: history[0].id))

        try await node.rewrite("item", "a", "story", "abc")
        try await node.edit("item", "a", "story", at: 1, deleting: 1)
        history = try await node.history("item", "a", field: "story")
        #expect(history.map(\.action) == [.deleteText, .insertText])
        #expect(history.map(\.value) == [1, "abc"])

        try await node.insert("event", "e", ["what": "w", "size": 2])
        history = try await node.history("event", "e")
        #expect(history.map(\.action) == [.insert] && history[0].value == ["w", 2])
        await node.stop()
    }

    @Test func `what a delete left behind is told as such`() async throws {
        let node = try await node()
        try await node.set("item", "a", ["name": "A"])
        try await node.delete("item", "a")
        var history = try await node.history("item", "a")
        #expect(history.map(\.action) == [.delete, .set])
        #expect(history.map(\.fate) == [.shows, .deleted])
        try await node.restore("item", "a")
        history = try await node.history("item", "a")
        #expect(history.map(\.action) == [.restore, .delete, .set])
        #expect(history.map(\.fate) == [.shows, .lost(to: nil), .shows])
        await node.stop()
    }

    @Test func `why names the winner, the losers, the rule and who has it`() async throws {
        let nodes = try await twoDevices()
        try await nodes[0].set("item", "a", ["name": "A"])
        try await nodes[0].set("item", "a", ["name": "B"])
        try await nodes[0].sync()
        try await nodes[1].set("item", "a", ["name": "C"])
        try await nodes[1].sync()
        let why = try await nodes[0].why("item", "a", "name")
        #expect(why.value == "C" && why.field == "name" && !why.rule.isEmpty)
        #expect(why.winners.map(\.value) == ["C"] && why.winners[0].device.name == "watch")
        #expect(why.others.map(\.value) == ["B", "A"])
        #expect(why.holders.map(\.device.name) == ["laptop", "watch"])
        #expect(why.holders.map(\.holding) == [.holds, .holds])
        #expect(why.waiting.isEmpty)
        await stop(nodes)
        let alone = try await Node.open(at: home("laptop"), schema: .everyKind())
        // What the watch said last is known without it.
        let before = try await alone.why("item", "a", "name")
        #expect(before.holders.map(\.holding) == [.holds, .holds])
        try await alone.set("item", "a", ["name": "D"])
        let unsent = try await alone.why("item", "a", "name")
        #expect(unsent.holders.map(\.holding) == [.holds, .lacks])
        await #expect(throws: LinnetError.schema(.unknownField("colour"))) {
            try await alone.why("item", "a", "colour")
        }
        await alone.stop()
    }

    private func twoDevices() async throws -> [Node] {
        let laptop = try await Node.create(
            at: home("laptop"), name: "laptop", kind: .laptop, schema: .everyKind())
        let watch = try await Node.createToJoin(
            at: home("watch"), name: "watch", kind: .watch, schema: .everyKind())
        try await laptop.start(.loopback)
        try await watch.start(.loopback)
        try await pair(watch, with: laptop)
        return [laptop, watch]
    }
}
