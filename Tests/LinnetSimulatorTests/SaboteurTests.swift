import LinnetWire
import Testing

@testable import LinnetReplication
@testable import LinnetSimulator

/// A fleet of which one device means harm, and its judge.
@Suite(.serialized)
struct SaboteurTests {
    private static let own = DeviceID(repeating: 1)

    private static func scenario() throws -> Scenario {
        try #require(Scenario.named("saboteur"))
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `the honest go on whatever one of them says`(seed: UInt64) throws {
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

    @Test(arguments: SabotageKind.allCases)
    func `each kind of harm is done`(kind: SabotageKind) throws {
        var plan = PlanMaker.plan(try Self.scenario(), seed: 7)
        plan.actions.removeAll {
            if case .sabotage = $0.kind { true } else { false }
        }
        let late = plan.duration - 1
        plan.actions.append(Action(time: late, kind: .sabotage(kind, victim: 0), salt: 7))
        var told: [String] = []
        let outcome = Simulation.run(plan, Simulation.Listener(sentence: { told.append($0) }))
        #expect(outcome.complaint == nil)
        #expect(told.contains { $0.contains(kind.sentence) })
        #expect(!told.contains { $0.contains("could not be told") })
        guard kind == .gaps else { return }
        let place = try #require(ProtocolState.allCases.firstIndex(of: .batchWaited))
        #expect(outcome.coverage.states[place] > 0)
    }

    @Test func `a session of two honest devices that breaks is a violation`() throws {
        var fleet = HonestFleet(honest: 2)
        let broken = Event.sessionClosed(
            LinkID(rawValue: 1), device: nil, reason: .protocolViolation)
        try fleet.hear(broken, on: 0, isBetweenHonest: false)
        #expect(throws: Violation.self) {
            try fleet.hear(broken, on: 0, isBetweenHonest: true)
        }
    }

    @Test func `a batch that was acknowledged and does not show is a violation`() throws {
        var fleet = HonestFleet(honest: 1)
        fleet.noteWritten([Self.entry(seq: 2, visible: 2)], by: 0, named: Self.own)
        try fleet.checkNothingLost([Self.entry(seq: 2, visible: 2)], on: 0)
        #expect(throws: Violation.self) {
            try fleet.checkNothingLost([Self.entry(seq: 2, visible: 1)], on: 0)
        }
        #expect(throws: Violation.self) { try fleet.checkNothingLost([], on: 0) }
    }

    @Test func `a life that an honest device did not begin is a violation`() throws {
        var fleet = HonestFleet(honest: 1)
        fleet.noteLife(Incarnation(repeating: 4), of: Self.own)
        try fleet.checkNames([Self.entry(seq: 1, visible: 1)], on: 0)
        #expect(throws: Violation.self) {
            try fleet.checkNames([Self.entry(seq: 1, visible: 1, life: 5)], on: 0)
        }
    }

    @Test func `too much memory and disk are violations`() throws {
        let fleet = HonestFleet(honest: 1)
        try fleet.checkMemory(HonestFleet.memory, of: 0)
        #expect(throws: Violation.self) { try fleet.checkMemory(HonestFleet.memory + 1, of: 0) }
        try fleet.checkDisk(HonestFleet.ownDisk + 80, received: 10, of: 0)
        #expect(throws: Violation.self) {
            try fleet.checkDisk(HonestFleet.ownDisk + 81, received: 10, of: 0)
        }
    }

    private static func entry(seq: UInt64, visible: UInt64, life: UInt8 = 4) -> VectorEntry {
        VectorEntry(
            scope: ScopeID(repeating: 2), device: own, incarnation: Incarnation(repeating: life),
            chain: AuthorID(repeating: 3), seq: seq, visible: visible,
            head: BatchID(repeating: 6))
    }
}
