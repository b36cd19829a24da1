import LinnetCrypto
import LinnetWire
import Testing

@testable import LinnetMembership

/// Keys of removals that came to nothing, under which somebody may have written.
struct VoidEpochTests {
    private func remove(
        _ target: TestDevice, with others: [TestDevice] = [], by author: TestDevice,
        _ log: MembershipLog
    ) throws -> MemberRecord {
        var entropy = entropy(7)
        return try log.makeRemoval(
            of: target.device, reason: 0,
            with: others.map { RemovePayload.Companion(device: $0.device) }, heads: [],
            ring: author.ring(log), keys: author.keys, entropy: &entropy)
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
        log = try giving(.reader, within: nil, to: devices[3], by: devices[0], in: log)
        let void = try remove(devices[0], by: devices[1], log)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        // The other one that writes and has the keys leaves before it leads to them.
        try log.insertAll(log.makeLeave(heads: [], keys: devices[2].keys))
        #expect(log.state.members.map(\.device) == [devices[0].device, devices[3].device])
        try log.insertAll(devices[0].epoch(in: log, seed: 9))
        #expect(devices[0].ring(log).keys(of: void.id) == nil)
        #expect(turn(of: devices[3], in: log) == 0)
        log = try handingOver(by: devices[3], to: 1, in: log)
        #expect(devices[0].ring(log).keys(of: void.id)?.dataKey != nil)
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == 0)
        try log.insertAll(devices[0].epoch(in: log, seed: 10))
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == nil)
        #expect(turn(of: devices[3], in: log) == nil)
    }

    @Test func `readers serve each other where no member starts an epoch`() throws {
        var (log, devices) = try group(of: 4)
        for reader in devices[2...] {
            log = try giving(.reader, within: nil, to: reader, by: devices[0], in: log)
        }
        let void = try remove(devices[0], with: [devices[3]], by: devices[1], log)
        log = try log.inserting(void, try remove(devices[1], by: devices[0], log))
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        #expect(turn(of: devices[2], in: log) == 0)
        #expect(turn(of: devices[3], in: log) == nil)
        log = try handingOver(by: devices[2], to: 1, in: log)
        // The first device, which could start an epoch now, has its turn before the other reader.
        #expect(turn(of: devices[2], in: log) == 3)
        #expect(devices[3].ring(log).keys(of: void.id) == nil)
        log = try handingOver(by: devices[2], to: 1, in: log)
        #expect(devices[3].ring(log).keys(of: void.id)?.dataKey != nil)
        #expect(turn(of: devices[2], in: log) == nil)
    }

    @Test func `a device that is bound to scopes hands over keys that nobody else holds`() throws {
        var (log, devices) = try group(of: 2)
        // It removes the other device before it hears that it is bound.
        let void = try remove(devices[0], by: devices[1], log)
        let scope = ScopeID(repeating: 5)
        log = try giving(.member, within: .of([scope]), to: devices[1], by: devices[0], in: log)
            .inserting(void)
        #expect(log.state.voidEpochs.map(\.id) == [void.id])
        #expect(log.state.member(devices[1].device)?.isBound == true)
        #expect(turn(of: devices[1], in: log) == 0)
        let before = log.state.verdict.void
        log = try handingOver(by: devices[1], to: 1, in: log)
        // The record comes to nothing, and yet its box opens.
        #expect(log.state.verdict.void.count == before.count + 1)
        #expect(devices[0].ring(log).keys(of: void.id)?.dataKey != nil)
        #expect(devices[0].ring(log).rotationTurn(of: devices[0].device, in: log) == 0)
        try log.insertAll(devices[0].epoch(in: log, seed: 10))
        log = try sharing(by: devices[0], in: log)
        #expect(turn(of: devices[1], in: log) == nil)
    }

    @Test func `a device that was bound opens a later box of the whole data key`() throws {
        var (log, devices) = try group(of: 2)
        let scope = ScopeID(repeating: 5)
        log = try giving(.member, within: .of([scope]), to: devices[1], by: devices[0], in: log)
        let epoch = try #require(log.state.currentEpoch).id
        var ring = devices[1].ring(log)
        #expect(ring.keys(of: epoch)?.scopeKeys.isEmpty == false)
        let role = RolePayload(device: devices[1].device, role: .member, scopes: .all, heads: [])
        try log.insertAll(
            devices[0].record(kind: 3, payload: MemberPayload.role(role).encoded, in: log))
        ring.update(from: log, keys: devices[1].keys)
        #expect(ring.keys(of: epoch)?.dataKey == nil)
        var entropy = entropy(3)
        let held = try #require(devices[0].ring(log).keys(of: epoch))
        let box = try held.box(for: devices[1].certificate, role: .member, entropy: &entropy)
        let share = SharePayload(epoch: epoch, device: devices[1].device, box: box)
        try log.insertAll(
            devices[0].record(kind: 7, payload: MemberPayload.share(share).encoded, in: log))
        ring.update(from: log, keys: devices[1].keys)
        let keys = try #require(ring.keys(of: epoch))
        #expect(keys.isWhole && keys.networkKey != nil)
    }

    /// The log after an admin gave a device another role, with the shares that follow.
    private func giving(
        _ role: Role, within scopes: ScopeGrant?, to device: TestDevice, by author: TestDevice,
        in log: MembershipLog
    ) throws -> MembershipLog {
        var log = log
        var entropy = entropy(12)
        let records = try RoleChange(log).records(
            giving: role, within: scopes, to: device.device, heads: [], ring: author.ring(log),
            keys: author.keys, entropy: &entropy)
        for record in records { try log.insertAll(record) }
        return try sharing(by: author, in: log)
    }

    /// The log after the author of an epoch shared it with those that are bound to scopes.
    private func sharing(by author: TestDevice, in log: MembershipLog) throws -> MembershipLog {
        var log = log
        var entropy = entropy(13)
        while let share = try EpochShares(log).due(
            ring: author.ring(log), keys: author.keys, entropy: &entropy)
        {
            try log.insertAll(share)
        }
        return log
    }

    private func turn(of device: TestDevice, in log: MembershipLog) -> Int? {
        StrandedKeys(of: device.device, in: log, device.ring(log)).turn
    }

    /// The log after a device handed keys that others lack to so many of them.
    private func handingOver(
        by device: TestDevice, to receivers: Int, in log: MembershipLog
    ) throws -> MembershipLog {
        var log = log
        var entropy = entropy(11)
        let shares = try StrandedKeys(of: device.device, in: log, device.ring(log))
            .shares(keys: device.keys, entropy: &entropy)
        #expect(shares.count == receivers)
        for share in shares { try log.insertAll(share) }
        return log
    }
}
