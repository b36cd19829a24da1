import LinnetReplication
import Synchronization
import Testing

@testable import Linnet

/// Readings of many records while others write.
@Suite(.timeLimit(.minutes(5)))
struct NodeSlicesTests {
    private let home = TestHome()

    private final class WriteMeter: Sendable {
        let writes = Atomic<Int>(0)
        let first = Atomic<Int>(-1)
        let most = Atomic<Int>(0)

        /// Notes the writes that ended since the reading began to tell.
        func tell(_ read: Int, _ total: Int, _ found: Int) {
            let now = writes.load(ordering: .relaxed)
            if read == 1_000 { first.store(now, ordering: .relaxed) }
            most.max(now - first.load(ordering: .relaxed), ordering: .relaxed)
        }
    }

    /// Two records whose sizes are each other's opposite, the first and the last of all.
    private static func pair(_ size: Int) -> Transaction {
        var transaction = Transaction()
        transaction.set("item", "a", ["size": .int(Int64(size))])
        transaction.set("item", "z", ["size": .int(Int64(-size))])
        return transaction
    }

    @Test(arguments: [false, true])
    func `writes go on while many records are read, and the answer is of one moment`(
        foldsAtOnce: Bool
    ) async throws {
        let node = try await Node.create(
            at: home("laptop"), name: "Laptop", kind: .laptop, schema: .everyKind())
        var transaction = Self.pair(0)
        for number in 10_000..<16_000 { transaction.set("item", "i\(number)", ["size": 1]) }
        try await node.commit(transaction)
        if foldsAtOnce { try await node.foldAtOnce() }
        let meter = WriteMeter()
        let writer = Task {
            var number = 0
            while !Task.isCancelled {
                number += 1
                try await node.commit(Self.pair(number), durability: .relaxed)
                meter.writes.add(1, ordering: .relaxed)
            }
        }
        let query = Query("item", where: FieldName("size") > -1_000_000_000)
        var readings = 0
        // One write may have ended just before the reading began.
        let wanted = 2
        repeat {
            readings += 1
            let sums = try await node.figures(
                [.sum("size"), .count], of: query, by: [], telling: { meter.tell($0, $1, $2) })
            #expect(sums.first?.figures.map(\.value) == [6_000, 6_002])
            let records = try await node.fetch(query)
            #expect(records.count == 6_002)
            #expect(records.first?["size"] == records.last.flatMap { Self.opposite($0["size"]) })
            #expect(try await node.count(query) == 6_002)
        } while meter.most.load(ordering: .relaxed) < wanted && readings < 200
        #expect(meter.most.load(ordering: .relaxed) >= wanted, "no write came in between")
        writer.cancel()
        try await writer.value
        await node.stop()
    }

    private static func opposite(_ value: Value?) -> Value? {
        guard case .int(let number)? = value else { return nil }
        return .int(-number)
    }
}

extension Node {
    /// Writes rows with every commit from now on.
    fileprivate func foldAtOnce() throws {
        replica?.foldPolicy = FoldPolicy(
            work: 0, dirtyBytes: 0, cleanBytes: 1 << 20, rowsForWork: 4, rowsAtLeast: 64)
    }
}
