import LinnetMembership
import LinnetWire
import Testing

/// Requests to removed devices to destroy themselves.
struct WipesTests {
    private func remove(
        _ target: TestDevice, by author: TestDevice, with others: [TestDevice] = [],
        _ log: MembershipLog
    ) throws -> MemberRecord {
        var entropy = entropy(6)
        return try log.makeRemoval(
            of: target.device, reason: 0,
            with: others.map { RemovePayload.Companion(device: $0.device) }, heads: [],
            ring: author.ring(log), keys: author.keys, entropy: &entropy)
    }

    /// A request of any device, whatever its right to it.
    private func ask(
        _ target: TestDevice, after removal: MemberRecord, by author: TestDevice,
        _ log: MembershipLog
    ) throws -> MemberRecord {
        try author.record(
            kind: WipePayload.kind,
            payload: WipePayload(
                device: target.device, removal: removal.id, wallMilliseconds: 5
            ).encoded, in: log)
    }

    @Test func `both payloads are the bytes that the protocol's page shows`() throws {
        let (device, record) = (Bytes32(repeating: 0x11), Bytes32(repeating: 0x22))
        let (ones, twos) = (String(repeating: "11", count: 32), String(repeating: "22", count: 32))
        let wipe = WipePayload(
            device: device, removal: record, wallMilliseconds: 1_800_000_000_000)
        #expect(Hex.encode(wipe.encoded) == "835820\(ones)5820\(twos)1b000001a3185c5000")
        let receipt = ReceiptPayload(record: record, wallMilliseconds: 1_800_000_000_000)
        #expect(Hex.encode(receipt.encoded) == "825820\(twos)1b000001a3185c5000")
        #expect(WipePayload.kind == 128 && ReceiptPayload.kind == 129)
    }

    @Test func `payloads are read back, and bytes of another form mean nothing`() throws {
        let (log, devices) = try group(of: 2)
        let wipe = WipePayload(
            device: devices[1].device, removal: log.group, wallMilliseconds: .max)
        let receipt = ReceiptPayload(record: log.group, wallMilliseconds: 7)
        let asked = try devices[0].record(kind: 128, payload: wipe.encoded, in: log)
        let said = try devices[0].record(kind: 129, payload: receipt.encoded, in: log)
        #expect(WipePayload(asked) == wipe && ReceiptPayload(said) == receipt)
        #expect(WipePayload(said) == nil && ReceiptPayload(asked) == nil)
        for payload in [[0xf6], [0x80], receipt.encoded + [], [0x83, 0x01, 0x02, 0x03]] {
            let record = try devices[0].record(kind: 128, payload: payload, in: log)
            #expect(WipePayload(record) == nil)
            #expect(try log.inserting(record).records.count == log.records.count + 1)
        }
    }

    @Test func `a removed device has to obey an admin, and only once it is out`() throws {
        var (log, devices) = try group(of: 3)
        #expect(throws: MembershipError.notEntitled) {
            _ = try Wipes(log).request(
                to: devices[2].device, wallMilliseconds: 5, keys: devices[0].keys)
        }
        let removal = try remove(devices[2], by: devices[0], log)
        try log.insertAll(removal)
        // An admin that did not remove it may ask, too.
        let wipe = try Wipes(log).request(
            to: devices[2].device, wallMilliseconds: 5, keys: devices[1].keys)
        try log.insertAll(wipe)
        let order = try #require(Wipes(log).order(to: devices[2].device))
        #expect(order.id == wipe.id && order.removal == removal.id && order.obeyed == nil)
        #expect(order.author == devices[1].device && order.wallMilliseconds == 5)
        #expect(Wipes(log).order(to: devices[1].device) == nil)
        try log.insertAll(
            Receipts(log).receipt(for: wipe.id, wallMilliseconds: 9, keys: devices[2].keys))
        let obeyed = try #require(Wipes(log).all.first)
        #expect(obeyed.obeyed != nil && obeyed.obeyedWallMilliseconds == 9)
    }

    @Test func `who is no admin, was removed, or speaks before the removal is not obeyed`() throws {
        var (log, devices) = try group(of: 3)
        let member = TestDevice(40)
        try log.insertAll(devices[0].add(member, role: .member, to: log))
        let before = log
        let removal = try remove(devices[2], by: devices[0], log)
        try log.insertAll(removal)
        #expect(throws: MembershipError.notEntitled) {
            _ = try Wipes(log).request(
                to: devices[2].device, wallMilliseconds: 5, keys: member.keys)
        }
        let target = devices[2].device
        let byMember = try log.inserting(ask(devices[2], after: removal, by: member, log))
        #expect(Wipes(byMember).all.map(\.isGood) == [false])
        let byItself = try log.inserting(ask(devices[2], after: removal, by: devices[2], log))
        #expect(Wipes(byItself).all.map(\.isGood) == [false])
        // Above other records than the removal it asks for nothing.
        let early = try devices[1].record(
            kind: WipePayload.kind,
            payload: WipePayload(device: target, removal: removal.id, wallMilliseconds: 5).encoded,
            in: before)
        #expect(Wipes(try log.inserting(early)).all.map(\.isGood) == [false])
        // An admin that was removed itself does not count any more.
        let asked = try log.inserting(ask(devices[2], after: removal, by: devices[1], log))
        #expect(Wipes(asked).order(to: target) != nil)
        let out = try asked.inserting(remove(devices[1], by: devices[0], log))
        #expect(Wipes(out).order(to: target) == nil)
        // Nor does a request that names a device which the removal did not take out.
        let other = try log.inserting(ask(devices[1], after: removal, by: devices[0], log))
        #expect(Wipes(other).order(to: devices[1].device) == nil)
    }

    @Test func `a removal that comes to nothing takes the request with it`() throws {
        var (log, devices) = try group(of: 4)
        let removal = try remove(devices[3], by: devices[2], log)
        try log.insertAll(removal)
        try log.insertAll(ask(devices[3], after: removal, by: devices[2], log))
        #expect(Wipes(log).order(to: devices[3].device) != nil)
        for device in devices.prefix(2) {
            try log.insertAll(log.makeVote(isFor: false, removal.id, keys: device.keys))
        }
        #expect(log.state.member(devices[3].device) != nil)
        #expect(Wipes(log).order(to: devices[3].device) == nil)
    }

    @Test func `members, epochs and void records stay as they are under both kinds`() throws {
        var (log, devices) = try group(of: 3)
        let removal = try remove(devices[2], by: devices[0], log)
        try log.insertAll(removal)
        let before = log.state.verdict
        try log.insertAll(ask(devices[2], after: removal, by: devices[0], log))
        try log.insertAll(
            Receipts(log).receipt(for: removal.id, wallMilliseconds: 9, keys: devices[1].keys))
        #expect(log.state.verdict == before)
        #expect(!log.state.upgradeNeeded)
    }
}
