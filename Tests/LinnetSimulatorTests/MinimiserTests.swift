import LinnetCRDT
import Testing

@testable import LinnetSimulator

/// Plans shrink to what their failure needs.
@Suite(.serialized)
struct MinimiserTests {
    /// What a run would come to, without one.
    private static func outcome(of plan: Plan, _ result: Outcome.Result) -> Outcome {
        Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: false, traceHash: 0,
            events: 0, milliseconds: plan.duration, devices: plan.devices, rounds: 0,
            result: result, coverage: Coverage(), states: [])
    }

    private static let broken = Outcome.Result.invariant(Violation(.exactlyOnce, "twice"))

    private static func plan() throws -> Plan {
        PlanMaker.plan(try #require(Scenario.named("model")), seed: 2)
    }

    /// Fails while the two actions are there, and in another way while only one of them is.
    private static func verdict(_ plan: Plan, _ salts: [UInt64]) -> Outcome.Result {
        switch plan.actions.count(where: { salts.contains($0.salt) }) {
        case 2: broken
        case 1: .liveness("another failure", [])
        default: .ok
        }
    }

    @Test func `two actions that fail together are all that is left`() throws {
        let plan = try Self.plan()
        let salts = [plan.actions[3].salt, plan.actions[plan.actions.count - 4].salt]
        var minimiser = Minimiser(plan, outcome: Self.outcome(of: plan, Self.broken), runs: 5_000) {
            Self.outcome(of: $0, Self.verdict($0, salts))
        }
        minimiser.shrink()
        #expect(minimiser.plan.actions.map(\.salt).sorted() == salts.sorted())
    }

    @Test func `shrinking ends at its number of runs, with a plan that still fails`() throws {
        let plan = try Self.plan()
        let salts = [plan.actions[3].salt, plan.actions[plan.actions.count - 4].salt]
        var calls = 0
        var minimiser = Minimiser(plan, outcome: Self.outcome(of: plan, Self.broken), runs: 12) {
            calls += 1
            return Self.outcome(of: $0, Self.verdict($0, salts))
        }
        minimiser.shrink()
        #expect(calls == 12)
        #expect(minimiser.runs == 12)
        #expect(Self.verdict(minimiser.plan, salts) == Self.broken)
        #expect(minimiser.plan.actions.count < plan.actions.count)
    }

    @Test func `devices are left out only when nothing that is left concerns them`() throws {
        let plan = try Self.plan()
        let kept = plan.actions[5].salt
        var minimiser = Minimiser(plan, outcome: Self.outcome(of: plan, Self.broken), runs: 5_000) {
            let isThere = $0.actions.contains { $0.salt == kept }
            return Self.outcome(of: $0, isThere ? Self.broken : .ok)
        }
        minimiser.shrink()
        let shrunken = minimiser.plan
        #expect(shrunken.versions.count == shrunken.devices)
        #expect(shrunken.lateJoiners <= max(0, shrunken.devices - 1))
        #expect(shrunken.actions.flatMap(\.kind.devices).allSatisfy { $0 < shrunken.devices })
    }
}
