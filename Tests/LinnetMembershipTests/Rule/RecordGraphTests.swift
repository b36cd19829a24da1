import LinnetWire
import Testing

@testable import LinnetMembership

struct RecordGraphTests {
    private let founder = TestDevice(1)
    private let other = TestDevice(2)

    private func graph(of log: MembershipLog) -> RecordGraph {
        var graph = RecordGraph()
        for record in log.records { graph.add(record) }
        return graph
    }

    @Test func `every record has its parents and theirs before it, and none beside it`() throws {
        let base = try founder.found()
        let add = try founder.add(other, to: base)
        let epoch = try founder.epoch(in: base)
        let graph = graph(of: try base.inserting(add, epoch))
        let (one, beside) = (
            try #require(graph.place(of: add.id)), try #require(graph.place(of: epoch.id))
        )
        #expect(graph.nodes[one].before.count == 2)
        #expect(graph.isConcurrent(one, beside) && !graph.isConcurrent(one, one))
        let all = graph.upTo([add.id, epoch.id])
        #expect(all.count == 4 && graph.holds(epoch.id, in: all))
        #expect(graph.upTo([.zero]).count == 0)
        #expect(graph.place(of: .zero) == nil)
    }

    @Test func `a device may sign once a record before has admitted it`() throws {
        let base = try founder.found()
        let add = try founder.add(other, to: base)
        let graph = graph(of: try base.inserting(add))
        let (before, after) = (graph.upTo(base.heads.elements), graph.upTo([add.id]))
        #expect(!graph.knows(other.device, in: before))
        #expect(graph.knows(other.device, in: after))
        #expect(graph.knows(founder.device, in: before))
        #expect(!graph.isRecoveryKey(founder.device, in: after))
    }

    @Test func `the highest epoch and what the first version took for one are found before`() throws
    {
        let base = try founder.found()
        let epoch = try founder.epoch(in: base)
        let vote = MemberPayload.vote(VotePayload(isFor: true, record: base.group))
        let novel = try founder.record(kind: 5, payload: vote.encoded, in: base)
        let ignored = try founder.record(kind: 200, in: base)
        let graph = graph(of: try base.inserting(epoch, novel, ignored))
        let start = graph.upTo(base.heads.elements)
        #expect(graph.highestEpoch(in: start) == 1 && !graph.hasNovel(in: start))
        #expect(graph.highestEpoch(in: graph.upTo([epoch.id])) == 2)
        #expect(graph.hasNovel(in: graph.upTo([novel.id])))
        #expect(!graph.hasNovel(in: graph.upTo([ignored.id])))
    }
}
