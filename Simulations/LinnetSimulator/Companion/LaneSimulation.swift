import LinnetCompanion

/// Runs a plan of the scenario `companion`.
struct LaneSimulation {
    static func run(_ plan: Plan, _ lanes: LanePlan, _ trace: Trace) -> Outcome {
        var result = Outcome.Result.ok
        var world: LaneWorld?
        do {
            let made = try LaneWorld(plan, lanes, trace: trace)
            world = made
            try made.run()
        } catch let violation as Violation {
            result = .invariant(violation)
        } catch {
            result = .invariant(Violation(.noTraps, "\(error)"))
        }
        return Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: plan.usesRealCrypto,
            traceHash: world?.trace.hash.value ?? 0, events: world?.events ?? 0,
            milliseconds: world?.now ?? 0, devices: 2, rounds: 0, result: result,
            coverage: world?.coverage ?? Coverage(), states: [])
    }
}
