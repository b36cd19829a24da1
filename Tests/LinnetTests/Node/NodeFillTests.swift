import Linnet
import Testing

/// Fields that are replaced by new ones, on devices that upgrade apart.
@Suite(.timeLimit(.minutes(5)))
struct NodeFillTests {
    private let home = TestHome()

    private func schema(_ version: UInt32) throws -> Schema {
        var fields = [
            Field(id: 1, name: "note", type: .text), Field(id: 2, name: "pills", type: .int),
            Field(id: 3, name: "remarks", kind: .mv, type: .text),
            Field(id: 4, name: "place", kind: .order),
        ]
        if version > 1 {
            fields += [
                Field(id: 11, name: "body", kind: .text),
                Field(id: 12, name: "stock", kind: .tally, type: .decimal),
                Field(id: 13, name: "labels", kind: .set, type: .text),
                Field(id: 14, name: "opinions", kind: .mv, type: .text),
                Field(id: 15, name: "shelf", kind: .order),
                Field(id: 16, name: "title", type: .text),
            ]
        }
        return try Schema(
            version: version,
            collections: [Collection(id: 2_000, name: "box", scope: "boxes", fields: fields)])
    }

    private static let copies = [
        ("body", "note"), ("stock", "pills"), ("labels", "remarks"), ("opinions", "note"),
        ("shelf", "place"), ("title", "note"),
    ]

    private func open(_ name: String) async throws -> Node {
        try await Node.open(at: home(name), schema: schema(2))
    }

    @Test func `what devices copy that upgrade apart is there once, and can be changed`()
        async throws
    {
        let laptop = try await Node.create(
            at: home("laptop"), name: "laptop", kind: .laptop, schema: schema(1))
        try await laptop.start(.loopback)
        let phone = try await Node.createToJoin(
            at: home("phone"), name: "phone", kind: .phone, schema: schema(1))
        try await phone.start(.loopback)
        try await pair(phone, with: laptop)
        try await laptop.set("box", "x", ["note": "drink 水", "pills": 30, "remarks": "blue"])
        try await laptop.move("box", "x", to: .first, in: "place")
        try await laptop.sync()
        await stop([laptop, phone])

        let nodes = [try await open("laptop"), try await open("phone")]
        for node in nodes {
            for (field, source) in Self.copies {
                #expect(try await node.fill(field, from: source, in: "box") == 1)
                #expect(try await node.fill(field, from: source, in: "box") == 0)
            }
        }
        try await nodes[0].edit("box", "x", "body", at: 7, deleting: 0, inserting: "!")
        try await nodes[1].count("box", "x", "stock", by: -1)
        let port = try #require(try await nodes[0].start(.loopback))
        try await nodes[1].start(NodeOptions(listen: nil, discovery: .off))
        try await nodes[1].sync(with: ["127.0.0.1:\(port)"])
        for node in nodes {
            let record = try #require(try await node.get("box", "x"))
            #expect(record["body"] == "drink 水!" && record["title"] == "drink 水")
            #expect(record["stock"] == .decimal(try #require(Decimal64(parsing: "29"))))
            #expect(record["labels"] == ["blue"] && record["opinions"] == "drink 水")
            #expect(record["shelf"] == record["place"] && record.conflicts.isEmpty)
        }
        await stop(nodes)
    }

    @Test func `names and kinds that do not fit are refused, and nothing changes`() async throws {
        let node = try await Node.create(
            at: home("laptop"), name: "laptop", kind: .laptop, schema: schema(2))
        try await node.set("box", "x", ["note": "a"])
        for (field, source, collection, error) in [
            ("body", "note", "bag", LinnetError.schema(.unknownCollection("bag"))),
            ("bodies", "note", "box", .schema(.unknownField("bodies"))),
            ("body", "notes", "box", .schema(.unknownField("notes"))),
        ] {
            await #expect(throws: error) {
                try await node.fill(field, from: source, in: collection)
            }
        }
        let refused = await #expect(throws: LinnetError.self) {
            try await node.fill("shelf", from: "note", in: "box")
        }
        let told = refused?.description ?? ""
        #expect(told.contains("shelf cannot be filled: note holds no places"))
        #expect(try await node.get("box", "x")?["shelf"] == nil)
        await node.stop()
    }
}
