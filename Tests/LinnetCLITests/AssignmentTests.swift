import Linnet
import LinnetCLI
import LinnetCRDT
import Testing

struct AssignmentTests {
    private static let collection = Collection(
        id: 2_000, name: "note", scope: "notes",
        fields: [
            Field(id: 1, name: "title", type: .text),
            Field(id: 2, name: "stock", kind: .tally, type: .decimal),
            Field(id: 3, name: "tags", kind: .set, type: .text),
            Field(id: 4, name: "body", kind: .text),
            Field(id: 5, name: "mark", kind: .mv, type: .text),
        ])

    private func changes(_ words: String..., key: String? = nil) throws -> [ControlChange] {
        try Assignment.changes(words, Self.collection, key: key)
    }

    @Test func `plain values are one change and the others follow`() throws {
        #expect(
            try changes("tags+=a=b", "title=x", "mark=", "body=") == [
                .set([
                    ControlField(field: 1, value: .text("x")), ControlField(field: 5, value: .null),
                ]), .add(field: 3, .text("a=b")), .rewrite(field: 4, ""),
            ])
    }

    @Test func `a count has the key of its word, else that of the option`() throws {
        let half = try #require(Decimal64(parsing: "-0.5"))
        #expect(
            try changes("stock-=0.5@k", key: "o")
                == [.count(field: 2, key: "k", amount: .decimal(half))])
        #expect(
            try changes("stock+=-0.5", key: "o")
                == [.count(field: 2, key: "o", amount: .decimal(half))])
        #expect(
            try changes("stock+=-0.5") == [.count(field: 2, key: nil, amount: .decimal(half))])
        #expect(throws: ControlFailure.self) { try changes("stock+=1@") }
    }

    @Test func `a log's record is whole`() throws {
        let log = Collection.log(
            id: 2_001, name: "log", scope: .always("l"),
            fields: [
                Field(
                    id: 1, name: "g",
                    group: [Field.Member("a", .int), Field.Member("b", .int)]),
                Field(id: 2, name: "c", type: .int),
            ])
        #expect(
            try Assignment.changes(["b=2", "c="], log) == [
                .insert([
                    ControlField(field: 1, member: 0, value: .null),
                    ControlField(field: 1, member: 1, value: .int(2)),
                ])
            ])
    }
}
