import LinnetCRDT
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct CommitTests {
    private let fleet = Fleet()

    private func many(_ count: Int) throws -> [Write] {
        try (0..<count).map { number in
            let id = try #require(RecordID("record-\(number)"))
            let random = UInt64(number + 1) &* 0x9e37_79b9_7f4a_7c15
            return .set(
                collection: Device.medication, record: id,
                fields: [
                    FieldWrite(1, .text("medicine number \(number)")),
                    FieldWrite(2, .text("generic name " + String(random, radix: 16))),
                ])
        }
    }

    /// A commit of changes of one record, as it fills its parts.
    private func built(_ changes: [Change]) throws -> CommitBuilder {
        let bench = try Workbench()
        let chains = ChainBook([], device: bench.author.device, isStale: false)
        var book = RecordBook(seed: 1, schema: bench.schema)
        var builder = CommitBuilder(base: bench.author.clock.tick(wallMilliseconds: 1_000))
        let key = RecordKey(
            collection: Device.medication, record: try #require(RecordID("record")))
        try builder.add(
            Write(key, changes), to: &book, by: bench.author.id, .everything,
            bench.log(of: chains), &bench.turn)
        return builder
    }

    @Test func `a part is full at its number of operations, and at its bytes`() throws {
        let one = Change.set(FieldWrite(1, .text("value")))
        let byNumber = try built(
            [Change](repeating: one, count: Limits.operationsPerBatch + 1))
        #expect(byNumber.parts.map(\.operations.count) == [Limits.operationsPerBatch, 1])
        #expect(byNumber.parts.map(\.seq) == [1, 2])
        // Four of them are a little more than a part holds.
        let quarter = String(repeating: "x", count: Limits.commitBatchBytes / 4)
        let byBytes = try built(
            [Change](repeating: .set(FieldWrite(1, .text(quarter))), count: 5))
        #expect(byBytes.parts.map(\.operations.count) == [3, 2])
        #expect(byBytes.parts.allSatisfy { $0.bytes <= Limits.commitBatchBytes })
    }

    private func tight(_ device: Device) {
        device.replica?.foldPolicy = FoldPolicy(
            work: 100_000, dirtyBytes: 64 << 10, cleanBytes: 64 << 10, rowsForWork: 4,
            rowsAtLeast: 64)
    }

    @Test func `the records of a large commit do not all lie in memory`() throws {
        let devices = try fleet.group(["a", "b"])
        tight(devices[0])
        try devices[0].set("record-7", 1, .text("before"), at: fleet.now)
        _ = try devices[0].commit(try many(3_000), at: fleet.now)
        let weight = try #require(devices[0].replica?.recordBook.overlay.dirtyWeight)
        #expect(weight < 256 << 10)
        #expect(try devices[0].value("record-7", 1) == .text("medicine number 7"))
        let digest = try devices[0].digest()
        devices[0].crash()
        try devices[0].open(at: fleet.now, witness: .intact(try #require(devices[0].mark)))
        #expect(try devices[0].digest() == digest)
        #expect(try devices[0].count() == 3_000)
        fleet.connect(devices[1], devices[0])
        #expect(try devices[1].digest() == digest)
    }

    @Test func `of a large transaction that is abandoned no row stays`() throws {
        let device = try fleet.group(["a"])[0]
        tight(device)
        try device.set("record-7", 1, .text("before"), at: fleet.now)
        let digest = try device.digest()
        try device.replica?.beginCommit(.full, at: fleet.now)
        try device.replica?.add(try many(3_000).map(WriteRequest.changes))
        #expect(try device.replica?.store.recordCount(collection: nil) ?? 0 > 1_000)
        #expect(try device.count() == 3_000)
        try device.replica?.abandonCommit()
        #expect(try device.count() == 1)
        #expect(try device.digest() == digest)
        #expect(try device.value("record-7", 1) == .text("before"))
        // A fold that was running ends inside such a transaction, and goes back with it.
        try device.set("record-8", 1, .text("after"), at: fleet.now)
        _ = try device.commit(try many(3_000), at: fleet.now)
        #expect(try device.count() == 3_000)
        _ = try device.digest()
    }

    @Test func `a large commit travels in parts and becomes visible at once`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        let receipt = try devices[0].commit(try many(4_000), at: fleet.now)
        #expect(receipt.batches > 1)
        #expect(receipt.operations == 8_000)
        var delivered = 0
        fleet.tamper = { device, bytes in
            guard device === devices[0] else { return bytes }
            delivered += bytes.count
            return delivered > 18_000 ? nil : bytes
        }
        fleet.connect(devices[1], devices[0])
        #expect(try devices[1].count() == 0)
        fleet.tamper = nil
        fleet.disconnectAll()
        devices[1].crash()
        try devices[1].open(at: fleet.now, witness: .intact(try #require(devices[1].mark)))
        #expect(try devices[1].count() == 0)
        fleet.connect(devices[1], devices[0])
        #expect(try devices[1].count() == 4_000)
        try expectConverged(devices)
    }

    @Test func `a third device gets the author's bytes unchanged through a second one`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        fleet.disconnectAll()
        try devices[0].set("aspirin", 1, .text("Aspirin"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[2])
        let heads = devices.map { Set($0.vector.map(\.head)) }
        #expect(heads[0].isSubset(of: heads[2]))
    }

    @Test func `an intent is carried out once`() throws {
        let devices = try fleet.group(["a"])
        let first = try devices[0].set(
            "dose", 1, .text("taken"), at: fleet.now, intent: [1, 2, 3])
        try devices[0].set("dose", 1, .text("changed"), at: fleet.now)
        let again = try devices[0].set(
            "dose", 1, .text("taken"), at: fleet.now, intent: [1, 2, 3])
        #expect(again.repeated)
        #expect(again.commit == first.commit)
        #expect(try devices[0].value("dose", 1) == .text("changed"))
    }

    @Test func `a relaxed write is sent only after it is durable`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[0], devices[1])
        try devices[0].set("x", 1, .text("soon"), at: fleet.now, durability: .relaxed)
        fleet.run()
        #expect(try devices[0].value("x", 1) == .text("soon"))
        #expect(try !devices[1].exists("x"))
        try devices[0].flush(at: fleet.now)
        fleet.run()
        #expect(try devices[1].value("x", 1) == .text("soon"))
        try expectConverged(devices)
    }

    @Test func `a refused write changes nothing`() throws {
        let devices = try fleet.group(["a"])
        let before = try devices[0].digest()
        let id = try #require(RecordID("x"))
        #expect(throws: ReplicaError.self) {
            try devices[0].commit(
                [
                    .set(
                        collection: Device.medication, record: id,
                        fields: [FieldWrite(1, .text("kept?"))]),
                    .set(
                        collection: Device.medication, record: id,
                        fields: [FieldWrite(4, .text("no such form"))]),
                ], at: fleet.now)
        }
        #expect(try devices[0].digest() == before)
        #expect(try !devices[0].exists("x"))
        try devices[0].set("x", 1, .text("later"), at: fleet.now)
        #expect(try devices[0].value("x", 1) == .text("later"))
    }

    @Test func `a part of a group keeps what the other part shows`() throws {
        let devices = try fleet.group(["a"])
        let id = try #require(RecordID("x"))
        let two = try #require(Decimal64(parsing: "2.5"))
        try devices[0].commit(
            [
                .set(
                    collection: Device.medication, record: id,
                    fields: [FieldWrite(3, members: [(0, .decimal(two)), (1, .text("mg"))])])
            ], at: fleet.now)
        try devices[0].commit(
            [
                .set(
                    collection: Device.medication, record: id,
                    fields: [FieldWrite(3, members: [(1, .text("ml"))])])
            ], at: fleet.now)
        #expect(try devices[0].values("x", 3) == [.decimal(two), .text("ml")])
    }
}
