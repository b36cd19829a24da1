import LinnetMembership
import LinnetWire
import Testing

/// Removals that meet: who is a member after all of them.
struct RuleExampleTests {
    private let t = TestDevice(1)
    private let a = TestDevice(2)
    private let b = TestDevice(3)
    private let c = TestDevice(4)
    private let d = TestDevice(5)

    private func names(_ devices: TestDevice...) -> Set<DeviceID> { Set(devices.map(\.device)) }

    private func score(_ record: MemberRecord, _ story: RuleStory) throws -> [Int] {
        let restriction = try #require(try story.verdict.restrictions[record.id])
        return [restriction.yes.count, restriction.no.count]
    }

    @Test func `a removal ends a membership, and its epoch is current`() throws {
        var story = try RuleStory.friends([a, b, c])
        let removal = try story.remove(b, by: a, sealedTo: [a, c])
        #expect(try story.members == names(a, c))
        #expect(try story.verdict.currentEpoch == removal.id)
    }

    @Test func `two removals of others both stand, and anyone rotates`() throws {
        var story = try RuleStory.friends([a, b, c, d])
        let heads = story.heads
        try story.remove(c, by: a, sealedTo: [a, b, d], on: heads)
        try story.remove(d, by: b, sealedTo: [a, b, c], on: heads)
        #expect(try story.members == names(a, b))
        #expect(try story.verdict.currentEpoch == nil)
        #expect(try story.verdict.epochs.map(\.isClean) == [false, false])
        let next = try story.epoch(by: b, 2, sealedTo: [a, b])
        #expect(try story.verdict.currentEpoch == next.id)
    }

    @Test func `an epoch without boxes does not take the place of one with all`() throws {
        var story = try RuleStory.friends([a, b])
        let whole = try story.epoch(by: a, 1, sealedTo: [a, b])
        let empty = try story.epoch(by: b, 2, sealedTo: [])
        #expect(try story.verdict.currentEpoch == whole.id)
        #expect(try story.verdict.epochs.map(\.id) == [empty.id, whole.id])
        #expect(try story.verdict.epochs.map(\.isClean) == [true, true])
    }

    @Test func `of two devices that remove each other the senior one stays`() throws {
        var story = try RuleStory.friends([t, a])
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        try story.remove(a, by: t, on: heads)
        #expect(try story.members == names(t))
        #expect(try score(one, story) == [1, 1])
    }

    @Test func `a third device decides between two that remove each other`() throws {
        var story = try RuleStory.friends([t, a, b])
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        try story.vote(b, true, one)
        try story.remove(a, by: t, on: heads)
        #expect(try story.members == names(a, b))
        #expect(try score(one, story) == [2, 1])
    }

    @Test func `votes that are changed count as they are last`() throws {
        var story = try RuleStory.friends([t, a, b, c])
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        let other = try story.remove(a, by: t, on: heads)
        let first = try [b, c].map { try story.vote($0, true, other, on: [other]) }
        #expect(try story.members == names(t, b, c))
        for (device, vote) in zip([b, c], first) {
            try story.vote(device, true, one, on: [one, vote])
        }
        #expect(try story.members == names(a, b, c))
    }

    @Test func `a device that leads two lives has no vote in either`() throws {
        var story = try RuleStory.friends([t, a, b, c, d])
        let one = try story.remove(t, by: a)
        for device in [b, c, d] { try story.vote(device, true, one) }
        let admission = story.records[1]
        let other = try story.remove(a, by: t, on: [admission])
        #expect(try story.members == names(a, b, c, d))
        #expect(try story.verdict.restrictions[other.id]?.stands == false)
        #expect(try score(one, story) == [4, 0])
    }

    @Test func `helpers that the accuser never accepted have no voice, and stay`() throws {
        var story = try RuleStory.friends([t, a, b, c])
        let helpers = (10..<14).map { TestDevice(UInt64($0)) }
        for helper in helpers { try story.add(helper, by: t) }
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        let votes = try [b, c].map { try story.vote($0, true, one, on: [one]) }
        #expect(votes.count == 2)
        let other = try story.remove(a, by: t, on: heads)
        for helper in helpers { try story.vote(helper, true, other, on: [other]) }
        #expect(try score(one, story) == [3, 1])
        #expect(
            try story.members == names(a, b, c).union(helpers.map(\.device)))
        // A removal that names them takes them along.
        var named = try RuleStory.friends([t, a, b, c])
        for helper in helpers { try named.add(helper, by: t) }
        let start = named.heads
        let removal = try named.remove(t, by: a, with: helpers, on: start)
        for device in [b, c] { try named.vote(device, true, removal, on: [removal]) }
        let answer = try named.remove(a, by: t, on: start)
        for helper in helpers { try named.vote(helper, true, answer, on: [answer]) }
        #expect(try named.members == names(a, b, c))
        #expect(try Set(named.verdict.lost.elements) == Set(helpers.map(\.device)))
    }

    @Test func `a removal that its target alone denies is void when nobody accepted says yes`()
        throws
    {
        let h = TestDevice(6)
        var story = try RuleStory.friends([t, a, b, c])
        try story.add(h, by: t)
        try story.accept([t, a, b, c, h], by: h)
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        for device in [b, c] { try story.vote(device, true, one, on: [one]) }
        let other = try story.remove(a, by: h, on: heads)
        try story.vote(a, false, other, on: [one, other])
        #expect(try score(other, story) == [0, 1])
        #expect(try story.members == names(a, b, c, h))
    }

    @Test func `a removal on an old parent with nobody for it loses nobody`() throws {
        let g = TestDevice(7)
        var story = try RuleStory(g)
        let admission = try story.add(t, by: g)
        for device in [a, b, c] { try story.add(device, by: g) }
        for device in [t, a, b, c] { try story.accept([g, t, a, b, c], by: device) }
        let removal = try story.remove(g, by: t, on: [admission])
        #expect(try story.members == names(g, t, a, b, c))
        #expect(try story.verdict.restrictions[removal.id]?.isForked == true)
        #expect(try story.verdict.void.contains(removal.id))
    }

    @Test func `what descends from a void record is not void for that`() throws {
        let n = TestDevice(8)
        var story = try RuleStory.friends([t, a, b])
        let heads = story.heads
        let one = try story.remove(t, by: a, on: heads)
        try story.vote(b, true, one, on: [one])
        let other = try story.remove(a, by: t, on: heads)
        let add = try story.add(n, by: a)
        #expect(try story.verdict.void.contains(other.id))
        #expect(try !story.verdict.void.contains(add.id))
        #expect(try story.members == names(a, b, n))
    }

    @Test func `the recovery key is above all, and what is beside it falls or stands by itself`()
        throws
    {
        let n = TestDevice(8)
        var story = try RuleStory.friends([a, b, c])
        let heads = story.heads
        try story.remove(c, by: b, on: heads)
        let add = try story.add(n, by: story.recovery, on: heads)
        let first = try story.remove(a, by: story.recovery, on: [add])
        try story.remove(b, by: story.recovery, on: [first])
        #expect(try story.members == names(c, n))
    }
}
