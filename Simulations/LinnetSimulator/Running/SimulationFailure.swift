@_exported public import LinnetCRDT
import LinnetReplication

/// Simulates an application's own data over a fleet where everything goes wrong that can, and
/// checks that the application's invariant holds on every device, next to those of replication.
///
/// Each seed plays a few weeks; the same seed plays the same weeks, on every machine. Simulations
/// of one process take turns.
///
/// - Parameters:
///   - schema: the application's collections.
///   - seeds: what is simulated; each is a run of its own.
///   - devices: how many devices there are, drawn by the seed.
///   - days: how many days pass, drawn by the seed.
///   - store: the production store on a faulty disk, or the faster model of it.
///   - operations: writes one transaction, with nothing but the random numbers that it gets.
///   - invariant: what is wrong on a device, in words; nil when all is well.
/// - Throws: `SimulationFailure` for the first seed that fails, with the story of how.
public func simulate(
    schema: Schema, seeds: ClosedRange<UInt64> = 1...20,
    devices: ClosedRange<Int> = 2...4, days: ClosedRange<Int> = 3...14,
    store: StoreKind = .sqlite,
    operations: @escaping @Sendable (inout SeededRandom, inout SimulatedTransaction) -> Void,
    invariant: @escaping @Sendable (SimulatedReplica) -> String? = { _ in nil }
) throws(SimulationFailure) {
    precondition(devices.lowerBound >= 2, "a fleet has at least two devices")
    precondition(days.lowerBound >= 1, "a simulation lasts a day at least")
    let workload = ApplicationWorkload(schema: schema, operations: operations)
    var scenario = Scenario(name: "application", sentence: "An application's own data.")
    scenario.devices = devices
    scenario.days = days
    scenario.store = store
    scenario.workload = workload
    // One version of the application; and big commits are its own business.
    scenario.faults = FaultKind.ofFleets.filter {
        ![.olderVersion, .upgrade, .downgrade, .bigCommit, .importInParts].contains($0)
    }
    scenario.applicationCheck = invariant
    for seed in seeds {
        let plan = PlanMaker.plan(scenario, seed: seed)
        if let problem = workload.problem {
            throw SimulationFailure(
                seed: seed, invariant: "operations", message: problem, story: [])
        }
        let outcome = Simulation.run(plan)
        guard let complaint = outcome.shortComplaint else { continue }
        let parts = complaint.split(separator: ":", maxSplits: 1).map(String.init)
        let story = Story.shrinking(plan, of: scenario, outcome: outcome, runs: 60)
        throw SimulationFailure(
            seed: seed, invariant: parts.first ?? "",
            message: String((parts.last ?? "").drop { $0 == " " }),
            story: story.sentences + story.outcome.states)
    }
}

/// A seed that broke an invariant, or did not converge.
public struct SimulationFailure: Error, CustomStringConvertible, Equatable {
    /// The seed: simulating it alone does the same again.
    public let seed: UInt64
    /// The invariant that broke: "app" is the application's own, "operations" names a faulty
    /// transaction.
    public let invariant: String
    /// The way in which it broke.
    public let message: String
    /// The story that led to it, as short as it could be made in a moment, and the last states.
    public let story: [String]

    /// All of it, for the log of a test.
    public var description: String {
        (["seed \(seed) broke \(invariant): \(message)"] + story.map { "  " + $0 })
            .joined(separator: "\n")
    }
}
