import LinnetWire

/// Draws a plan from a scenario and a seed.
struct PlanMaker {
    let scenario: Scenario
    let seed: UInt64
    var random: SeededRandom
    var profile: FaultProfile
    var plan: Plan
    static let day: Int64 = 86_400_000

    static func plan(_ scenario: Scenario, seed: UInt64) -> Plan {
        if scenario.isAboutLanes { return LanePlanMaker.plan(scenario, seed: seed) }
        if scenario.isAboutMembers { return MembershipPlanMaker.plan(scenario, seed: seed) }
        if scenario.hasSaboteur { return SabotagePlanMaker.plan(scenario, seed: seed) }
        var maker = PlanMaker(scenario, seed: seed)
        maker.drawPeople()
        maker.drawMeetings()
        maker.drawFaults()
        maker.drawApplication()
        if scenario.hasTwins { maker.drawTwins() }
        if scenario.hasRelay { maker.drawRelay() }
        if scenario.hasWidgets { maker.drawWidgets() }
        if scenario.isAboutFiles { FilePlan.draw(for: &maker) }
        if scenario.hasEditors { EditorPlan.draw(for: &maker) }
        // Stable by time: what was drawn first happens first.
        let ordered = maker.plan.actions.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        maker.plan.actions = ordered.map(\.element)
        return maker.plan
    }

    private init(_ scenario: Scenario, seed: UInt64) {
        self.scenario = scenario
        self.seed = seed
        let root = SeededRandom(seed: seed).fork(scenario.name)
        var shape = root.fork("shape")
        var faults = root.fork("faults")
        random = root.fork("plan")
        profile = FaultProfile(
            among: scenario.faults, always: scenario.certain, random: &faults)
        let devices = shape.number(in: scenario.devices)
        let days = shape.number(in: scenario.days)
        let late = profile.has(.lateJoiner) && devices > 2 ? shape.number(in: 1...devices - 2) : 0
        let schemas = scenario.workload.schemas
        let mixed = profile.has(.olderVersion) || profile.has(.upgrade) || profile.has(.downgrade)
        plan = Plan(
            scenario: scenario.name, seed: seed, store: scenario.store,
            usesRealCrypto: scenario.usesRealCrypto ?? seed.isMultiple(of: 20), devices: devices,
            lateJoiners: late, schemas: schemas,
            versions: (0..<devices).map { _ in
                mixed ? shape.below(schemas.count) : schemas.count - 1
            },
            duration: Int64(days) * Self.day, actions: [])
        plan.recordsLinks = profile.has(.replay)
        plan.drawn[.olderVersion] = plan.versions.count { $0 < schemas.count - 1 }
        plan.lyingDisks = scenario.lyingDisks
        plan.compacts = scenario.compacts
        plan.leapsClocks = scenario.certain.contains(.clockLeap)
        plan.workload = scenario.workload
        plan.ledger = scenario.workload.ledger
        plan.travels = (scenario.workload as? MedicationWorkload)?.travels ?? false
        plan.applicationCheck = scenario.applicationCheck
        plan.mail = MailPlan(scenario, profile, lasting: plan.duration, root.fork("mail"), seed)
    }

    mutating func add(_ kind: Action.Kind, at time: Int64) {
        guard time < plan.duration else { return }
        plan.actions.append(Action(time: time, kind: kind, salt: random.next()))
    }

    mutating func moment() -> Int64 { Int64(random.below(Int(plan.duration))) }

    mutating func device() -> Int { random.below(plan.devices) }

    mutating func pair() -> (Int, Int) {
        let left = device()
        let right = (left + 1 + random.below(plan.devices - 1)) % plan.devices
        return (left, right)
    }

    /// A few times the expected number over the whole run, at least one.
    private mutating func amount(_ perDay: ClosedRange<Int>) -> Int {
        max(1, random.number(in: perDay) * Int(plan.duration / Self.day))
    }

