import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// Keys of removals that came to nothing, under which somebody may have written.
struct VoidEpochTests {
    private func remove(
        _ target: TestDevice, by author: TestDevice, _ log: MembershipLog
    ) throws -> MemberRecord {
        var entropy = entropy(7)
        return try log.makeRemoval(
            of: target.device, reason: 0, with: [], heads: [], ring: author.ring(log),
            keys: author.keys, entropy: &entropy)
    }

    @Test func `new keys lead to those of a void removal for whoever has no box of them`() throws {
        var (log, devices) = try group(of: 3)
        let void = try remove(devices[0], by: devices[1], log)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        #expect(log.state.member(devices[0].device) != nil)
        #expect(devices[0].ring(log).keys(of: void.id) == nil)
        let holder = devices[2].ring(log)
        #expect(holder.keys(of: void.id)?.dataKey != nil)
        #expect(holder.rotationTurn(of: devices[2].device, in: log) == 0)
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == nil)
        try log.insertAll(devices[2].epoch(in: log, seed: 8))
        #expect(devices[0].ring(log).keys(of: void.id)?.dataKey != nil)
        for device in [devices[0], devices[2]] {
            #expect(device.ring(log).rotationTurn(of: device.device, in: log) == nil)
        }
    }

    // Nobody calls the boxes of a void epoch bad, so that each may be junk.
    @Test func `new keys lead to a void epoch that has a box for everybody`() throws {
        var (log, devices) = try group(of: 4)
        let void = try devices[1].epoch(in: log, seed: 3)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        devices.remove(at: 1)
        func turns() -> [Int] {
            devices.compactMap { $0.ring(log).rotationTurn(of: $0.device, in: log) }.sorted()
        }
        #expect(turns() == [0, 1, 2])
        try log.insertAll(devices[0].epoch(in: log, seed: 8))
        #expect(turns().isEmpty)
    }

    @Test func `a newcomer opens all that keys of a void removal lead to`() throws {
        var (log, devices) = try group(of: 3)
        try log.insertAll(devices[0].epoch(in: log, seed: 3))
        let void = try remove(devices[0], by: devices[1], log)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        // It leads to the void one, and only by that to those before.
        try log.insertAll(devices[2].epoch(in: log, seed: 8))
        let newcomer = TestDevice(40)
        try log.insertAll(devices[2].add(newcomer, to: log, seed: 9))
        let ring = newcomer.ring(log)
        #expect(ring.firstDataKey(in: log) != nil)
        #expect(ring.epochs.map(\.id) == log.state.epochs.map(\.id) + [void.id])
        #expect(ring.epochs.allSatisfy { $0.dataKey != nil })
    }

    @Test func `readers hand over keys of a void removal that nobody else holds`() throws {
        var (log, devices) = try group(of: 4)
        // The last device reads, and writes nothing.
        var entropy = LinnetMembershipTests.entropy(12)
        let change = try RoleChange(log).records(
            giving: .reader, within: nil, to: devices[3].device, heads: [],
            ring: devices[0].ring(log), keys: devices[0].keys, entropy: &entropy)
        for record in change { try log.insertAll(record) }
        let void = try remove(devices[0], by: devices[1], log)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        // The other one that writes and has the keys leaves before it leads to them.
        try log.insertAll(log.makeLeave(heads: [], keys: devices[2].keys))
        #expect(log.state.members.map(\.device) == [devices[0].device, devices[3].device])
        try log.insertAll(devices[0].epoch(in: log, seed: 9))
        #expect(devices[0].ring(log).keys(of: void.id) == nil)
        var shares = 0
        while let share = try stranded(log, devices[3]) {
            try log.insertAll(share)
            shares += 1
        }
        #expect(shares == 1)
        #expect(devices[0].ring(log).keys(of: void.id)?.dataKey != nil)
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == 0)
        try log.insertAll(devices[0].epoch(in: log, seed: 10))
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == nil)
        #expect(try stranded(log, devices[3]) == nil)
    }

    private func stranded(_ log: MembershipLog, _ device: TestDevice) throws -> MemberRecord? {
        var entropy = LinnetMembershipTests.entropy(11)
        return try EpochShares(log).due(
            ring: device.ring(log), keys: device.keys, entropy: &entropy)
    }
}
