import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeQueryTests {
    private let home = TestHome()

    private func filled() async throws -> Node {
        let node = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
        var transaction = Transaction()
        for (id, name, size) in [
            ("a", "Aspirin", 3), ("b", "Bisoprolol", 1), ("c", "Aspirin forte", 2), ("d", "", 2),
        ] {
            if !name.isEmpty { transaction.set("item", id, ["name": .text(name)]) }
            transaction.set("item", id, ["size": .int(Int64(size))])
        }
        transaction.set("item", "a", ["dosage": [2, "mg"]])
        transaction.set("item", "c", ["dosage": [10, "mg"]])
        transaction.add("item", "b", "tags", "heart")
        transaction.add("item", "b", "tags", "old")
        try await node.commit(transaction)
        return node
    }

    private func ids(
        _ node: Node, _ condition: Condition, sort: [SortKey] = []
    ) async throws -> String {
        try await node.fetch(Query("item", where: condition, sort: sort)).map(\.id).joined()
    }

    @Test func `every comparison finds what it says`() async throws {
        let node = try await filled()
        let (name, size) = (FieldName("name"), FieldName("size"))
        #expect(try await ids(node, name == "Aspirin") == "a")
        #expect(try await ids(node, name != "Aspirin") == "bcd")
        #expect(try await ids(node, size < 2) == "b")
        #expect(try await ids(node, size <= 2) == "bcd")
        #expect(try await ids(node, size > 2) == "a")
        #expect(try await ids(node, size >= 2) == "acd")
        #expect(try await ids(node, name.contains("spirin")) == "ac")
        #expect(try await ids(node, FieldName("tags").contains("heart")) == "b")
        #expect(try await ids(node, name.begins(with: "Bis")) == "b")
        #expect(try await ids(node, name.isNull) == "d")
        #expect(try await ids(node, FieldName("amount") > 2) == "c")
        #expect(try await ids(node, FieldName("dosage.unit") == "mg") == "ac")
        #expect(try await ids(node, FieldName("id") >= "c") == "cd")
        #expect(try await ids(node, size == "2") == "", "types do not mix")
        await node.stop()
    }

    @Test func `conditions are joined and turned round`() async throws {
        let node = try await filled()
        let (name, size) = (FieldName("name"), FieldName("size"))
        #expect(try await ids(node, name.begins(with: "A") && size == 2) == "c")
        #expect(try await ids(node, size == 1 || size == 3) == "ab")
        #expect(try await ids(node, !(size == 2)) == "ab")
        #expect(try await ids(node, .all([])) == "abcd")
        #expect(try await ids(node, .any([])) == "")
        var deep = name == "Aspirin"
        for _ in 0..<40 { deep = !deep }
        await #expect(throws: LinnetError.self) { try await node.fetch(Query("item", where: deep)) }
        await #expect(throws: LinnetError.schema(.unknownField("colour"))) {
            try await node.fetch(Query("item", where: FieldName("colour") == "red"))
        }
        await #expect(throws: LinnetError.schema(.unknownCollection("things"))) {
            try await node.fetch(Query("things"))
        }
        await node.stop()
    }

    @Test func `records are sorted by several fields and paged`() async throws {
        let node = try await filled()
        var query = Query("item", sort: [SortKey("size"), SortKey("id", descending: true)])
        #expect(try await node.fetch(query).map(\.id).joined() == "bdca")
        query.limit = 2
        #expect(try await node.fetch(query).map(\.id).joined() == "bd")
        query.offset = 2
        #expect(try await node.fetch(query).map(\.id).joined() == "ca")
        query.offset = .max
        query.limit = .max
        #expect(try await node.fetch(query).isEmpty)
        #expect(try await node.count(query) == 4)
        #expect(
            try await node.fetch(Query("item", sort: [SortKey("name")])).map(\.id).joined()
                == "dacb", "no value comes first")
        #expect(try await node.fetch(Query("item", offset: 1, limit: 2)).map(\.id) == ["b", "c"])
        await node.stop()
    }

    @Test func `a long collection is paged in order whatever the limit`() async throws {
        let node = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
        var transaction = Transaction()
        for number in 0..<3_000 {
            let size = Int64(number * 7_919 % 3_000)
            transaction.set("item", "r\(number)", ["size": .int(size)])
        }
        try await node.commit(transaction)
        let page = try await node.fetch(
            Query("item", sort: [SortKey("size")], offset: 100, limit: 5))
        #expect(page.compactMap { $0["size"] } == [100, 101, 102, 103, 104])
        await node.stop()
    }

    @Test func `a record whose parent is missing or deleted is left out until it is there`()
        async throws
    {
        let node = try await filled()
        try await node.set("note", "n1", ["item": "a", "text": "x"])
        try await node.set("note", "n2", ["item": "later", "text": "y"])
        #expect(try await node.list("note").map(\.id) == ["n1"])
        #expect(try await node.get("note", "n2")?.standing == .dangling)
        try await node.set("item", "later", ["name": "Later"])
        #expect(try await node.list("note").map(\.id) == ["n1", "n2"])
        try await node.delete("item", "a")
        #expect(try await node.list("note").map(\.id) == ["n2"])
        #expect(try await node.count(Query("note")) == 1)
        let all = try await node.fetch(Query("note", showsDetached: true))
        #expect(all.map(\.standing) == [.hidden, .attached])
        try await node.restore("item", "a")
        #expect(try await node.list("note").map(\.id) == ["n1", "n2"])
        await node.stop()
    }
}