    private mutating func drawPeople() {
        var people = SeededRandom(seed: seed).fork(scenario.name).fork("people")
        if let habits = scenario.workload.habits(
            devices: plan.devices, duration: plan.duration, &people)
        {
            for habit in habits { add(habit.kind, at: habit.time) }
            return
        }
        let commits = amount(scenario.commitsPerDay)
        for number in 0..<commits {
            var size = WriteSize.few
            if profile.has(.bigCommit), random.chance(1, in: 200) { size = .many }
            var request = scenario.workload.write(&random, size: size)
            request.isRelaxed = profile.has(.relaxedWrite) && random.chance(1, in: 4)
            if profile.has(.intentRetry), random.chance(1, in: 4) { request.intent = number }
            add(.write(device: device(), request), at: moment())
        }
        if scenario.certain.contains(.bigCommit) {
            let request = scenario.workload.write(&random, size: .many)
            add(.write(device: device(), request), at: plan.duration / 8)
        }
        if let records = scenario.importRecords {
            let request = scenario.workload.write(&random, size: .records(records))
            add(.write(device: 0, request), at: plan.duration / 3)
        } else if profile.has(.importInParts), random.chance(1, in: 4) {
            // Enough for two parts; more only make the looking slower.
            let records = random.number(in: 2_100...4_500)
            let request = scenario.workload.write(&random, size: .records(records))
            add(.write(device: device(), request), at: moment())
        }
        drawRaces()
        drawEncounters()
        guard profile.has(.relaxedWrite) else { return }
        for _ in 0..<commits / 10 { add(.flush(device: device()), at: moment()) }
    }

    /// Two devices change the same thing within minutes, not knowing of each other.
    private mutating func drawRaces() {
        for kind in [FaultKind.editRace, .deleteRace, .recreation] where profile.has(kind) {
            for _ in 0..<profile.count(kind) * 3 {
                plan.drawn[kind, default: 0] += 1
                let (left, right) = pair()
                let time = moment()
                let first = scenario.workload.write(&random, size: .few)
                var second = first
                if kind != .editRace { second.writes = first.writes.map(\.deletion) }
                add(.write(device: left, first), at: time)
                add(.write(device: right, second), at: time + Int64(random.below(600_000)))
                guard kind == .recreation else { continue }
                add(.write(device: right, first), at: time + Int64(random.below(900_000)))
            }
        }
    }

    /// Draws deeds of people on one record at once, of kinds that have rules of their own for it.
    private mutating func drawEncounters() {
        for kind in FaultKind.encounters where profile.has(kind) {
            for _ in 0..<profile.count(kind) * 3 {
                let (left, right) = pair()
                let start = moment()
                let steps = scenario.workload.encounter(kind, &random)
                guard !steps.isEmpty else { continue }
                plan.drawn[kind, default: 0] += 1
                for step in steps {
                    let time = start + Int64(random.below(600_000))
                    let request = SimulatedWrite(writes: [step.write])
                    add(.write(device: step.isFirst ? left : right, request), at: time)
                }
            }
        }
    }

    private mutating func drawMeetings() {
        for _ in 0..<(plan.mail?.isOnlyWay == true ? 0 : amount(scenario.meetingsPerDay)) {
            let (left, right) = pair()
            let weather = profile.weather(&random)
            var lasting = random.number(in: scenario.meetingMilliseconds)
            if scenario.hasLongMeetings, random.chance(1, in: 10) { lasting *= 100 }
            let time = moment()
            add(.meet(left, right, lasting: Int64(lasting), weather), at: time)
            // Some people write just when their devices greet each other.
            if scenario.hasLongMeetings, random.chance(1, in: 8) {
                let request = scenario.workload.write(&random, size: .few)
                let writer = random.chance(1, in: 2) ? left : right
                add(.write(device: writer, request), at: time + Int64(random.below(150)))
            }
        }
        for newcomer in 0..<plan.devices where plan.joinsLate(newcomer) {
            var time = moment()
            for _ in 0..<4 {
                add(.pair(newcomer: newcomer, member: random.below(newcomer), way()), at: time)
                time += Int64(random.number(in: 200_000...20_000_000))
            }
        }
    }

    private mutating func way() -> PairingWay {
        if profile.has(.wrongCode), random.chance(1, in: 3) { return .wrongCode }
        return profile.has(.ticketPairing) && random.chance(1, in: 2) ? .ticket : .code
    }
}
