import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

/// What the records say of devices that are bound to scopes.
struct GrantRuleTests {
    private static let (log, meds) = (Bytes16(repeating: 4), Bytes16(repeating: 5))

    /// Gives a role within scopes, with the epoch and the shares that follow.
    private func bind(
        _ target: TestDevice, _ role: Role = .member, to roots: [ScopeID]?, by author: TestDevice,
        _ log: inout MembershipLog, seed: UInt64 = 6
    ) throws {
        var entropy = entropy(seed)
        let grant = try roots.map(ScopeGrant.of) ?? .all
        let records = try RoleChange(log).records(
            giving: role, within: grant, to: target.device, heads: [], ring: author.ring(log),
            keys: author.keys, entropy: &entropy)
        for record in records { try log.insertAll(record) }
        while let share = try EpochShares(log).due(
            ring: author.ring(log), keys: author.keys, entropy: &entropy)
        {
            try log.insertAll(share)
        }
    }

    @Test func `a bound device gets the keys of its scopes, and each change brings new ones`()
        throws
    {
        var (log, devices) = try group(of: 3)
        try bind(devices[2], to: [Self.meds], by: devices[0], &log)
        let first = try #require(log.state.currentEpoch)
        #expect(first.number == 2 && first.payload.boxes[devices[2].device] == nil)
        let keys = try #require(devices[2].ring(log).keys(of: first.id))
        #expect(keys.dataKey == nil && keys.networkKey != nil)
        let roots = [ScopeGrant.scopeNames, ScopeGrant.schemaNames, Self.meds]
        #expect(keys.scopeKeys.keys == roots)
        let whole = try #require(devices[1].ring(log).keys(of: first.id))
        for root in [Self.meds, Self.log] {
            let (own, theirs) = (keys.scopeKey(root), whole.scopeKey(root))
            #expect(own?.bytes.exposed() == (root == Self.meds ? theirs?.bytes.exposed() : nil))
        }
        let naming = try #require(devices[2].ring(log).naming(in: log))
        let first32 = try #require(devices[0].ring(log).firstDataKey(in: log))
        #expect(NamingKeys(firstDataKey: first32.bytes).scope("x") == naming.scope("x"))
        #expect(naming.scope("x") == devices[0].ring(log).naming(in: log)?.scope("x"))
        // The same number of scopes, and others.
        try bind(devices[2], to: [Self.log], by: devices[0], &log, seed: 7)
        let next = try #require(log.state.currentEpoch)
        #expect(next.number == 3)
        let later = try #require(devices[2].ring(log).keys(of: next.id))
        #expect(later.scopeKey(Self.meds) == nil && later.scopeKey(Self.log) != nil)
        let fault = try #require(log.state.fault(of: first))
        #expect(fault == .sealedToStranger(devices[2].device))
        try bind(devices[2], to: nil, by: devices[0], &log, seed: 8)
        #expect(devices[2].ring(log).current(in: log)?.dataKey != nil)
    }

    @Test func `whoever is bound starts no epoch and hands on no keys`() throws {
        var (log, devices) = try group(of: 3)
        try bind(devices[2], to: [Self.meds], by: devices[0], &log)
        #expect(throws: MembershipError.notEntitled) { _ = try devices[2].epoch(in: log) }
        #expect(devices[2].ring(log).rotationTurn(of: devices[2].device, in: log) == nil)
        let current = try #require(log.state.currentEpoch)
        let forged = try devices[2].forgedEpoch(
            in: log, number: 3, .sealing([devices[0].device: 112, devices[1].device: 112]))
        try log.insertAll(forged)
        #expect(log.state.verdict.void.contains(forged.id))
        let share = try self.share(current.id, for: devices[1], bytes: 112, by: devices[2], log)
        try log.insertAll(share)
        #expect(log.state.verdict.void.contains(share.id))
        #expect(log.state.currentEpoch?.id == current.id)
    }

    private func share(
        _ epoch: EpochID, for target: TestDevice, bytes: Int, by author: TestDevice,
        _ log: MembershipLog
    ) throws -> MemberRecord {
        var writer = CBORWriter()
        writer.array(3)
        writer.bytes(epoch)
        writer.bytes(target.device)
        writer.bytes([UInt8](repeating: 3, count: bytes))
        return try author.record(kind: 7, payload: writer.bytes, in: log)
    }

    @Test(arguments: [112, 80 + 4 * 48, 80 + 2 * 48])
    func `a box with more than the grant makes its epoch unusable`(bytes: Int) throws {
        var (log, devices) = try group(of: 3)
        try bind(devices[2], to: [Self.meds], by: devices[0], &log)
        let current = try #require(log.state.currentEpoch)
        try log.insertAll(
            try share(current.id, for: devices[2], bytes: bytes, by: devices[1], log))
        let isLarger = bytes != 80 + 2 * 48
        #expect((log.state.fault(of: current) == .sealedToStranger(devices[2].device)) == isLarger)
        let turn = devices[0].ring(log).rotationTurn(of: devices[0].device, in: log)
        #expect((turn != nil) == isLarger)
    }

    @Test func `a share with wrong keys is bad, and another one still opens`() throws {
        var (log, devices) = try group(of: 3)
        try bind(devices[2], to: [Self.meds], by: devices[0], &log)
        var entropy = entropy(9)
        let epoch = try devices[1].epoch(in: log, seed: 10)
        try log.insertAll(epoch)
        try log.insertAll(
            try share(epoch.id, for: devices[2], bytes: 80 + 3 * 48, by: devices[0], log))
        #expect(devices[2].ring(log).badEpochs == [epoch.id])
        #expect(devices[2].ring(log).current(in: log) == nil)
        let add = try log.makeAdd(
            devices[2].certificate, role: .reader, ring: devices[1].ring(log),
            keys: devices[1].keys, entropy: &entropy)
        try log.insertAll(add)
        #expect(devices[2].ring(log).badEpochs.isEmpty)
        #expect(devices[2].ring(log).current(in: log)?.scopeKey(Self.meds) != nil)
    }

    @Test func `a leave of a bound device vouches for nothing`() throws {
        var (log, devices) = try group(of: 3)
        try bind(devices[2], to: [Self.meds], by: devices[0], &log)
        let head = BatchHead(
            incarnation: Bytes8(repeating: 1), scope: Self.log, sequence: 1,
            batch: Bytes32(repeating: 2))
        #expect(
            log.state.verdict.batches[devices[2].device]
                == .within([ScopeGrant.scopeNames, ScopeGrant.schemaNames, Self.meds], []))
        try log.insertAll(try log.makeLeave(heads: [head], keys: devices[2].keys))
        #expect(log.state.verdict.batches[devices[2].device] == .upTo([]))
    }
}
