import Testing

@testable import LinnetSimulator

/// The scenario of homes that go on twice while others write about both lives.
struct TwinsTests {
    @Test(arguments: UInt64(1)...3)
    func `a fork that shows in running sessions is healed in them`(seed: UInt64) throws {
        let outcome = try #require(Scenario.named("twins")).run(seed: seed)
        #expect(outcome.result == .ok, "\(outcome.shortComplaint ?? "")")
        let place = try #require(ProtocolState.allCases.firstIndex(of: .forkHealedInSession))
        #expect(outcome.coverage.states[place] == 1)
    }

    @Test func `two lives of a home and those who meet them change the same things`() throws {
        let plan = PlanMaker.plan(try #require(Scenario.named("twins")), seed: 1)
        let twins = plan.actions.count {
            switch $0.kind {
            case .clone(_, withWitness: true), .restore(_, .wholeMachine): true
            default: false
            }
        }
        #expect(twins > 0)
        #expect(plan.dividesInSessions)
    }
}
