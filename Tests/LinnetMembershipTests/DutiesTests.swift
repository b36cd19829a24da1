import LinnetMembership
import LinnetWire
import Testing

/// The records that honest devices sign without being asked.
struct DutiesTests {
    private func remove(
        _ target: TestDevice, by author: TestDevice, _ log: MembershipLog, seed: UInt64 = 5
    ) throws -> MemberRecord {
        var entropy = entropy(seed)
        return try log.makeRemoval(
            of: target.device, reason: 0, with: [], heads: [], ring: author.ring(log),
            keys: author.keys, entropy: &entropy)
    }

    /// Signs what the devices owe, until they owe nothing.
    private func settle(_ log: inout MembershipLog, _ devices: [TestDevice]) throws -> Int {
        var signed = 0
        for device in devices {
            while let record = Duties(log).vote(of: device.device) {
                try log.insertAll(log.makeVote(isFor: true, record, keys: device.keys))
                signed += 1
            }
        }
        return signed
    }

    @Test func `the first record of a newcomer accepts its own admission`() throws {
        var (log, devices) = try group(of: 3)
        #expect(Duties(log).vote(of: devices[0].device) == nil)
        let admission = try #require(log.state.member(devices[2].device)).admission
        #expect(Duties(log).vote(of: devices[2].device) == admission)
        #expect(try settle(&log, devices) == 2)
        #expect(try settle(&log, devices) == 0)
        #expect(log.state.verdict.void.elements.isEmpty)
    }

    @Test func `everybody else votes for a removal that stands, once`() throws {
        var (log, devices) = try group(of: 4)
        _ = try settle(&log, devices)
        let removal = try remove(devices[3], by: devices[1], log)
        try log.insertAll(removal)
        #expect(Duties(log).vote(of: devices[3].device) == nil)
        #expect(try settle(&log, devices) == 2)
        let judged = try #require(log.state.verdict.restrictions[removal.id])
        #expect(judged.yes.count == 3 && judged.no.isEmpty)
    }

    @Test func `of two that remove each other a device votes for the first that it heard of`()
        throws
    {
        var (log, devices) = try group(of: 3)
        _ = try settle(&log, devices)
        let first = try remove(devices[0], by: devices[1], log)
        let second = try remove(devices[1], by: devices[0], log)
        var heard = try log.inserting(first)
        #expect(try settle(&heard, [devices[2]]) == 1)
        try heard.insertAll(second)
        #expect(try settle(&heard, [devices[2]]) == 0)
        #expect(heard.state.member(devices[0].device) == nil)
        #expect(heard.state.member(devices[1].device) != nil)
    }

    @Test func `a device that left is removed by the first admin, with new keys`() throws {
        var (log, devices) = try group(of: 3)
        let leave = try log.makeLeave(heads: [], keys: devices[2].keys)
        try log.insertAll(leave)
        #expect(log.state.member(devices[2].device) == nil)
        #expect(log.state.currentEpoch == nil)
        let admins = [devices[0], devices[1]].sorted { $0.device < $1.device }
        let turns = admins.map { Duties(log).closing(by: $0.device)?.rank }
        #expect(turns == [0, 1])
        try log.insertAll(remove(devices[2], by: admins[0], log))
        #expect(Duties(log).closing(by: admins[1].device) == nil)
        #expect(log.state.currentEpoch?.author == admins[0].device)
        #expect(devices[2].ring(log).current(in: log) == nil)
        #expect(Removals(log).all.map(\.author) == [devices[2].device, admins[0].device])
    }
}
