import LinnetWire
import Testing

@testable import LinnetMembership

struct AncestryTests {
    private let founder = TestDevice(1)
    private let other = TestDevice(2)

    private func ancestry(of log: MembershipLog) -> Ancestry {
        var ancestry = Ancestry()
        for record in log.records { ancestry.add(record) }
        return ancestry
    }

    @Test func `every record has its parents and theirs before it, and none beside it`() throws {
        let base = try founder.found()
        let add = try founder.add(other, to: base)
        let epoch = try founder.epoch(in: base)
        let log = try base.inserting(add, epoch)
        let ancestry = ancestry(of: log)
        #expect(ancestry.before(add.id).count == 2)
        #expect(!ancestry.holds(epoch.id, in: ancestry.before(add.id)))
        let all = ancestry.upTo([add.id, epoch.id])
        #expect(all.count == 4 && ancestry.holds(epoch.id, in: all))
        #expect(ancestry.upTo([.zero]).count == 0)
        #expect(ancestry.place(of: .zero) == nil)
        #expect(ancestry.before(.zero).count == 0)
    }

    @Test func `a device may sign once a record before has admitted it`() throws {
        let base = try founder.found()
        let add = try founder.add(other, to: base)
        let again = try founder.add(other, to: base.inserting(add))
        let ancestry = ancestry(of: try base.inserting(add, again))
        let (before, after) = (ancestry.upTo(base.heads.elements), ancestry.upTo([again.id]))
        #expect(!ancestry.knows(other.device, in: before))
        #expect(ancestry.knows(other.device, in: after))
        #expect(ancestry.knows(founder.device, in: before))
        #expect(ancestry.warrants(of: other.device, in: after) == [add.id, again.id])
        #expect(!ancestry.mayRecover(founder.device, in: after))
    }

    @Test func `the highest epoch and what later versions may see are found among ancestors`()
        throws
    {
        let base = try founder.found()
        let epoch = try founder.epoch(in: base)
        let critical = try founder.record(kind: 2, in: base)
        let ignored = try founder.record(kind: 200, in: base)
        let ancestry = ancestry(of: try base.inserting(epoch, critical, ignored))
        let start = ancestry.upTo(base.heads.elements)
        #expect(ancestry.highestEpoch(in: start) == 1 && !ancestry.hasCritical(in: start))
        #expect(ancestry.highestEpoch(in: ancestry.upTo([epoch.id])) == 2)
        #expect(ancestry.hasCritical(in: ancestry.upTo([critical.id])))
        #expect(!ancestry.hasCritical(in: ancestry.upTo([ignored.id])))
        #expect(ancestry.mayBeEpoch(critical.id, in: ancestry.upTo([critical.id])))
        #expect(!ancestry.mayBeEpoch(ignored.id, in: ancestry.upTo([ignored.id])))
        #expect(!ancestry.mayBeEpoch(epoch.id, in: start))
    }
}
