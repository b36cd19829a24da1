import LinnetMembership
import LinnetWire
import Testing

struct RemovalsTests {
    private func remove(
        _ target: TestDevice, by author: TestDevice, with others: [TestDevice] = [],
        _ log: MembershipLog
    ) throws -> MemberRecord {
        var entropy = entropy(6)
        return try log.makeRemoval(
            of: target.device, reason: 1,
            with: others.map { RemovePayload.Companion(device: $0.device) }, heads: [],
            ring: author.ring(log), keys: author.keys, entropy: &entropy)
    }

    @Test func `a removal brings keys for those who remain alone`() throws {
        var (log, devices) = try group(of: 3)
        try log.insertAll(remove(devices[2], by: devices[0], log))
        #expect(log.state.members.map(\.device) == [devices[0].device, devices[1].device])
        #expect(log.state.currentEpoch?.number == 2)
        #expect(devices[1].ring(log).current(in: log)?.number == 2)
        #expect(devices[2].ring(log).current(in: log) == nil)
        #expect(devices[2].ring(log).writing == nil)
        let removal = try #require(Removals(log).last(of: devices[2].device))
        #expect(removal.author == devices[0].device && removal.reason == 1 && removal.stands)
        #expect(removal.unheard == [devices[1].device])
        #expect(removal.heard(by: [devices[1].device]).unheard.isEmpty)
        #expect(Removals(log).last(of: devices[1].device) == nil)
        #expect(log.state.former(noiseKey: devices[2].certificate.noiseKey) != nil)
    }

    @Test func `a device goes along unless somebody else admitted it`() throws {
        var (log, devices) = try group(of: 2)
        let (helper, friend) = (TestDevice(40), TestDevice(41))
        try log.insertAll(devices[1].add(helper, to: log))
        let byBoth = try (
            devices[1].add(friend, to: log, seed: 1), devices[0].add(friend, to: log, seed: 2)
        )
        try log.insertAll(byBoth.0, byBoth.1)
        #expect(Removals(log).admittedAlone(by: devices[1].device) == [helper.device])
        try log.insertAll(
            remove(devices[1], by: devices[0], with: [helper, friend], log))
        #expect(
            Set(log.state.members.map(\.device)) == [devices[0].device, friend.device])
        // Its epoch has a box for each of them.
        #expect(log.state.currentEpoch?.number == 2)
        #expect(friend.ring(log).current(in: log) != nil)
        #expect(Removals(log).last(of: helper.device)?.device == devices[1].device)
    }

    @Test func `only an admin removes, and somebody else stays to admit`() throws {
        var log = try TestDevice(1).found()
        let (admin, member) = (TestDevice(1), TestDevice(2))
        try log.insertAll(admin.add(member, role: .member, to: log))
        #expect(throws: MembershipError.notEntitled) { _ = try remove(admin, by: member, log) }
        #expect(throws: MembershipError.notEntitled) { _ = try remove(admin, by: admin, log) }
        #expect(throws: MembershipError.notAMember) {
            _ = try remove(TestDevice(9), by: admin, log)
        }
        #expect(throws: MembershipError.lastAdmin) {
            _ = try log.makeLeave(heads: [], keys: admin.keys)
        }
        #expect(throws: Never.self) { _ = try log.makeLeave(heads: [], keys: member.keys) }
    }

    @Test func `a removal is never frozen`() throws {
        var (log, devices) = try group(of: 3)
        try log.insertAll(devices[2].record(kind: 9, in: log))
        #expect(log.state.upgradeNeeded)
        try log.insertAll(remove(devices[2], by: devices[0], log))
        #expect(!log.state.upgradeNeeded && log.state.currentEpoch?.number == 2)
    }
}
