import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NodeRecordsTests {
    private let home = TestHome()

    private func node() async throws -> Node {
        try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
    }

    @Test func `a member of a group keeps the value of the other`() async throws {
        let node = try await node()
        try await node.set("medication", "a", ["amount": 100, "unit": "mg"])
        try await node.set("medication", "a", ["dosage.amount": .decimal(.init(parsing: "2.5")!)])
        let record = try #require(try await node.get("medication", "a"))
        #expect(record["unit"] == "mg" && record["dosage.unit"] == "mg")
        #expect(record["amount"]?.description == "2.5")
        #expect(record["dosage"]?.description == "[2.5, mg]")
        #expect(record.cells.map(\.name) == ["amount", "unit"])
        #expect(record["form"] == nil)
        await node.stop()
    }

    @Test func `a deleted record is gone and can be written again`() async throws {
        let node = try await node()
        try await node.set("medication", "a", ["name": "A", "form": "tablet"])
        try await node.delete("medication", "a")
        #expect(try await node.get("medication", "a") == nil)
        #expect(try await node.delete("medication", "a").operations == 0)
        try await node.set("medication", "a", ["name": "A"])
        #expect(try await node.get("medication", "a")?["form"] == nil)
        await node.stop()
    }

    @Test func `repeating an intent changes nothing`() async throws {
        let node = try await node()
        let first = try await node.set("medication", "a", ["name": "A"], intent: "tap-1")
        try await node.set("medication", "a", ["name": "B"])
        let second = try await node.set("medication", "a", ["name": "A"], intent: "tap-1")
        #expect(second.isRepeated && second.commit == first.commit)
        #expect(try await node.get("medication", "a")?["name"] == "B")
        await node.stop()
    }

    @Test func `what the schema refuses changes nothing and names the field`() async throws {
        let node = try await node()
        let refusals: [([String: Value], SchemaError)] = [
            (["nonsense": 1], .unknownField("nonsense")),
            (["name": 1], .wrongType(field: "name", expected: "text")),
            (["dosage": ["mg"]], .wrongCount(field: "dosage", expected: 2)),
        ]
        for (fields, error) in refusals {
            await #expect(throws: LinnetError.schema(error)) {
                try await node.set("medication", "a", fields)
            }
        }
        let wrongUnit = await #expect(throws: LinnetError.self) {
            try await node.set("medication", "a", ["name": "A", "unit": "stone"])
        }
        #expect(wrongUnit?.description.contains("dosage.unit must be one of mg, g") == true)
        await #expect(throws: LinnetError.schema(.unknownCollection("x"))) {
            try await node.get("x", "a")
        }
        await #expect(throws: LinnetError.badRecordID("")) { try await node.get("medication", "") }
        await #expect(throws: LinnetError.badIntent) {
            try await node.set("medication", "a", ["name": "A"], intent: "")
        }
        #expect(try await node.list("medication").isEmpty)
        await node.stop()
    }

    @Test func `a slow reader of changes hears of each record once`() async throws {
        let node = try await node()
        let changes = try await node.changes(in: "medication")
        for number in 0..<10 {
            try await node.set("medication", "a", ["name": .text("\(number)")])
        }
        try await node.set("medication", "b", ["name": "B"])
        try await node.rename("Other")
        await node.stop()
        var seen: [String] = []
        for await change in changes { seen.append(change.id) }
        #expect(seen == ["a", "b"])
    }

    @Test func `a device without a group refuses to write`() async throws {
        let node = try await Node.createToJoin(at: home("watch"), name: "W", kind: .watch)
        await #expect(throws: LinnetError.notAMember) {
            try await node.set("medication", "a", ["name": "A"])
        }
        await #expect(throws: LinnetError.notAMember) { try await node.digest() }
        await node.stop()
    }
}
