import LinnetCompanion
import LinnetWire

/// The decisions of a seed of the scenario `companion` beside its actions.
struct LanePlan: Sendable {
    var switches = CompanionSwitches()
    /// Out of a hundred frames.
    var doubled = 0
    /// The times out of ten that the app forgets to complete a background task.
    var forgotten = 0
}

/// Draws days of a person with a phone and a watch.
struct LanePlanMaker {
    private var random: SeededRandom
    private var actions: [Action] = []
    private let days: Int
    private static let hour: Int64 = 3_600_000

    static func plan(_ scenario: Scenario, seed: UInt64) -> Plan {
        let root = SeededRandom(seed: seed).fork(scenario.name)
        var shape = root.fork("shape")
        let days = shape.number(in: scenario.days)
        var lanes = LanePlan()
        lanes.switches.suppressesIdenticalContexts = shape.chance(3, in: 4)
        lanes.switches.wakesPhoneForTransfers = shape.chance(1, in: 3)
        if shape.chance(2, in: 3) {
            lanes.switches.budget = DeviceBudget(
                wakes: UInt64(shape.number(in: 8...96)),
                bytes: UInt64(shape.pick([400_000, 2_000_000, 8_000_000])))
        }
        var faults = root.fork("faults")
        let profile = FaultProfile(among: scenario.faults, random: &faults)
        lanes.doubled = profile.has(.duplicate) ? shape.pick([2, 20]) : 0
        lanes.forgotten = shape.pick([0, 0, 1, 5])
        var maker = LanePlanMaker(random: root.fork("plan"), days: days)
        maker.drawDays(profile)
        maker.drawDefects(profile)
        maker.drawRestarts(profile)
        let ordered = maker.actions.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        var plan = Plan(
            scenario: scenario.name, seed: seed, store: .model,
            usesRealCrypto: seed.isMultiple(of: 20), devices: 2, lateJoiners: 0, schemas: [],
            versions: [0, 0], duration: Int64(days) * PlanMaker.day,
            actions: ordered.map(\.element))
        plan.lanes = lanes
        return plan
    }

    private init(random: SeededRandom, days: Int) {
        self.random = random
        self.days = days
    }

    private mutating func add(_ step: LaneStep, at time: Int64) {
        actions.append(Action(time: time, kind: .lane(step), salt: random.next()))
    }

    /// A person gets up, uses both devices, comes and goes, and puts the watch off at night.
    private mutating func drawDays(_ profile: FaultProfile) {
        let isAboutFaces = random.chance(1, in: 4)
        let start = random.pick([ComplicationPlacement.activeFace, .smartStack, .none])
        add(.complication(isAboutFaces ? .activeFace : start), at: 0)
        let longest = isAboutFaces ? 300 : random.pick([600, 3_000, 3_000])
        for day in 0..<days {
            let start = Int64(day) * PlanMaker.day
            let morning = start + Int64(random.number(in: 6...8)) * Self.hour
            let night = start + Int64(random.number(in: 21...23)) * Self.hour
            if profile.has(.reboot), random.chance(1, in: 2) {
                // The watch was off, not only away.
                add(.reboot(device: 1, lockedFor: 0), at: morning - 60_000)
            }
            add(.range(isNear: true), at: morning)
            add(.range(isNear: false), at: night)
            var time = morning
            while time < night {
                time += Int64(random.number(in: 1...longest)) * 1_000
                if isAboutFaces, random.chance(1, in: 4) { add(.face, at: time) }
                drawMoment(at: time)
            }
        }
        guard !isAboutFaces else { return }
        for _ in 0..<random.below(days + 1) {
            let time = Int64(random.below(days * 24)) * Self.hour
            add(.complication(random.pick(ComplicationPlacement.allCases)), at: time)
        }
    }

    private mutating func drawMoment(at time: Int64) {
        let device = random.below(2)
        let importance = random.pick(Importance.allCases)
        switch random.below(24) {
        case 0...4:
            add(
                .userInfo(
                    device: device, importance, wantsProcessed: random.chance(1, in: 3),
                    bytes: random.chance(1, in: 8) ? random.below(60_000) : random.below(300)),
                at: time)
        case 5...8: add(.face, at: time)
        case 9...11:
            add(
                .context(
                    device: device, importance,
                    bytes: random.chance(1, in: 8) ? random.below(200_000) : random.below(900)),
                at: time)
        case 12...13:
            add(.message(device: device, expectsReply: random.chance(3, in: 4)), at: time)
        case 14:
            add(
                .file(
                    device: device, bytes: random.below(random.pick([400, 50_000, 400_000])),
                    wantsProcessed: random.chance(1, in: 3)), at: time)
        case 15: add(.cancel(device: device), at: time)
        case 16...17:
            add(.range(isNear: false), at: time)
            add(.range(isNear: true), at: time + Int64(1 + random.below(1_200_000)))
        default: add(.app(device: device, random.pick(AppState.allCases)), at: time)
        }
    }

    /// Hours in which the platform has some of the seed's defects.
    private mutating func drawDefects(_ profile: FaultProfile) {
        let kinds = LaneDefect.all.filter { profile.has($0.kind) }
        guard !kinds.isEmpty else { return }
        let times = kinds.reduce(0) { max($0, profile.count($1.kind)) }
        for _ in 0..<1 + times * days / 2 {
            let start = moment()
            var defects: PlatformFaults = []
            for defect in kinds where random.chance(2, in: 3) { defects.insert(defect.profile) }
            add(.faults(defects), at: start)
            add(.faults([]), at: start + Int64(random.number(in: 1...10)) * Self.hour)
        }
    }

    private mutating func drawRestarts(_ profile: FaultProfile) {
        for kind in [FaultKind.processKill, .crashAtEffect, .reboot] {
            for _ in 0..<profile.count(kind) * days {
                let device = random.below(2)
                switch kind {
                case .reboot:
                    add(
                        .reboot(device: device, lockedFor: Int64(random.below(4_000_000))),
                        at: moment())
                default:
                    let afterCommit = kind == .crashAtEffect
                    add(.restart(device: device, afterCommit: afterCommit), at: moment())
                }
            }
        }
    }

    private mutating func moment() -> Int64 {
        Int64(random.below(Int(Int64(days) * PlanMaker.day)))
    }
}
