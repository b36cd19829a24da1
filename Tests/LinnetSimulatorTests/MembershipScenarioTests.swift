import LinnetCrypto
import LinnetMembership
import LinnetWire
import MembershipReference
import Testing

@testable import LinnetSimulator

/// People who admit and remove devices, and the judge of what comes of it.
@Suite(.serialized)
struct MembershipScenarioTests {
    private static func scenario() throws -> Scenario {
        try #require(Scenario.named("membership"))
    }

    @Test(arguments: [1, 2, 4, 7] as [UInt64])
    func `members agree whoever removes whom`(seed: UInt64) throws {
        let outcome = try Self.scenario().run(seed: seed)
        #expect(outcome.complaint == nil)
        #expect(outcome.events > 100)
    }

    @Test func `a seed tells the same story each time, and others tell other ones`() throws {
        let scenario = try Self.scenario()
        let first = scenario.run(seed: 5)
        #expect(scenario.run(seed: 5).traceHash == first.traceHash)
        #expect(scenario.run(seed: 6).traceHash != first.traceHash)
    }

    @Test(arguments: MemberLie.allCases)
    func `each lie is told`(lie: MemberLie) throws {
        var plan = PlanMaker.plan(try Self.scenario(), seed: 11)
        plan.actions = []
        let steps: [Action.Kind] = [
            .meet(0, 1, lasting: 1_000, .calm), .meet(0, 2, lasting: 1_000, .calm),
            .takeOver(device: 0), .member(.remove(1, by: 2, takesAlong: false)),
            .member(.lie(lie, by: 0, to: 2)),
        ]
        plan.membership?.roles = [.admin, .admin, .admin]
        for (index, kind) in steps.enumerated() {
            let time = Int64(index + 1) * 60_000
            plan.actions.append(Action(time: time, kind: kind, salt: UInt64(index)))
        }
        var told: [String] = []
        let outcome = Simulation.run(plan, Simulation.Listener(sentence: { told.append($0) }))
        #expect(outcome.complaint == nil)
        #expect(told.contains { $0.contains(lie.sentence) })
        #expect(!told.contains { $0.contains("could not be told") })
    }

    @Test func `a person is against the removal of her device, and it stays`() throws {
        var plan = PlanMaker.plan(try Self.scenario(), seed: 11)
        let steps: [Action.Kind] = [
            .member(.remove(0, by: 1, takesAlong: false)), .meet(0, 1, lasting: 1_000, .calm),
            .member(.contest(0)), .meet(0, 1, lasting: 1_000, .calm),
            .member(.remove(2, by: 0, takesAlong: false)),
        ]
        plan.actions = steps.enumerated().map { index, kind in
            Action(time: Int64(index + 1) * 60_000, kind: kind, salt: UInt64(index))
        }
        plan.membership?.roles = [.admin, .admin, .admin]
        var told: [String] = []
        let outcome = Simulation.run(plan, Simulation.Listener(sentence: { told.append($0) }))
        #expect(outcome.complaint == nil)
        #expect(told.contains { $0.contains("the person at 0 is against all removals") })
        // Whoever founded the group is senior, and its word decides between two.
        #expect(!told.contains { $0.contains("may not do that") }, "\(told)")
    }

    @Test func `links know between whom a session is open at both ends`() {
        var links = CalmLinks()
        let ends = links.open(3, 5)
        links.note(ends.0, isOpen: true)
        #expect(links.talking.isEmpty)
        links.note(ends.1, isOpen: true)
        #expect(links.talking.map { [$0.0, $0.1] } == [[3, 5]])
        #expect(links.end(of: 5, with: 3) == ends.1)
        links.hangUp(ends.0)
        #expect(links.talking.isEmpty)
    }

    @Test func `people bind a device, unbind it, and use recovery words`() throws {
        var plan = PlanMaker.plan(try Self.scenario(), seed: 11)
        plan.actions = []
        let steps: [Action.Kind] = [
            .member(.makeWords), .meet(0, 1, lasting: 1_000, .calm),
            .member(.bind(1, by: 0, .member, within: ["notes", "tags"])),
            .meet(0, 1, lasting: 1_000, .calm), .member(.answer(1, isOwn: true)),
            .member(.bind(1, by: 0, .reader, within: ["tags"])), .member(.idle(days: 3)),
            .meet(0, 1, lasting: 1_000, .calm), .member(.bind(1, by: 0, .member, within: nil)),
            .member(.recover(3, from: 0, removing: [1, 2])),
        ]
        plan.membership?.roles = [.admin, .admin, .admin]
        plan.versions = [Int](repeating: plan.versions[0], count: 4)
        for (index, kind) in steps.enumerated() {
            let time = Int64(index + 1) * 60_000
            plan.actions.append(Action(time: time, kind: kind, salt: UInt64(index)))
        }
        var told: [String] = []
        let outcome = Simulation.run(plan, Simulation.Listener(sentence: { told.append($0) }))
        #expect(outcome.complaint == nil)
        for refusal in ["may not do that", "cannot use the words"] {
            #expect(!told.contains { $0.contains(refusal) }, "\(told.joined(separator: "\n"))")
        }
        #expect(told.contains { $0.contains("0 makes 1 a reader of tags") })
        #expect(outcome.devices == 5)
    }

    @Test func `the reference knows members, epochs and batches of a group of two`() throws {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let one = SimulatedDevice.keys(seed: 1, identity: 0)
        let other = SimulatedDevice.keys(seed: 1, identity: 1)
        var log = try MembershipLog.founded(by: one, entropy: &entropy)
        _ = try log.insert(
            log.makeAdd(
                other.certificate, role: .member, ring: KeyRing(log: log, keys: one), keys: one,
                entropy: &entropy))
        let before = GroupReference(log.records)
        #expect(before.members == [one.device: .admin, other.device: .member])
        #expect(before.counted(of: other.device) == .all)
        let removal = try log.makeRemoval(
            of: other.device, reason: 0, with: [], heads: [],
            ring: KeyRing(log: log, keys: one), keys: one, entropy: &entropy)
        _ = try log.insert(removal)
        let after = GroupReference(log.records)
        #expect(after.members == [one.device: .admin])
        #expect(after.counted(of: other.device) == .upTo([]))
        #expect(after.current == removal.id)
        #expect(after.epochs.count(where: \.isSealed) == 1)
    }
}
