import LinnetCRDT
import Testing

@testable import LinnetReplication

@Suite struct RequestQueueTests {
    private func write(_ name: String, collection: UInt32 = 1, _ value: Int64 = 0) throws -> Write {
        .set(
            collection: collection, record: try #require(RecordID(name)),
            fields: [FieldWrite(1, .int(value))])
    }

    private func all(_ queue: RequestQueue, _ most: Int) -> [[WriteRequest]] {
        var queue = queue
        var taken: [[WriteRequest]] = []
        while true {
            let next = queue.take(most)
            if next.isEmpty { return taken }
            taken.append(next)
        }
    }

    @Test func `requests on one record come together, each in its own order`() throws {
        let writes = try [
            write("b", 1), write("a", collection: 2, 2), write("a", 3), write("b", 4),
            write("a", 5), write("a-long-name-2", 6), write("a-long-name-1", 7),
        ]
        let order = [2, 4, 6, 5, 0, 3, 1]
        #expect(all(RequestQueue(writes), 3).flatMap(\.self) == order.map { .changes(writes[$0]) })
    }

    @Test func `requests of which the replica chooses something keep their order`() throws {
        let key = RecordKey(collection: 1, record: try #require(RecordID("c")))
        let requests: [WriteRequest] = try [
            .changes(write("b")), .count(key, field: 2, amount: .int(1)), .changes(write("a")),
        ]
        #expect(all(RequestQueue(requests), 2) == [Array(requests[..<2]), Array(requests[2...])])
    }

    @Test func `each request is handed out once, in pieces that are full but for the last`() throws
    {
        let writes = try (0..<10).map { try write("r\($0)") }
        var queue = RequestQueue(writes)
        #expect(queue.count == 10)
        #expect(all(queue, 4).map(\.count) == [4, 4, 2])
        #expect(queue.take(20).count == 10)
        #expect(queue.take(1).isEmpty)
        #expect(all(RequestQueue([Write]()), 4).isEmpty)
    }
}
