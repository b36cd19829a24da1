import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct MembershipTests {
    private func newcomer(_ seed: UInt8) -> Certificate {
        var entropy = Device.entropy(seed)
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy).certificate
    }

    private func admitted(
        _ seed: UInt8, to membership: inout Membership, _ bench: Workbench
    ) throws -> MemberRecordID {
        var entropy = Device.entropy(70)
        let added = try membership.admit(
            newcomer(seed), as: RoleGrant(.member), keys: bench.keys, &entropy, &bench.turn)
        return try #require(added).admission
    }

    private func take(
        _ records: [[UInt8]], into membership: inout Membership, _ bench: Workbench
    ) -> Membership.Taken {
        var arrivals = ArrivalBook()
        return membership.take(
            records, by: bench.author.device, &arrivals, at: bench.now, &bench.turn)
    }

    @Test func `a device without a log belongs to no group`() throws {
        let bench = try Workbench()
        var membership = Membership(log: nil, schema: bench.schema, keys: bench.keys)
        #expect(membership.group == nil && membership.members.isEmpty)
        var entropy = Device.entropy(70)
        #expect(!membership.rotate(bench.keys, &entropy, &bench.turn) { _ in [] })
        let added = try membership.admit(
            newcomer(60), as: RoleGrant(.member), keys: bench.keys, &entropy, &bench.turn)
        #expect(added == nil && !bench.turn.store.isInTransaction)
    }

    @Test func `a newcomer is told of once the log was looked at`() throws {
        let bench = try Workbench()
        var membership = Membership(
            log: bench.group.log, schema: bench.schema, keys: bench.keys)
        _ = try admitted(60, to: &membership, bench)
        #expect(membership.members.count == 1)
        var entropy = Device.entropy(71)
        membership.grew(
            schema: bench.schema, keys: bench.keys, at: bench.now, &entropy, &bench.turn)
        #expect(membership.members.count == 2)
        let device = newcomer(60).device
        #expect(bench.turn.speak(sends: []) == [.notify(.memberAdded(device))])
        #expect(membership.group?.isKept(device) == true)
        #expect(try bench.turn.store.memberRecords().count == 1)
    }

    @Test func `a peer that lacks our newest record sends what is new, and not its whole log`()
        throws
    {
        let bench = try Workbench()
        var old = Membership(log: bench.group.log, schema: bench.schema, keys: bench.keys)
        for seed in UInt8(60)..<80 { _ = try admitted(seed, to: &old, bench) }
        let before = try #require(old.group?.log.heads.elements)
        // Each side goes on by itself.
        var (ours, theirs) = (old, old)
        _ = try admitted(81, to: &ours, bench)
        _ = try admitted(82, to: &theirs, bench)
        let (here, there) = (try #require(ours.group), try #require(theirs.group))
        let wanted = there.log.heads.elements
        #expect(!here.log.heads.contains(where: there.log.contains))
        // Its earlier announcement tells it; landmarks do so where there was none.
        for announced in [before, []] {
            let request = here.request(for: wanted, from: announced + wanted)
            let (message, isWhole) = there.answer(to: request)
            #expect(isWhole && message.records.count == 1)
            #expect(request.held.count <= here.log.heads.count + Limits.memberLandmarks)
        }
        let many = Array(repeating: before, count: 2 * Limits.memberLandmarks).flatMap { $0 }
        #expect(
            here.request(for: wanted, from: many).held.count
                <= here.log.heads.count + Limits.memberLandmarks)
    }

    @Test func `records of a peer make the log grow once`() throws {
        let bench = try Workbench()
        var membership = Membership(
            log: bench.group.log, schema: bench.schema, keys: bench.keys)
        var other = membership
        let id = try admitted(60, to: &other, bench)
        let group = try #require(other.group)
        let (answer, isWhole) = group.answer(
            to: MemberGetMessage(
                group: group.log.group, wanted: [id],
                held: bench.group.log.heads.elements))
        #expect(answer.records.count == 1 && isWhole)
        #expect(!take(answer.records, into: &membership, bench).added.isEmpty)
        #expect(take(answer.records, into: &membership, bench).added.isEmpty)
        #expect(membership.group?.memberHeads.heads == group.memberHeads.heads)
        #expect(take([[1, 2, 3]], into: &membership, bench).refusal != nil)
    }
    @Test func `a peer is level that announced nothing unknown, and has or was sent all`() throws {
        let bench = try Workbench()
        var membership = Membership(
            log: bench.group.log, schema: bench.schema, keys: bench.keys)
        let before = bench.group.log.heads.elements
        let id = try admitted(60, to: &membership, bench)
        let group = try #require(membership.group)
        #expect(group.isLevel(with: group.log.heads.elements, sent: []))
        #expect(group.isLevel(with: before, sent: [id]))
        #expect(!group.isLevel(with: before, sent: []))
        #expect(!bench.group.isLevel(with: group.log.heads.elements, sent: []))
        #expect(!bench.group.isLevel(with: [], sent: []))
    }
}
