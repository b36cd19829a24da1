import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire
import Synchronization

/// Runs a plan from its beginning to the verdict.
struct Simulation {
    /// The parts of a run that may be told.
    struct Listener {
        var line: ((String) -> Void)?
        var sentence: ((String) -> Void)?
        var recorder: StoryRecorder?
    }

    /// Simulations take settings of the process, so that they must take turns.
    private static let turn = Mutex(())

    static func run(_ plan: Plan, _ listener: Listener = Listener()) -> Outcome {
        turn.withLock { _ in runAlone(plan, listener) }
    }

    private static func runAlone(_ plan: Plan, _ listener: Listener) -> Outcome {
        Disk.beginSeed(plan.seed)
        if !plan.usesRealCrypto { StandIn.enable(key: plan.seed | 1) }
        defer {
            StandIn.disable()
            Disk.endSeed()
        }
        var trace = Trace()
        trace.line = listener.line
        trace.sentence = listener.sentence
        trace.recorder = listener.recorder
        if let lanes = plan.lanes { return LaneSimulation.run(plan, lanes, trace) }
        if let sabotage = plan.sabotage { return SabotageSimulation.run(plan, sabotage, trace) }
        if plan.membership != nil { return MembershipSimulation.run(plan, trace) }
        let world = World(plan, trace: trace)
        let result = Outcome.Result {
            try found(world)
            world.schedule()
            try world.run(until: world.origin + plan.duration)
            try world.heal()
            try world.divideInSessions()
            world.rounds = try world.converge()
            try world.convergeFiles()
            try world.doWithoutScopes()
            try world.close()
        }
        return world.outcome(result)
    }

    /// The first device founds the group; all but the late ones join before anything goes wrong.
    private static func found(_ world: World) throws {
        let plan = world.plan
        for index in 0..<plan.devices {
            let device = world.addDevice(
                name: "device\(index)", identity: index, version: plan.versions[index])
            try world.start(device)
        }
        let founder = world.devices[0]
        let effects = try founder.replica?.createGroup(
            name: founder.name, kind: "phone",
            keepsRecoveryKey: plan.mail?.isOnlyWay == true, at: founder.moment(world.now))
        try world.perform(effects ?? [], of: founder)
        for index in 1..<plan.devices where !plan.joinsLate(index) {
            try world.pair(index, 0, .code, salt: plan.seed &+ UInt64(index))
            try world.run(until: world.now + 61_000)
            guard world.devices[index].isMember else {
                throw LivenessFailure(
                    message: "device \(index) could not join a healthy group", devices: [index])
            }
        }
        if plan.mail?.isOnlyWay == true { try world.makeWords() }
        for device in world.devices {
            if case .sqlite(let disk) = device.backend { disk.lies = plan.lyingDisks }
        }
    }
}

extension World {
    /// Puts the plan on the queue, from now on.
    func schedule() {
        origin = now
        addWidgets()
        for kind in FaultKind.allCases { coverage.happened(kind, plan.drawn[kind] ?? 0) }
        for (index, action) in plan.actions.enumerated() {
            queue.schedule(.action(index), at: now + action.time)
        }
    }

    func outcome(_ result: Outcome.Result) -> Outcome {
        for device in devices {
            if case .sqlite(let disk) = device.backend { coverage.add(disk.counters) }
        }
        coverage.add(inspector.sightings)
        let states: [String]
        switch result {
        case .ok: states = []
        case .invariant(let violation): states = describe(violation.devices)
        case .liveness(_, let devices): states = describe(devices)
        }
        return Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: plan.usesRealCrypto,
            traceHash: trace.hash.value, events: events, milliseconds: now - origin,
            devices: devices.count, rounds: rounds, result: result, coverage: coverage,
            mailTraffic: mail?.store.traffic, states: states)
    }

    /// The last states of the replicas that a failure names.
    private func describe(_ chosen: [Int]) -> [String] {
        let shown = chosen.isEmpty ? Array(devices.indices) : chosen
        return shown.filter(devices.indices.contains).map { index in
            let device = devices[index]
            let rows = inspector.views[index].rows.map { row in
                "    \(row.scope.description.prefix(6))/\(row.chain.description.prefix(6)) "
                    + "\(row.first)…\(row.stored), shows \(row.applied)"
                    + (row.forkedAt.map { ", forked at \($0)" } ?? "")
                    + (row.applied < row.stored ? inspector.known.wait(of: row, index) : "")
            }
            return
                "device \(index) (\(device.name), version \(device.version + 1), \(device.state), "
                + "start \(device.lives))\n" + rows.joined(separator: "\n")
        }
    }
}

extension Scenario {
    /// Runs one seed.
    ///
    /// - Parameters:
    ///   - line: gets one JSON object for each event.
    ///   - sentence: gets what a person should know, as it happens.
    package func run(
        seed: UInt64, line: ((String) -> Void)? = nil, sentence: ((String) -> Void)? = nil
    ) -> Outcome {
        Simulation.run(
            PlanMaker.plan(self, seed: seed),
            Simulation.Listener(line: line, sentence: sentence))
    }
}
