import Linnet
import LinnetAPI
import LinnetCLI
import LinnetCRDT
import LinnetControl
import LinnetReplication
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

    private func requests(
        _ words: [String], _ collection: Collection = collection, key: String? = nil
    ) throws -> [WriteRequest] {
        try Assignment.requests(words, of: try record(), collection, key: key)
    }

    private func changes(_ words: String..., key: String? = nil) throws -> [Change] {
        let requests = try requests(words, key: key)
        guard requests.count == 1, case .changes(let write) = requests[0] else { return [] }
        #expect(try write.key == record())
        return write.changes
    }

    private func record() throws -> RecordKey {
        RecordKey(collection: 2_000, record: try #require(RecordID("n")))
    }

    @Test func `plain values are changed first and the others follow`() throws {
        #expect(
            try changes("tags+=a=b", "title=x", "mark=", "body=") == [
                .set(FieldWrite(1, .text("x"))), .set(FieldWrite(5, .null)),
                .add(field: 3, .text("a=b")), .rewrite(field: 4, ""),
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
        #expect(throws: ControlFailure.self) { try changes("stock+=1@") }
    }

    @Test func `a count without a key is left to the node, which draws one`() throws {
        let half = try #require(Decimal64(parsing: "-0.5"))
        let count = WriteRequest.count(try record(), field: 2, amount: .decimal(half))
        #expect(try requests(["stock+=-0.5"]) == [count])
        #expect(
            try requests(["stock-=0.5", "title=x"]) == [
                .changes(Write(try record(), [.set(FieldWrite(1, .text("x")))])), count,
            ])
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
            try requests(["b=2", "c="], log)
                == [.changes(Write(try record(), [.insert([FieldValues(1, [.null, .int(2)])])]))])
    }
}
