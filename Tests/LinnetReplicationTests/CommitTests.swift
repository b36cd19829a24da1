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

    @Test func `a part is full at its number of operations, and at its bytes`() throws {
        let id = try #require(RecordID("x"))
        let scope = ScopeID(repeating: 1)
        let operation = Operation.record(
            .recordDelete, collection: Device.medication, record: id, generation: 2, stampDelta: 0)
        var byBytes = CommitBuilder(base: .zero)
        let half = Limits.commitBatchBytes / 2
        for (bytes, part) in [(half, 0), (half, 0), (1, 1), (2 * half - 1, 1), (1, 2)] {
            let slot = byBytes.slot(scope, bytes: bytes, storedSeq: 4)
            #expect(slot.part == part && slot.seq == UInt64(5 + part))
            byBytes.add(operation, bytes: bytes, to: slot.part)
        }
        var byNumber = CommitBuilder(base: .zero)
        for number in 0...Limits.operationsPerBatch {
            let slot = byNumber.slot(scope, bytes: 1, storedSeq: 0)
            #expect(slot.part == number / Limits.operationsPerBatch)
            byNumber.add(operation, bytes: 1, to: slot.part)
        }
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
