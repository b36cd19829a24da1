import LinnetCrypto
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import MembershipReference

/// The end of a run: whoever is a member must have come to the same, and go on.
struct MembershipEnd {
    let world: MembershipWorld

    private static let mostRounds = 8

    /// The world.honest members, by all records that world.honest devices hold.
    func fleet() throws(Violation) -> [SimulatedDevice] {
        let members = try everything().state.members.map(\.device)
        return world.honest.filter { device in
            device.isRunning && device.isMember
                && members.contains { $0 == device.replica?.device }
        }
    }

    /// All records that world.honest devices hold.
    private func everything() throws(Violation) -> MembershipLog {
        var records: [MemberRecordID: MemberRecord] = [:]
        for device in world.honest where device.isMember {
            for record in try world.judge.log(of: device).records { records[record.id] = record }
        }
        do {
            return try MembershipLog(
                stored: records.values.sorted(by: MemberRecord.precedes).map(\.encoded))
        } catch {
            throw Violation(.noTraps, "the records of all are no log: \(error)")
        }
    }

    /// Lets all world.honest devices meet, round by round, until members hold and show the same.
    func converge() throws {
        for round in 1...Self.mostRounds {
            world.trace.recorder?.phase(
                world.now, "Round \(round): every pair meets once",
                why: "After at most \(Self.mostRounds) rounds members must be the same.")
            try meetAll()
            world.rounds = round
            if try difference() == nil { break }
        }
        if let (message, pair) = try difference() {
            throw LivenessFailure(
                message: "after \(Self.mostRounds) rounds \(message)", devices: pair)
        }
        for device in world.honest where device.isMember {
            if let view = try world.judge.view(of: device) {
                try world.judge.check(device, view, withReference: true)
            }
        }
        for device in world.honest { try world.judge.checkHeld(on: device) }
        let members = try fleet()
        for device in members { try world.judge.checkShown(on: device, in: members) }
    }

    func meetAll() throws(Violation) {
        for left in world.honest {
            for right in world.honest where right.index > left.index {
                try world.meet(left, right, lasting: 1_000)
                try world.advance(to: world.now + 1_000)
            }
            try world.judge.checkHeld(on: left)
        }
        try world.advance(to: world.now + 3_600_000)
    }

    /// The way in which two world.honest members still differ; nil when all hold and show the same.
    private func difference() throws(Violation) -> (String, [Int])? {
        let fleet = try fleet()
        for device in world.honest where device.isMember {
            let isIn = fleet.contains { $0.index == device.index }
            let believes = try world.judge.view(of: device)?.log.state.members.contains {
                $0.device == device.replica?.device
            }
            let everything = try everything().state
            let wasIn = everything.former.contains { $0.device == device.replica?.device }
            if isIn != believes, isIn || wasIn {
                return ("device \(device.index) does not know that it is in or out", [device.index])
            }
        }
        let members = try everything().state
        let first = fleet.first { members.member(world.id(of: $0))?.isBound == false }
        guard let first = first ?? fleet.first else { return nil }
        for device in fleet where device.index != first.index {
            let grants = [first, device].compactMap { members.member(world.id(of: $0))?.scopes }
            if let difference = try difference(between: first, and: device, within: grants) {
                return difference
            }
        }
        return try notHandedOver(to: fleet)
    }

