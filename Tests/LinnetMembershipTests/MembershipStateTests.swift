import LinnetMembership
import LinnetWire
import Testing

struct MembershipStateTests {
    @Test func `a founded group has one admin and one epoch`() throws {
        let founder = TestDevice(1)
        let state = try founder.found().state
        #expect(state.members.map(\.device) == [founder.device])
        #expect(state.members.map(\.role) == [.admin])
        #expect(state.currentEpoch?.number == 1)
        #expect(state.currentEpoch == state.firstEpoch)
        #expect(!state.upgradeNeeded)
    }

    @Test func `members are found by name and by handshake key`() throws {
        let (log, devices) = try group(of: 3)
        for device in devices {
            let member = try #require(log.state.member(device.device))
            #expect(member.certificate == device.certificate)
            #expect(log.state.member(noiseKey: device.certificate.noiseKey) == member)
            #expect(log.state.member(noiseKey: device.certificate.sealKey) == nil)
        }
        #expect(log.state.member(TestDevice(99).device) == nil)
    }

    @Test func `of concurrent epochs the lower identifier is current`() throws {
        let (log, devices) = try group(of: 2)
        let first = try devices[0].epoch(in: log, seed: 1)
        let second = try devices[1].epoch(in: log, seed: 2)
        let merged = try log.inserting(first, second)
        #expect(merged.state.currentEpoch?.id == min(first.id, second.id))
        #expect(merged.state.epochs.map(\.number) == [2, 2, 1])
        let third = try devices[0].epoch(in: merged, seed: 3)
        #expect(try merged.inserting(third).state.currentEpoch?.id == third.id)
        #expect(merged.state.epoch(second.id)?.author == devices[1].device)
    }

    @Test func `of concurrent admissions the first names the device, and the higher role counts`()
        throws
    {
        let (log, devices) = try group(of: 2)
        let newcomer = TestDevice(9)
        let first = try devices[0].add(newcomer, role: .member, to: log, seed: 1)
        let second = try devices[1].add(newcomer, role: .relay, to: log, seed: 2)
        let merged = try log.inserting(first, second)
        #expect(merged.state.member(newcomer.device)?.role == .member)
        #expect(merged.state.member(newcomer.device)?.admission == min(first.id, second.id))
        #expect(try log.inserting(second, first) == merged)
    }

    @Test func `concurrent admissions beyond the limit all stand`() throws {
        let (log, devices) = try group(of: Limits.devices - 1)
        let adds = try (0..<4).map { index in
            try devices[index].add(TestDevice(UInt64(200 + index)), to: log)
        }
        let merged = try log.inserting(adds[0], adds[1], adds[2], adds[3])
        let reversed = try log.inserting(adds[3], adds[2], adds[1], adds[0])
        #expect(merged.state.members.count == Limits.devices + 3)
        #expect(merged == reversed)
    }
}
