import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeWritingTests {
    private let home = TestHome()

    private func node() async throws -> Node {
        try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
    }

    /// One write of every kind, each of a record of its own that `prepare` made.
    private static let writes: [(name: String, Transaction)] = [
        ("set", transaction { $0.set("item", "set", ["name": "A", "mood": "good"]) }),
        ("count", transaction { $0.count("item", "count", "stock", by: 3) }),
        ("recount", transaction { $0.recount("item", "recount", "stock", to: 12) }),
        ("add", transaction { $0.add("item", "add", "tags", "x") }),
        ("remove", transaction { $0.remove("item", "remove", "tags", "old") }),
        ("edit", transaction { $0.edit("item", "edit", "story", at: 0, inserting: "ab") }),
        ("rewrite", transaction { $0.rewrite("item", "rewrite", "story", "new") }),
        ("insert", transaction { $0.insert("event", "insert", ["what": "w", "size": 1]) }),
        ("delete", transaction { $0.delete("item", "delete") }),
        ("restore", transaction { $0.restore("item", "restore") }),
        ("move", transaction { $0.move("item", "move", to: .first) }),
    ]

    private static func transaction(_ body: (inout Transaction) -> Void) -> Transaction {
        var transaction = Transaction()
        body(&transaction)
        return transaction
    }

    private func prepare(_ node: Node) async throws {
        try await node.add("item", "remove", "tags", "old")
        try await node.set("item", "delete", ["name": "D"])
        try await node.set("item", "restore", ["name": "R"])
        try await node.delete("item", "restore")
        try await node.set("item", "move", ["name": "M"])
        try await node.rewrite("item", "rewrite", "story", "old")
    }

    @Test func `a write of every kind does what it says`() async throws {
        let node = try await node()
        try await prepare(node)
        for (_, write) in Self.writes { try await node.commit(write) }
        #expect(try await node.get("item", "set")?["mood"] == "good")
        #expect(try await node.get("item", "count")?["stock"] == 3)
        #expect(try await node.get("item", "recount")?["stock"] == 12)
        #expect(try await node.get("item", "add")?["tags"] == ["x"])
        #expect(try await node.get("item", "remove")?["tags"] == [])
        #expect(try await node.get("item", "edit")?["story"] == "ab")
        #expect(try await node.get("item", "rewrite")?["story"] == "new")
        #expect(try await node.get("event", "insert")?["size"] == 1)
        #expect(try await node.get("item", "delete") == nil)
        #expect(try await node.get("item", "restore")?["name"] == "R")
        #expect(try await node.get("item", "move")?["place"] != nil)
        #expect(try await node.trash("item").map(\.record.id) == ["delete"])
        await node.stop()
    }

    @Test func `a write of every kind counts once when its intent is repeated`() async throws {
        let node = try await node()
        try await prepare(node)
        var receipts: [WriteReceipt] = []
        for (name, write) in Self.writes {
            let first = try await node.commit(write, intent: "tap-\(name)")
            #expect(first.operations > 0 && !first.isRepeated, "\(name)")
            receipts.append(first)
        }
        let digest = try await node.digest()
        for (index, (name, write)) in Self.writes.enumerated() {
            let again = try await node.commit(write, intent: "tap-\(name)")
            #expect(again.isRepeated && again.commit == receipts[index].commit, "\(name)")
        }
        #expect(try await node.digest() == digest)
        await node.stop()
        let reopened = try await Node.open(at: home("laptop"), schema: .everyKind())
        for (index, (name, write)) in Self.writes.enumerated() {
            let again = try await reopened.commit(write, intent: "tap-\(name)")
            #expect(again.isRepeated && again.commit == receipts[index].commit, "\(name)")
            #expect(again.operations == receipts[index].operations, "\(name)")
        }
        #expect(try await reopened.digest() == digest)
        await reopened.stop()
    }

    @Test func `every call of one change takes an intent`() async throws {
        let node = try await node()
        try await prepare(node)
        for _ in 0..<2 {
            try await node.set("item", "a", ["name": "A"], intent: "1")
            try await node.count("item", "a", "stock", by: 2, intent: "2")
            try await node.recount("item", "b", "stock", to: 5, intent: "3")
            try await node.add("item", "a", "tags", "x", intent: "4")
            try await node.remove("item", "remove", "tags", "old", intent: "5")
            try await node.edit("item", "a", "story", at: 0, inserting: "ab", intent: "6")
            try await node.rewrite("item", "b", "story", "cd", intent: "7")
            try await node.insert("event", "e", ["what": "w"], intent: "8")
            try await node.delete("item", "delete", intent: "9")
            try await node.restore("item", "restore", intent: "10")
            try await node.move("item", "a", to: .last, intent: "11")
        }
        let record = try #require(try await node.get("item", "a"))
        #expect(record["stock"] == 2 && record["story"] == "ab" && record["tags"] == ["x"])
        await node.stop()
    }

    @Test func `amounts without a key all count, and those of one key count once`() async throws {
        let node = try await node()
        for _ in 0..<3 { try await node.count("item", "a", "stock", by: 1) }
        try await node.count("item", "a", "stock", by: 10, key: "monday")
        try await node.count("item", "a", "stock", by: 20, key: "monday")
        #expect(try await node.get("item", "a")?["stock"] == 23)
        await node.stop()
    }

    @Test func `records are moved before, after and to the ends`() async throws {
        let node = try await node()
        for id in ["a", "b", "c", "d"] { try await node.set("item", id, ["name": .text(id)]) }
        func order() async throws -> String {
            try await node.fetch(Query("item", sort: [SortKey("place")])).map(\.id).joined()
        }
        #expect(try await order() == "abcd")
        try await node.move("item", "d", to: .before("b"))
        #expect(try await order() == "adbc")
        try await node.move("item", "a", to: .last)
        #expect(try await order() == "dbca")
        try await node.move("item", "c", to: .first)
        #expect(try await order() == "cdba")
        try await node.move("item", "c", to: .after("d"), in: "place")
        #expect(try await order() == "dcba")
        await #expect(throws: LinnetError.noSuchRecord("x")) {
            try await node.move("item", "a", to: .after("x"))
        }
        await #expect(throws: LinnetError.self) {
            try await node.move("item", "a", to: .first, in: "name")
        }
        await node.stop()
    }

    @Test func `a write of another kind than its field is refused`() async throws {
        let node = try await node()
        await #expect(throws: LinnetError.self) {
            try await node.count("item", "a", "name", by: 1)
        }
        await #expect(throws: LinnetError.self) { try await node.set("item", "a", ["tags": ["x"]]) }
        await #expect(throws: LinnetError.self) {
            try await node.edit("item", "a", "story", at: 3, inserting: "x")
        }
        await #expect(throws: LinnetError.self) { try await node.insert("item", "a", [:]) }
        await #expect(throws: LinnetError.self) {
            try await node.count("item", "a", "stock", by: 1, key: "")
        }
        #expect(try await node.list("item").isEmpty)
        await node.stop()
    }
}
