import LinnetMembership

/// Draws days in which people admit, remove, lose, find and restore devices, which meet on islands
/// that change; in some seeds one or two devices come into other hands.
struct MembershipPlanMaker {
    private static let hour: Int64 = 3_600_000

    private var random: SeededRandom
    private var actions: [Action] = []
    private let scenario: Scenario
    /// The devices that are there from the beginning, and all that ever come.
    private let founders: Int
    private let devices: Int
    private let duration: Int64
    private var liars: [Int] = []

    static func plan(_ scenario: Scenario, seed: UInt64) -> Plan {
        let root = SeededRandom(seed: seed).fork(scenario.name)
        var shape = root.fork("shape")
        let founders = shape.number(in: scenario.devices)
        let devices = founders + shape.below(4)
        let duration = Int64(shape.number(in: scenario.days)) * PlanMaker.day
        let schema = scenario.workload.schemas.count - 1
        var maker = MembershipPlanMaker(
            random: root.fork("plan"), scenario: scenario, founders: founders, devices: devices,
            duration: duration)
        maker.draw()
        maker.drawGrants(root.fork("grants"))
        maker.drawQuarrels(root.fork("quarrels"))
        let ordered = maker.actions.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        var plan = Plan(
            scenario: scenario.name, seed: seed, store: shape.chance(1, in: 4) ? .sqlite : .model,
            usesRealCrypto: scenario.usesRealCrypto ?? seed.isMultiple(of: 20), devices: founders,
            lateJoiners: 0, schemas: scenario.workload.schemas,
            versions: [Int](repeating: schema, count: devices), duration: duration,
            actions: ordered.map(\.element))
        plan.membership = MembershipPlan(
            roles: (0..<founders).map { index in
                index == 0 ? .admin : shape.pick([.admin, .admin, .admin, .member, .reader])
            })
        return plan
    }

    private init(
        random: SeededRandom, scenario: Scenario, founders: Int, devices: Int, duration: Int64
    ) {
        self.random = random
        self.scenario = scenario
        self.founders = founders
        self.devices = devices
        self.duration = duration
    }

    private mutating func draw() {
        if random.chance(1, in: 2) {
            liars = (0..<random.number(in: 1...2)).map { _ in random.below(founders) }
            for liar in liars { add(.takeOver(device: liar), at: moment()) }
        }
        for newcomer in founders..<devices {
            let role: Role = random.pick([.admin, .admin, .member, .reader])
            add(.member(.admit(newcomer: newcomer, by: random.below(founders), role)), at: moment())
        }
        var time: Int64 = 0
        while time < duration {
            let length = Int64(random.number(in: 1...6)) * Self.hour
            drawPeriod(from: time, to: min(time + length, duration))
            time += length
        }
        for _ in 0..<random.below(4) {
            let device = random.below(devices)
            let early = moment()
            add(.backUp(device: device), at: early)
            let later = early + Int64(random.below(Int(duration - early)))
            add(.restore(device: device, random.pick([.newerWitness, .withoutWitness])), at: later)
        }
        for _ in 0..<random.below(5) {
            let point = CrashPoint.now(power: random.chance(1, in: 2))
            add(.crash(device: random.below(devices), point, downFor: 1_000), at: moment())
        }
    }

    /// A time in which devices on one island meet, and no others.
    private mutating func drawPeriod(from start: Int64, to end: Int64) {
        let count = random.number(in: 1...3)
        let islands = (0..<devices).map { _ in random.below(count) }
        let within = { (random: inout SeededRandom) in
            start + Int64(random.below(Int(end - start)))
        }
        for _ in 0..<random.number(in: 2...8) {
            let (left, right) = (random.below(devices), random.below(devices))
            guard left != right, islands[left] == islands[right] else { continue }
            // Some stay together while others come and go.
            let lasting = Int64(random.pick([10, 10, 600, 3_600, 14_400])) * 1_000
            let time = within(&random)
            add(.meet(left, right, lasting: min(lasting, end - time), .calm), at: time)
        }
        for _ in 0..<random.number(in: 1...6) {
            let request = scenario.workload.write(&random, size: .few)
            add(.write(device: random.below(devices), request), at: within(&random))
        }
        if random.chance(1, in: 3) { drawRemoval(at: within(&random)) }
        for liar in liars where random.chance(1, in: 2) {
            let lie = random.pick(MemberLie.allCases)
            add(.member(.lie(lie, by: liar, to: random.below(devices))), at: within(&random))
        }
    }

    /// Somebody removes a device, a few of them remove each other, or one leaves.
    private mutating func drawRemoval(at time: Int64) {
        let (one, other) = (random.below(devices), random.below(devices))
        let takesAlong = random.chance(1, in: 2)
        switch random.below(8) {
        case 0: add(.member(.leave(one)), at: time)
        case 1...3 where one != other:
            add(.member(.remove(one, by: other, takesAlong: takesAlong)), at: time)
            let third = random.chance(1, in: 3) ? random.below(devices) : one
            if third != other {
                add(.member(.remove(other, by: third, takesAlong: false)), at: time + 1)
            }
        default:
            guard one != other else { return }
            add(.member(.remove(one, by: other, takesAlong: takesAlong)), at: time)
        }
    }

