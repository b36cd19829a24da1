import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// Records of which this version knows nothing.
struct CriticalRecordTests {
    private let admin = TestDevice(1)
    private let member = TestDevice(2)
    private let relay = TestDevice(3)

    private func sample() throws -> MembershipLog {
        var log = try admin.found()
        try log.insertAll(admin.add(member, role: .member, to: log))
        try log.insertAll(admin.add(relay, role: .relay, to: log))
        return log
    }

    @Test(arguments: [9, 10, 127] as [UInt8])
    func `a critical record counts only from an active admin`(kind: UInt8) throws {
        let log = try sample()
        for device in [member, relay] {
            let after = try log.inserting(device.record(kind: kind, in: log))
            #expect(!after.state.upgradeNeeded)
            #expect(throws: Never.self) { _ = try admin.add(TestDevice(9), to: after) }
            #expect(throws: Never.self) { _ = try admin.epoch(in: after) }
        }
        let frozen = try log.inserting(admin.record(kind: kind, in: log))
        #expect(frozen.state.freezing.map(\.author) == [admin.device])
    }

    @Test(arguments: [128, 200, 255] as [UInt8])
    func `a record of a kind from 128 on is kept and means nothing`(kind: UInt8) throws {
        let log = try sample()
        for device in [admin, member, relay] {
            let after = try log.inserting(device.record(kind: kind, in: log))
            #expect(after.state == log.state)
            #expect(after.records.count == log.records.count + 1)
        }
    }

    @Test func `nothing but admission and rotation is frozen`() throws {
        let log = try sample()
        let frozen = try log.inserting(admin.record(kind: 9, in: log))
        #expect(frozen.state.members == log.state.members)
        #expect(frozen.state.currentEpoch == log.state.currentEpoch)
        #expect(member.ring(frozen).writing?.number == 1)
        #expect(throws: MembershipError.upgradeNeeded) {
            _ = try admin.add(TestDevice(9), to: frozen)
        }
        #expect(throws: MembershipError.upgradeNeeded) { _ = try member.epoch(in: frozen) }
        let ring = admin.ring(frozen)
        #expect(ring.rotationTurn(of: admin.device, in: frozen) == nil)
        // A newer version goes on, and is followed here.
        let newer = try admin.record(kind: 10, in: frozen)
        let payload = try #require(Self.payload(of: admin.epoch(in: log, seed: 4)))
        let more = try frozen.inserting(newer)
        let epoch = try admin.record(kind: 4, payload: payload, in: more)
        #expect(try more.inserting(epoch).state.currentEpoch?.id == epoch.id)
    }

    @Test func `only the recovery key replaces itself`() throws {
        let log = try sample()
        let payload = MemberPayload.recovery(TestDevice(77).certificate).encoded
        let record = try admin.record(
            kind: MemberKind.recovery.rawValue, payload: payload, in: log)
        #expect(throws: MembershipError.notEntitled) { _ = try log.inserting(record) }
        // A store that kept one all the same opens without it.
        let follower = try admin.record(
            kind: 200, in: log, parents: [record.id], lamport: record.lamport + 1)
        let stored = (log.records + [record, follower]).map(\.encoded)
        #expect(try MembershipLog(stored: stored) == log)
    }

    private static func payload(of record: MemberRecord) -> [UInt8]? {
        var reader = CBORReader(record.encoded)
        do {
            try reader.array(exactly: 2)
            try reader.array(exactly: 7)
            for _ in 0..<6 { _ = try reader.rawItem() }
            return try reader.rawItem()
        } catch {
            return nil
        }
    }
}
