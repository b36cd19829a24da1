import LinnetMembership

/// The decisions of a seed of the scenario `saboteur` besides its actions.
struct SabotagePlan: Sendable {
    /// The role of the device that means harm, which is the last one.
    var role: Role
}

/// Draws days of a fleet of which one device means harm, from its beginning or from later on.
struct SabotagePlanMaker {
    private var random: SeededRandom
    private var actions: [Action] = []
    private let honest: Int
    private let duration: Int64

    static func plan(_ scenario: Scenario, seed: UInt64) -> Plan {
        let root = SeededRandom(seed: seed).fork(scenario.name)
        var shape = root.fork("shape")
        let devices = shape.number(in: scenario.devices)
        let duration = Int64(shape.number(in: scenario.days)) * PlanMaker.day
        let schema = scenario.workload.schemas.count - 1
        var maker = SabotagePlanMaker(
            random: root.fork("plan"), honest: devices - 1, duration: duration)
        let takenOver = shape.chance(1, in: 2) ? 0 : Int64(shape.below(Int(duration / 2)))
        maker.draw(scenario, takenOver: takenOver)
        let ordered = maker.actions.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        var plan = Plan(
            scenario: scenario.name, seed: seed, store: shape.chance(1, in: 2) ? .sqlite : .model,
            usesRealCrypto: scenario.usesRealCrypto ?? seed.isMultiple(of: 20), devices: devices,
            lateJoiners: 0, schemas: scenario.workload.schemas,
            versions: [Int](repeating: schema, count: devices), duration: duration,
            actions: ordered.map(\.element))
        plan.sabotage = SabotagePlan(role: shape.chance(1, in: 3) ? .admin : .member)
        return plan
    }

    private init(random: SeededRandom, honest: Int, duration: Int64) {
        self.random = random
        self.honest = honest
        self.duration = duration
    }

    private mutating func draw(_ scenario: Scenario, takenOver: Int64) {
        for _ in 0..<random.number(in: 20...60) {
            let request = scenario.workload.write(&random, size: .few)
            add(.write(device: random.below(honest), request), at: moment())
            if takenOver > 0, random.chance(1, in: 3) {
                let early = Int64(random.below(Int(takenOver)))
                add(.write(device: honest, request), at: early)
                add(meeting(random.below(honest), honest), at: early + 1_000)
            }
        }
        for _ in 0..<random.number(in: 20...60) {
            let left = random.below(honest)
            let right = (left + 1 + random.below(honest - 1)) % honest
            add(meeting(left, right), at: moment())
        }
        for _ in 0..<random.number(in: 1...4) {
            let point = CrashPoint.now(power: random.chance(1, in: 2))
            add(.crash(device: random.below(honest), point, downFor: 1_000), at: moment())
        }
        add(.takeOver(device: honest), at: takenOver)
        // Most seeds leave most kinds out, so that one does not hide another.
        let density = random.pick([1, 2, 4, 8])
        let kinds = SabotageKind.allCases.filter { _ in random.chance(density, in: 8) }
        guard !kinds.isEmpty else { return }
        for _ in 0..<random.number(in: 4...24) {
            let later = takenOver + Int64(random.below(Int(duration - takenOver)))
            add(.sabotage(random.pick(kinds), victim: random.below(honest)), at: later)
        }
    }

    private func meeting(_ left: Int, _ right: Int) -> Action.Kind {
        .meet(left, right, lasting: 10_000, .calm)
    }

    private mutating func moment() -> Int64 { Int64(random.below(Int(duration))) }

    private mutating func add(_ kind: Action.Kind, at time: Int64) {
        actions.append(Action(time: time, kind: kind, salt: random.next()))
    }
}
