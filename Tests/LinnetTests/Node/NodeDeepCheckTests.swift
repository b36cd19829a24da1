import Linnet
import LinnetStorage
import Synchronization
import Testing

/// A node whose disk changed rows.
@Suite(.timeLimit(.minutes(5)))
struct NodeDeepCheckTests {
    private let home = TestHome()

    private func change(_ sql: String) throws {
        try Connection.open(path: home("laptop") + "/store.sqlite", vfs: nil).execute(sql)
    }

    private func filled() async throws {
        let node = try await Node.create(at: home("laptop"), name: "Laptop", kind: .laptop)
        for id in ["a", "b", "c"] { try await node.set("medication", id, ["name": .text(id)]) }
        await node.stop()
    }

    @Test func `a list shows every record when a row is damaged, and the record is named`()
        async throws
    {
        try await filled()
        try change("UPDATE records SET sealed = zeroblob(50) WHERE id = CAST('b' AS BLOB)")
        let node = try await Node.open(at: home("laptop"))
        #expect(try await node.list("medication").map(\.id) == ["a", "b", "c"])
        #expect(
            try await node.status().warnings.map(\.warning)
                == [.recordRebuilt(collection: "medication", id: "b")])
        #expect(try await node.get("medication", "b")?["name"] == "b")
        await node.stop()
        let again = try await Node.open(at: home("laptop"))
        #expect(try await again.list("medication").count == 3)
        #expect(try await again.status().warnings.isEmpty)
        await again.stop()
    }

    @Test func `a look at every record finds what is missing, and tells how far it is`()
        async throws
    {
        try await filled()
        try change("DELETE FROM records WHERE id = CAST('c' AS BLOB)")
        let node = try await Node.open(at: home("laptop"))
        #expect(try await node.list("medication").map(\.id) == ["a", "b"])
        let shares = Mutex<[Double]>([])
        let check = try await node.checkRecords { share in shares.withLock { $0.append(share) } }
        #expect(check.rebuilt == ["medication/c"])
        #expect(check.incomplete.isEmpty && check.damagedBatches == 0)
        // Three medicines, the device and the group's schema.
        #expect(check.records == 5)
        let told = shares.withLock { $0 }
        #expect(told == told.sorted() && told.last == 1)
        #expect(try await node.list("medication").map(\.id) == ["a", "b", "c"])
        await node.stop()
    }
}
