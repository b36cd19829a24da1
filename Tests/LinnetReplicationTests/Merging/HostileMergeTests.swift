import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Members that say what no other group wrote.
@Suite struct HostileMergeTests {
    private func batch(
        _ amount: Int64, of device: DeviceID, _ incarnation: Incarnation, _ seq: UInt64,
        key: String = "k", group: UInt8 = 9
    ) throws -> BroughtBatch {
        let id = try #require(RecordID("r"))
        let operation = Operation(
            collection: 2_000, record: id, generation: 1, field: 1,
            kind: OperationKind.tallyEntry.rawValue, stampDelta: 0,
            payload: TallyEntryPayload(
                key: key, amount: try #require(Decimal64(mantissa: amount, exponent: 0)),
                observed: []
            ).payload)
        let origin = Restatement.Origin(
            group: try #require(Bytes32([UInt8](repeating: group, count: 32))), device: device)
        let body = BatchBody(
            attributes: BatchAttributes(
                commit: .zero, schemaVersion: 1,
                baseStamp: try #require(Timestamp(rawValue: 1_700_000_000_000 << 16))),
            operations: Operations([operation]),
            restates: Restatement(
                origin: origin, incarnation: incarnation, seq: seq, indices: nil))
        return BroughtBatch(scope: "things", names: [], plaintext: try body.encodePlaintext())
    }

    private func trio() throws -> (Fleet, [Device]) {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b", "c"])
        try devices[0].change([.count(field: 1, key: "own", amount: .int(1))], fleet)
        for device in devices.dropFirst() { try fleet.meet(devices[0], device) }
        return (fleet, devices)
    }

    private func meetAll(_ fleet: Fleet, _ devices: [Device]) throws {
        for _ in 0..<2 {
            for (left, right) in [(0, 1), (0, 2), (1, 2)] {
                try fleet.meet(devices[left], devices[right])
            }
        }
    }

    private static let stranger = Bytes32([UInt8](repeating: 7, count: 32)) ?? .zero
    private static let life = Incarnation([UInt8](repeating: 5, count: 8)) ?? .zero

    @Test func `two that contradict each other at one place show the same everywhere`() throws {
        let (fleet, devices) = try trio()
        for (index, device) in devices.prefix(2).enumerated() {
            for seq in UInt64(1)...3 {
                let amount = Int64(index + 1) * 100 + Int64(seq)
                try device.bring(
                    [try batch(amount, of: Self.stranger, Self.life, seq, key: "k\(seq)")],
                    at: fleet.now)
                fleet.advance(10)
            }
        }
        try meetAll(fleet, devices)
        try expectConverged(devices)
        let shown = try devices[2].shown(1)
        #expect(shown == .int(307) || shown == .int(607))
        for device in devices { try fleet.reopen(device) }
        try expectConverged(devices)
    }

    @Test func `what a member says of a batch of this group ends when that batch comes`() throws {
        let (fleet, devices) = try trio()
        let (a, b) = (devices[0], devices[1])
        let life = try #require(a.incarnation)
        let scope = try #require(a.replica?.group?.scope(named: "things"))
        let own = try #require(
            a.replica?.log.chainRows().first {
                $0.scope == scope && $0.device == a.replica?.device && $0.incarnation == life
            })
        let device = try deviceID(of: a)
        // The order of the chain asks for the batch before, which is there and not brought.
        try b.bring([try batch(500, of: device, life, own.stored + 1)], at: fleet.now)
        #expect(try b.shown(1) == .int(1))
        for seq in 1...own.stored + 1 {
            try b.bring(
                [try batch(Int64(seq) * 1_000, of: device, life, seq)], at: fleet.now)
        }
        try a.change([.count(field: 1, key: "next", amount: .int(2))], fleet)
        try meetAll(fleet, devices)
        try expectConverged(devices)
        #expect(try devices[2].shown(1) == .int(3))
        for device in devices { try fleet.reopen(device) }
        try expectConverged(devices)
    }

    @Test func `a dependency of this group is not met by what comes from another one`() throws {
        let (fleet, devices) = try trio()
        let (a, b, c) = (devices[0], devices[1], devices[2])
        let life = try #require(a.incarnation)
        let scope = try #require(a.replica?.group?.scope(named: "things"))
        let own = try #require(
            a.replica?.log.chainRows().first {
                $0.scope == scope && $0.device == a.replica?.device && $0.incarnation == life
            })
        let device = try deviceID(of: a)
        for seq in 1...own.stored + 1 {
            try b.bring([try batch(1, of: device, life, seq)], at: fleet.now)
        }
        try fleet.meet(b, c)
        try a.change([.count(field: 1, key: "next", amount: .int(2))], fleet)
        try fleet.meet(a, b)
        try b.change([.count(field: 1, key: "after", amount: .int(4))], fleet)
        try meetAll(fleet, devices)
        try expectConverged(devices)
        #expect(try c.shown(1) == .int(7))
    }

    @Test func `many authors of another group come, each in a life of its own`() throws {
        let (fleet, devices) = try trio()
        let tail: [UInt8] = [1, 2, 3, 4, 5, 6]
        let lives = (0...Restatements.most).compactMap { number in
            Incarnation([UInt8(number >> 8), UInt8(number & 0xff)] + tail)
        }
        for (index, life) in lives.enumerated() {
            try devices[0].bring(
                [try batch(1, of: Self.stranger, life, 1, key: "k\(index)")], at: fleet.now)
        }
        #expect(try devices[0].shown(1) == .int(Int64(Restatements.most) + 2))
        try meetAll(fleet, devices)
        try expectConverged(devices)
    }
}
