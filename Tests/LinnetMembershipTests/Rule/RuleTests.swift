import LinnetMembership
import LinnetWire
import Testing

/// Removals, roles, votes and keys, one at a time.
struct RuleTests {
    private let a = TestDevice(2)
    private let b = TestDevice(3)
    private let c = TestDevice(4)
    private let d = TestDevice(5)

    private func names(_ devices: TestDevice...) -> Set<DeviceID> { Set(devices.map(\.device)) }

    private func head(_ number: UInt8) -> BatchHead {
        BatchHead(
            incarnation: Bytes8(repeating: 1), scope: Bytes16(repeating: 2),
            sequence: UInt64(number), batch: Bytes32(repeating: number))
    }

    @Test func `a device that left says nothing more, and what it said beside that counts`() throws
    {
        var story = try RuleStory.friends([a, b, c])
        let heads = story.heads
        let leave = try story.remove(b, by: b, on: heads)
        #expect(try story.members == names(a, c))
        let late = try story.add(d, by: b, on: [leave])
        #expect(try story.verdict.void.contains(late.id))
        let beside = try story.add(d, by: b, on: heads)
        #expect(try !story.verdict.void.contains(beside.id))
        #expect(try story.members == names(a, c, d))
        // An admin's removal of the leaver closes that.
        try story.remove(b, by: a, on: [leave])
        #expect(try story.members == names(a, c))
    }

    @Test func `the last admin stays`() throws {
        var story = try RuleStory(a)
        try story.add(b, by: a, role: .member)
        let leave = try story.remove(a, by: a)
        #expect(try story.members == names(a, b))
        #expect(try story.verdict.void.contains(leave.id))
        let demotion = try story.role(a, .member, by: a)
        #expect(try story.verdict.void.contains(demotion.id))
        try story.add(c, by: a)
        #expect(try story.members == names(a, b, c))
    }

    @Test func `a removed certificate never returns, one that was void may come again`() throws {
        var story = try RuleStory.friends([a, b, c])
        try story.remove(c, by: a)
        try story.add(c, by: b)
        #expect(try story.members == names(a, b))
        try story.add(d, by: c)
        #expect(try story.members == names(a, b))
        try story.add(d, by: b)
        #expect(try story.members == names(a, b, d))
    }

    @Test func `an admin that was demoted admits nobody, beside its demotion either`() throws {
        var story = try RuleStory.friends([a, b, c])
        let heads = story.heads
        let demotion = try story.role(b, .member, by: a, on: heads)
        try story.vote(c, true, demotion, on: [demotion])
        let beside = try story.add(d, by: b, on: heads)
        #expect(try story.verdict.members[b.device]?.role == .member)
        #expect(try story.verdict.void.contains(beside.id))
        // An admin can raise it again.
        try story.role(b, .admin, by: a)
        let later = try story.add(d, by: b)
        #expect(try !story.verdict.void.contains(later.id))
        #expect(try story.members == names(a, b, c, d))
    }

    @Test func `of role records beside each other the lower one and the fewer scopes count`() throws
    {
        var story = try RuleStory.friends([a, b, c])
        let heads = story.heads
        let (one, two) = (Bytes16(repeating: 1), Bytes16(repeating: 2))
        try story.role(c, .member, by: a, scopes: .some([one, two]), on: heads)
        try story.role(c, .reader, by: b, scopes: .some([two]), heads: [head(3)], on: heads)
        let member = try #require(try story.verdict.members[c.device])
        #expect(member.role == .reader && member.scopes == .some([two]))
        #expect(try story.verdict.batches[c.device] == .upTo([head(3)]))
    }

    @Test func `the batches of a removed device count up to what its removals and extends name`()
        throws
    {
        var story = try RuleStory.friends([a, b, c])
        try story.add(d, by: a, role: .reader)
        let heads = story.heads
        try story.remove(c, by: a, heads: [head(1)], on: heads)
        try story.remove(c, by: b, heads: [head(2)], on: heads)
        #expect(try story.verdict.batches[c.device] == .upTo([head(1), head(2)]))
        try story.sign(a, .extend(ExtendPayload(device: c.device, heads: [head(5)])))
        #expect(try story.verdict.batches[c.device] == .upTo([head(1), head(2), head(5)]))
        #expect(try story.verdict.batches[a.device] == .all)
        #expect(try story.verdict.batches[d.device] == CountedBatches.none)
    }

    @Test func `an epoch is usable when each member has a box, be it by a share`() throws {
        var story = try RuleStory.friends([a, b, c])
        let narrow = try story.epoch(by: a, 1, sealedTo: [a, b])
        #expect(try story.verdict.currentEpoch == nil)
        let box = [UInt8](repeating: 7, count: 112)
        try story.sign(b, .share(SharePayload(epoch: narrow.id, device: c.device, box: box)))
        #expect(try story.verdict.currentEpoch == narrow.id)
        // A box for a stranger spoils it for good; a word of one whose box does not open does too.
        let second = try story.epoch(by: a, 2, sealedTo: [a, b, c])
        try story.sign(b, .share(SharePayload(epoch: narrow.id, device: d.device, box: box)))
        #expect(try story.verdict.epochs.map(\.isClean) == [true, false])
        let third = try story.epoch(by: c, 3, sealedTo: [a, b, c], bad: [second.id])
        #expect(try story.verdict.epochs.map(\.isUsable) == [true, false, false])
        #expect(try story.verdict.currentEpoch == third.id)
    }