    /// The way in which two members differ in the scopes that both may read.
    private func difference(
        between first: SimulatedDevice, and device: SimulatedDevice, within grants: [ScopeGrant]
    ) throws(Violation) -> (String, [Int])? {
        let pair = [first.index, device.index]
        let logs = (try world.judge.log(of: first), try world.judge.log(of: device))
        if logs.0.heads != logs.1.heads {
            return ("devices \(pair) hold different records of the membership", pair)
        }
        let entries = [first, device].map { one in
            (one.replica?.log.vectorEntries() ?? []).filter { entry in
                grants.allSatisfy { $0.allows(entry.scope) }
            }
        }
        let isBound = grants.contains { $0 != .all }
        // One that was bound may show what is left of a commit, for the rest of which others wait.
        var mayWait = world.judge.isSomebodyGone
        if mayWait { mayWait = try differByLostGround(entries, grants) }
        if let chain = VectorEntry.difference(entries[0], entries[1], butShown: mayWait) {
            return ("devices \(pair) hold or show different batches: \(chain)", pair)
        }
        guard !isBound, entries[0] == entries[1] else { return nil }
        do {
            if try first.replica?.reader.digest() != device.replica?.reader.digest() {
                return ("devices \(pair) show something else", pair)
            }
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: pair)
        }
        return nil
    }

    /// True when two members hold the same, and what one of them shows and the other one does not
    /// builds on batches that no member holds.
    private func differByLostGround(
        _ entries: [[VectorEntry]], _ grants: [ScopeGrant]
    ) throws(Violation) -> Bool {
        guard entries[0] != entries[1], entries[0].count == entries[1].count else { return true }
        let ground = try LostGround(try fleet())
        for (one, other) in zip(entries[0], entries[1]) where one.visible != other.visible {
            let next = min(one.visible, other.visible) + 1
            let chain = ChainKey(scope: one.scope, chain: one.chain)
            let isFirst = one.visible < other.visible
            let grant = isFirst || grants.count < 2 ? grants[0] : grants[1]
            guard ground.hides(next, of: chain, from: grant.allows) else { return false }
        }
        return true
    }

    /// Names a write of a device that is out and that a member does not have; nil when there is
    /// none.
    private func notHandedOver(
        to fleet: [SimulatedDevice]
    ) throws(Violation) -> (String, [Int])? {
        let everything = try everything().state
        for former in world.honest where former.isRunning && former.isMember {
            guard let author = former.replica?.device, everything.member(author) == nil,
                case .upTo? = everything.verdict.batches[author]
            else { continue }
            // It hands over nothing to those whom it does not take for members.
            let known = try world.judge.view(of: former)?.log.state
            guard fleet.contains(where: { known?.member(world.id(of: $0)) != nil }) else {
                continue
            }
            for device in fleet {
                if let mark = try world.judge.notHandedOver(from: former, to: device) {
                    let pair = [former.index, device.index]
                    return ("\(mark) of a device that is out was not handed over", pair)
                }
            }
        }
        return nil
    }

    /// Every member that may writes once more, and every member sees it.
    func goOn() throws {
        let fleet = try fleet()
        for device in fleet { try world.write([], on: device) }
        for _ in 0..<2 { try meetAll() }
        // The rest of a hour may bring a vote that was due.
        for _ in 0..<2 where try difference() != nil { try meetAll() }
        if let (message, pair) = try difference() {
            throw LivenessFailure(message: "in the end \(message)", devices: pair)
        }
        let members = try everything().state
        let mayRotate = fleet.contains { members.member(world.id(of: $0))?.mayRotate ?? false }
        for device in fleet {
            if mayRotate, try world.judge.view(of: device)?.reference.current == nil {
                throw Violation(
                    .epochsAreClean, "no epoch can be used in the end", devices: [device.index])
            }
            try world.judge.checkHeld(on: device)
            try world.judge.checkShown(on: device, in: fleet)
        }
    }

    /// A newcomer joins in the end, and comes to show the same.
    func welcomeOne() throws {
        let fleet = try fleet()
        let all = try everything()
        let admin = fleet.first { all.state.member(world.id(of: $0))?.role == .admin }
        // Nobody promises that one who lies lets others be.
        guard let admin, world.liars.isEmpty, !all.state.upgradeNeeded,
            all.state.members.count < Limits.devices
        else {
            return
        }
        let newcomer = try world.addDevice()
        try world.pair(newcomer, with: admin, as: .admin)
        for _ in 0..<3 {
            try world.meet(newcomer, admin, lasting: 1_000)
            try world.advance(to: world.now + 3_600_000)
        }
        let entries = [admin, newcomer].map { $0.replica?.log.vectorEntries() ?? [] }
        // The admin may show what builds on batches whose keys are gone, if it was bound then.
        let mayWait = try differByLostGround(entries, [.all, .all])
        let chain = VectorEntry.difference(entries[0], entries[1], butShown: mayWait)
        if let chain = newcomer.isMember ? chain : "it is no member" {
            throw LivenessFailure(
                message: "a newcomer does not come to show the same: \(chain)",
                devices: [admin.index, newcomer.index])
        }
    }

    /// G5: whoever was a member for more than seven days by one admission, in the eyes of others
    /// that nobody made doubt it, is accepted by them. Where a duel turns meanwhile, a device may
    /// stay a member by another admission, of which they are asked anew.
    func acceptInTime() throws {
        let before = try fleet()
        let known = try before.map { try world.judge.admissions(seenBy: $0) }
        try world.advance(to: world.now + 8 * PlanMaker.day)
        for _ in 0..<2 { try meetAll() }
        for (device, known) in zip(before, known)
        where !world.people.doubters.contains(device.index) {
            let now = try world.judge.admissions(seenBy: device)
            let lasting = before.map { world.id(of: $0) }.filter { known[$0] == now[$0] }
            let other = try world.judge.unaccepted(by: device, of: lasting)
            guard let other else { continue }
            throw Violation(
                .acceptedInTime,
                "\(other.description.prefix(8)) is not accepted by \(device.index) after a week",
                devices: [device.index])
        }
    }
}

/// Runs a plan of the scenario `membership`.
struct MembershipSimulation {
    static func run(_ plan: Plan, _ trace: Trace) -> Outcome {
        let world = MembershipWorld(plan, trace: trace)
        let result = Outcome.Result { try world.run() }
        return Outcome(
            scenario: plan.scenario, seed: plan.seed, usesRealCrypto: plan.usesRealCrypto,
            traceHash: world.trace.hash.value, events: world.events, milliseconds: world.now,
            devices: world.devices.count, rounds: world.rounds, result: result,
            coverage: world.coverage, states: [])
    }
}

extension VectorEntry {
    /// The first chain of which two devices hold or show different batches.
    fileprivate static func difference(
        _ one: [Self], _ other: [Self], butShown: Bool
    ) -> String? {
        if one == other { return nil }
        if butShown {
            let held = [one, other].map { entries in
                entries.map { "\($0.scope) \($0.chain) \($0.seq)" }
            }
            if held[0] == held[1] { return nil }
        }
        let lines = [one, other].map { entries in
            entries.map {
                "\($0.scope.description.prefix(4))/\($0.chain.description.prefix(4)) of "
                    + "\($0.device.description.prefix(6)): \($0.seq), shows \($0.visible)"
            }
        }
        let (left, right) = (
            lines[0].filter { !lines[1].contains($0) }, lines[1].filter { !lines[0].contains($0) }
        )
        return "\(left.first ?? "nothing") and \(right.first ?? "nothing")"
    }
}
