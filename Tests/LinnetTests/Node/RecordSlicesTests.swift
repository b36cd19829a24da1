import Linnet
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RecordSlicesTests {
    private let home = TestHome()

    @Test func `a scan meets each record once, and writes come in between`() async throws {
        let node = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
        var transaction = Transaction()
        for number in 1_000..<3_000 {
            transaction.set("item", "i\(number)", ["size": .int(Int64(number % 10))])
        }
        try await node.commit(transaction)
        let query = Query("item", where: FieldName("size") == 3, sort: [SortKey("name")], limit: 1)
        var ids: [String] = []
        var slices = 0
        for try await slice in try await node.scan(query) {
            #expect(!slice.isEmpty && slice.count <= 512)
            ids += slice.map(\.id)
            slices += 1
            // These come after all that was read, and before it.
            if slices == 1 {
                try await node.set("item", "j", ["size": 3])
                try await node.set("item", "a", ["size": 3])
                try await node.delete("item", "i2993")
            }
        }
        let expected = (1_000..<3_000).filter { $0 % 10 == 3 && $0 != 2_993 }.map { "i\($0)" }
        #expect(ids == expected + ["j"])
        #expect(slices == 4)
        var none = try await node.scan(Query("note")).makeAsyncIterator()
        #expect(try await none.next() == nil)
        await #expect(throws: LinnetError.schema(.unknownCollection("nothing"))) {
            try await node.scan(Query("nothing"))
        }
        await node.stop()
    }
}