    @Test func `the device that an epoch leaves out is the same in every order of arrival`() throws
    {
        var story = try RuleStory(a)
        let genesis = story.heads
        for device in [b, c, d] { try story.add(device, by: a, on: genesis) }
        let epoch = try story.epoch(by: a, 1, sealedTo: [a])
        let records = story.records
        let verdict = judge(records)
        #expect(
            verdict.judgedEpochs[epoch.id]?.fault
                == .leavesOut([b, c, d].map(\.device).min() ?? .zero))
        for order in [[0, 1, 3, 2, 4], [0, 2, 1, 3, 4], [0, 3, 2, 1, 4]] {
            #expect(judge(order.map { records[$0] }) == verdict)
        }
    }

    @Test func `a new recovery key takes the place of the old one, once`() throws {
        let (new, other) = (TestDevice(901), TestDevice(902))
        var story = try RuleStory.friends([a, b])
        let heads = story.heads
        let forged = try story.sign(a, .recovery(other.certificate), on: heads)
        let first = try story.sign(story.recovery, .recovery(new.certificate), on: heads)
        let second = try story.sign(story.recovery, .recovery(other.certificate), on: heads)
        try story.vote(b, true, first, on: [first])
        let verdict = try story.verdict
        #expect(verdict.recovery == new.device)
        #expect(verdict.void.contains(second.id) && verdict.void.contains(forged.id))
        let late = try story.add(c, by: story.recovery)
        #expect(try story.verdict.void.contains(late.id))
        try story.add(c, by: new)
        #expect(try story.members == names(a, b, c))
    }

    @Test func `what an old recovery key names later has no more weight than before`() throws {
        let new = TestDevice(901)
        var story = try RuleStory.friends([a, b, c, d])
        let genesis = story.genesis
        let first = try story.sign(story.recovery, .recovery(new.certificate))
        try story.vote(b, true, first, on: [first])
        // The old key names the founder, who is the thief here, and a member.
        for device in [a, c] {
            try story.sign(story.recovery, .recovery(device.certificate), on: [genesis])
        }
        #expect(try story.members == names(a, b, c, d))
        #expect(try story.verdict.recoveryKeys == OrderedSet([story.recovery.device, new.device]))
        let heads = story.heads
        let removal = try story.remove(a, by: b, on: heads)
        for voter in [c, d] { try story.vote(voter, true, removal, on: [removal]) }
        try story.remove(b, by: a, on: heads)
        #expect(try story.members == names(b, c, d))
    }

    @Test func `a key that no add let in has a vote once any record made it admin`() throws {
        var story = try RuleStory.friends([a, b])
        let heads = story.heads
        let one = try story.sign(story.recovery, .recovery(c.certificate), on: heads)
        let other = try story.sign(story.recovery, .recovery(d.certificate), on: heads)
        try story.vote(a, false, one, on: [one])
        try story.vote(b, true, one, on: [one])
        try story.vote(d, true, other, on: [other])
        #expect(try story.verdict.recovery == c.device)
        // The other key has no right to say so.
        let role = try story.role(d, .admin, by: c, on: [one])
        let verdict = try story.verdict
        #expect(verdict.recovery == d.device)
        #expect(verdict.restrictions[one.id]?.stands == false)
        #expect(verdict.void.contains(role.id))
    }

    @Test func `a leave that a recovery key signs comes before a removal with votes against it`()
        throws
    {
        var story = try RuleStory.friends([a, b, c])
        let first = try story.sign(story.recovery, .recovery(c.certificate))
        let second = try story.sign(story.recovery, .recovery(b.certificate))
        let heads = [try story.vote(a, true, second, on: [second])]
        let leave = try story.remove(b, by: b, on: heads)
        let removal = try story.remove(b, by: c, on: heads)
        try story.vote(a, false, removal, on: [removal])
        let verdict = try story.verdict
        for record in [first, second, removal, leave] {
            #expect(verdict.restrictions[record.id]?.stands == true)
        }
    }

    @Test func `an unknown record freezes while its author is an admin, and never its removal`()
        throws
    {
        var story = try RuleStory.friends([a, b, c])
        let unknown = try story.sign(c, 9, [0xf6])
        #expect(try story.verdict.freezing.elements == [unknown.id])
        let removal = try story.remove(c, by: a, sealedTo: [a, b])
        #expect(try story.verdict.freezing.isEmpty)
        #expect(try story.verdict.currentEpoch == removal.id)
    }

    @Test func `a payload reads back as it was written`() throws {
        let heads = [head(1), head(2)]
        let payloads: [MemberPayload] = [
            .remove(
                RemovePayload(
                    device: a.device, reason: 2,
                    with: [RemovePayload.Companion(device: b.device, heads: heads)], heads: heads,
                    epoch: nil)),
            .role(
                RolePayload(
                    device: a.device, role: .reader, scopes: .some([Bytes16(repeating: 3)]),
                    heads: heads)), .role(RolePayload(device: a.device, role: .admin)),
            .vote(VotePayload(isFor: false, record: Bytes32(repeating: 5))),
            .extend(ExtendPayload(device: a.device, heads: heads)),
            .share(
                SharePayload(
                    epoch: .zero, device: a.device, box: [UInt8](repeating: 1, count: 80))),
            .recovery(a.certificate),
        ]
        for payload in payloads {
            let kind = try #require(payload.kind).rawValue
            #expect(try MemberPayload(decoding: payload.encoded, kind: kind) == payload)
            for count in payload.encoded.indices {
                #expect(throws: MembershipError.self) {
                    try MemberPayload(decoding: Array(payload.encoded.prefix(count)), kind: kind)
                }
            }
        }
    }
}
