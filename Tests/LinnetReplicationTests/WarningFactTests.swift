import Foundation
import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

/// Which warnings stand, since when, and when they go.
@Suite struct WarningFactTests {
    private let fleet = Fleet()

    private func facts(_ device: Device) throws -> [WarningFact] {
        try device.replica?.warningFacts(at: fleet.now) ?? []
    }

    private func id(_ device: Device) throws -> DeviceID {
        guard let id = device.replica?.device else { throw CancellationError() }
        return id
    }

    private func reopen(_ device: Device) throws {
        guard let mark = device.replica?.witnessMark else { throw CancellationError() }
        try device.close()
        try device.open(at: fleet.now, witness: .intact(mark))
    }

    /// Two devices whose files were one home, both believing to be it.
    private func forked() throws -> [Device] {
        let devices = try met()
        let mark = try #require(devices[0].mark)
        try devices[0].close()
        let copy = try Device("a-copy", seed: devices[0].seed)
        try FileManager.default.copyItem(atPath: devices[0].path, toPath: copy.path)
        try devices[0].open(at: fleet.now, witness: .intact(mark))
        try copy.open(at: fleet.now, entropySeed: 200, witness: .intact(mark))
        try devices[0].set("x", 1, .text("original"), at: fleet.now)
        fleet.advance(10)
        try copy.set("x", 1, .text("copy"), at: fleet.now)
        // The session that finds a fork tells it to the others; the next one to its own peer.
        for _ in 0..<3 {
            for home in [devices[0], copy] {
                fleet.connect(home, devices[1])
                fleet.disconnectAll()
            }
        }
        return devices + [copy]
    }

    /// Two devices that met and are apart.
    private func met() throws -> [Device] {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        return devices
    }

    @Test func `a fork stands on every device that knows, through restarts, until acknowledged`()
        throws
    {
        let devices = try forked()
        let peer = devices[1]
        let author = try id(devices[0])
        func isForked(_ device: Device) throws -> Bool {
            try facts(device).contains { $0.warning == .authorForked(author) && $0.isKept }
        }
        #expect(try isForked(peer) && isForked(devices[2]))
        try reopen(peer)
        #expect(try isForked(peer))
        try peer.replica?.acknowledgeNotices()
        #expect(try facts(peer).isEmpty)
        try reopen(peer)
        #expect(try facts(peer).isEmpty)
        // The others ask their own persons.
        #expect(try isForked(devices[2]))
        let own = try facts(devices[2]).map(\.warning)
        #expect(own.contains { if case .incarnationRotated = $0 { true } else { false } })
    }

    @Test func `an upgrade that is waited for is told again after each restart`() throws {
        let device = try fleet.group(["a"])[0]
        #expect(try facts(device).isEmpty)
        try hearOfMore(device)
        for _ in 0..<2 {
            try reopen(device)
            #expect(try facts(device).map(\.warning) == [.admissionFrozen(by: id(device))])
            try device.replica?.acknowledgeNotices()
        }
    }

    /// Adds a record to the group of which this version knows nothing.
    private func hearOfMore(_ device: Device) throws {
        guard let store = device.replica?.storeForReading else { throw CancellationError() }
        let log = try MembershipLog(records: try store.memberRecords().map(\.bytes))
        var entropy = Device.entropy(device.seed)
        let record = try MemberRecord(
            signing: [0xf6], kind: 9, group: log.group,
            lamport: 1 + (log.records.map(\.lamport).max() ?? 0), parents: log.heads.elements,
            keys: DeviceKeys(createdMilliseconds: 1, entropy: &entropy))
        try store.begin()
        try store.appendMemberRecord(id: record.id, bytes: record.encoded)
        try store.commit()
    }

    @Test func `a new life is noticed by a peer that knew the old one, and told once`() throws {
        let devices = try met()
        #expect(try facts(devices[1]).isEmpty)
        for seed in [201, 202] as [UInt8] {
            try devices[0].close()
            try devices[0].open(
                at: fleet.now, entropySeed: seed, witness: .mismatch("another file"))
            fleet.connect(devices[0], devices[1])
            fleet.disconnectAll()
            fleet.connect(devices[0], devices[1])
            fleet.disconnectAll()
        }
        let author = try id(devices[0])
        let found = try facts(devices[1])
        #expect(found.map(\.warning) == [.authorRenewed(author)])
        #expect(found.map(\.count) == [2] && found.allSatisfy(\.isUntold))
        try devices[1].replica?.markNoticesTold()
        try reopen(devices[1])
        #expect(try facts(devices[1]).map(\.isUntold) == [false])
        #expect(try facts(devices[0]).map(\.count) == [2])
    }

    @Test func `a clock that was wrong shows until it is met right, or ours is set`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        fleet.ahead["b"] = 3_600_000
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        let other = try id(devices[1])
        #expect(
            try facts(devices[0]).map(\.warning)
                == [.clockSkew(other, milliseconds: 3_600_000)])
        // Ours was the one that was wrong, and is set right now.
        fleet.now.wallMilliseconds += 3_600_000
        #expect(try facts(devices[0]).isEmpty)
        fleet.now.wallMilliseconds -= 3_600_000
        try reopen(devices[0])
        #expect(try facts(devices[0]).count == 1)
        fleet.ahead = [:]
        fleet.connect(devices[0], devices[1])
        #expect(try facts(devices[0]).isEmpty)
        let opinions = devices[0].replica?.clockOpinions(at: fleet.now) ?? []
        #expect(opinions.map(\.skewMilliseconds) == [0])
    }
}