    /// People bind devices to scopes, answer what they are asked, and make recovery words.
    private mutating func drawGrants(_ more: SeededRandom) {
        random = more
        guard random.chance(4, in: 5) else { return }
        let names = ["notes", "tags", "photos", "meds", "inventory"]
        for _ in 0..<random.number(in: 2...8) {
            let target = random.below(devices)
            // Mostly by the founder, which is an admin, and often of devices that were bound.
            let author = random.chance(2, in: 3) ? 0 : random.below(devices)
            guard target != author else { continue }
            var scopes: [String]? = names.filter { _ in random.chance(1, in: 2) }
            if random.chance(1, in: 5) { scopes = nil }
            let role: Role = random.pick([.member, .member, .reader])
            let time = moment()
            add(.member(.bind(target, by: author, role, within: scopes)), at: time)
            guard random.chance(1, in: 2) else { continue }
            let fewer = scopes?.filter { _ in random.chance(1, in: 2) }
            add(
                .member(.bind(target, by: author, role, within: fewer)),
                at: time + Int64(random.below(Int(duration - time))))
        }
        for _ in 0..<random.below(4) {
            let isOwn = random.chance(3, in: 4)
            add(.member(.answer(random.below(devices), isOwn: isOwn)), at: moment())
        }
        if random.chance(1, in: 4) {
            add(.member(.idle(days: random.number(in: 1...8))), at: moment())
        }
        guard random.chance(1, in: 3) else { return }
        add(.member(.makeWords), at: moment() / 3)
        guard devices > founders, random.chance(3, in: 4) else { return }
        let newcomer = founders + random.below(devices - founders)
        let others = (0..<devices).filter { $0 != newcomer }
        let lost = random.chance(1, in: 2) ? others : [random.pick(others)]
        let source = random.chance(1, in: 2) ? 0 : random.below(founders)
        add(.member(.recover(newcomer, from: source, removing: lost)), at: moment())
    }

    /// People are against what others did, several leave without a word to each other, and whoever
    /// has a device goes on with it when it was removed.
    private mutating func drawQuarrels(_ more: SeededRandom) {
        random = more
        if random.chance(2, in: 3) {
            for _ in 0..<random.number(in: 1...3) { drawQuarrel(at: moment()) }
        }
        for liar in liars where random.chance(2, in: 3) {
            let (author, time) = (random.below(founders), moment())
            guard author != liar else { continue }
            add(.member(.remove(liar, by: author, takesAlong: false)), at: time)
            let lie: MemberLie = random.pick([.demotion, .demotion, .bothVotes, .moreBatches])
            add(.member(.lie(lie, by: liar, to: author)), at: time + 1_000)
        }
        if devices >= founders + 2, random.chance(1, in: 2) { drawStrangers(at: moment()) }
        guard random.chance(1, in: 4) else { return }
        let time = moment()
        let areAll = random.chance(1, in: 2)
        for device in 0..<founders where areAll || random.chance(1, in: 2) {
            add(.member(.leave(device)), at: time + Int64(device))
        }
    }

    /// A device is removed, hears so, and its person is against it; others hear of both.
    private mutating func drawQuarrel(at time: Int64) {
        let author = random.below(founders)
        let target = random.chance(1, in: 2) ? 0 : random.below(devices)
        guard author != target else { return }
        add(.member(.remove(target, by: author, takesAlong: false)), at: time)
        add(.meet(author, target, lasting: 10_000, .calm), at: time + 1_000)
        add(.member(.contest(target)), at: time + 4_000)
        let other = random.below(devices)
        if other != target, random.chance(1, in: 2) {
            add(.meet(target, other, lasting: 60_000, .calm), at: time + 20_000)
            if other != author {
                add(.meet(author, other, lasting: 60_000, .calm), at: time + 30_000)
            }
        }
        if random.chance(1, in: 2) {
            let later = time + Int64(random.below(Int(duration - time)))
            add(.member(.contest(random.below(devices))), at: later)
        }
    }

    /// Two devices are let in apart, hear of new keys there, and meet before either heard of the
    /// other.
    private mutating func drawStrangers(at time: Int64) {
        let authors = (random.below(founders), random.below(founders))
        for (author, newcomer) in [(authors.0, founders), (authors.1, founders + 1)] {
            add(.member(.admit(newcomer: newcomer, by: author, .member)), at: time)
            let out = random.below(founders)
            if out != author {
                let step = MemberStep.remove(out, by: author, takesAlong: false)
                add(.member(step), at: time + 10_000)
            }
            add(.meet(author, newcomer, lasting: 10_000, .calm), at: time + 20_000)
        }
        add(.meet(founders, founders + 1, lasting: 10_000, .calm), at: time + 60_000)
    }

    private mutating func moment() -> Int64 { Int64(random.below(Int(duration))) }

    private mutating func add(_ kind: Action.Kind, at time: Int64) {
        actions.append(Action(time: time, kind: kind, salt: random.next()))
    }
}
