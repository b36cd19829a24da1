import LinnetMembership
import LinnetWire
import Testing

/// The records that show who holds a removal.
struct ReceiptsTests {
    private func remove(
        _ target: TestDevice, by author: TestDevice, _ log: MembershipLog
    ) throws -> MemberRecord {
        var entropy = entropy(6)
        return try log.makeRemoval(
            of: target.device, reason: 0, with: [], heads: [], ring: author.ring(log),
            keys: author.keys, entropy: &entropy)
    }

    @Test func `a member that signed nothing after a removal owes a receipt for it, once`() throws {
        var (log, devices) = try group(of: 3)
        let reader = TestDevice(40)
        try log.insertAll(devices[0].add(reader, role: .reader, to: log))
        let removal = try remove(devices[2], by: devices[0], log)
        #expect(Receipts(log).due(from: reader.device, obeying: true) == nil)
        try log.insertAll(removal)
        #expect(Receipts(log).due(from: reader.device, obeying: true) == removal.id)
        #expect(Receipts(log).due(from: devices[1].device, obeying: true) == removal.id)
        // Its author signed it, and who is out owes nothing.
        #expect(Receipts(log).due(from: devices[0].device, obeying: true) == nil)
        #expect(Receipts(log).due(from: devices[2].device, obeying: true) == nil)
        #expect(Receipts(log).due(from: TestDevice(50).device, obeying: true) == nil)

        let vote = try log.makeVote(isFor: true, removal.id, keys: devices[1].keys)
        try log.insertAll(vote)
        let receipt = try Receipts(log).receipt(
            for: removal.id, wallMilliseconds: 1, keys: reader.keys)
        try log.insertAll(receipt)
        #expect(Receipts(log).due(from: devices[1].device, obeying: true) == nil)
        #expect(Receipts(log).due(from: reader.device, obeying: true) == nil)

        let shown = try #require(Removals(log).all.first)
        #expect(shown.unheard.isEmpty)
        let holders = Dictionary(
            uniqueKeysWithValues: shown.holders.map { ($0.device, $0.record) })
        #expect(holders[devices[0].device] == removal.id)
        #expect(holders[devices[1].device] == vote.id)
        #expect(holders[reader.device] == receipt.id)
    }

    @Test func `who only announced a removal in a session is said to hold it without a record`()
        throws
    {
        var (log, devices) = try group(of: 3)
        try log.insertAll(remove(devices[2], by: devices[0], log))
        let shown = try #require(Removals(log).all.first).heard(by: [devices[1].device])
        #expect(shown.holders.map(\.record) == [shown.id, nil])
        #expect(shown.unheard.isEmpty)
    }

    @Test func `who is asked to destroy itself owes a receipt for that, where it obeys`() throws {
        var (log, devices) = try group(of: 2)
        try log.insertAll(remove(devices[1], by: devices[0], log))
        let wipe = try Wipes(log).request(
            to: devices[1].device, wallMilliseconds: 1, keys: devices[0].keys)
        try log.insertAll(wipe)
        #expect(Receipts(log).due(from: devices[1].device, obeying: false) == nil)
        #expect(Receipts(log).due(from: devices[1].device, obeying: true) == wipe.id)
        try log.insertAll(
            Receipts(log).receipt(for: wipe.id, wallMilliseconds: 2, keys: devices[1].keys))
        #expect(Receipts(log).due(from: devices[1].device, obeying: true) == nil)
    }
}
