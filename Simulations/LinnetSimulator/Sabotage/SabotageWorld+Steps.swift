import LinnetCRDT
import LinnetChannel
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

extension SabotageWorld {
    private static let meetingMilliseconds: Int64 = 10_000
    private static let mostRounds = 6

    func run() throws {
        try found()
        let origin = now
        for action in plan.actions {
            try advance(to: origin + action.time)
            trace.action(now, action)
            try perform(action)
        }
        try advance(to: origin + plan.duration)
        trace.recorder?.phase(
            now, "The end: all honest devices meet", why: "They must come to the same.")
        try converge()
        try goOn()
        trace.recorder?.phase(now, "A newcomer joins", why: "It must get what all have.")
        try welcome()
        for device in honest { try kill(device, power: false) }
        try judgeDisks()
    }

    private func found() throws(Violation) {
        for _ in 0..<plan.devices { try start(addDevice()) }
        let effects: [Effect]?
        do throws(ReplicaError) {
            effects = try devices[0].replica?.createGroup(
                name: "device0", kind: "phone", at: devices[0].moment(now))
        } catch {
            throw Violation(.noTraps, "a group cannot be founded: \(error)")
        }
        try perform(effects ?? [], of: devices[0])
        for newcomer in devices.dropFirst() { try pair(newcomer) }
    }

    private func perform(_ action: Action) throws(Violation) {
        switch action.kind {
        case .write(let index, let request): try write(request.writes, on: devices[index])
        case .meet(let left, let right, _, _): try meet(devices[left], devices[right])
        case .crash(let index, .now(let power), _): try kill(devices[index], power: power)
        case .takeOver(let index): try takeOver(devices[index])
        case .sabotage(let kind, let victim):
            try sabotage(kind, devices[victim], salt: action.salt)
        default: break
        }
    }

    // MARK: Honest devices

    func pair(_ newcomer: SimulatedDevice) throws(Violation) {
        let member = devices[0]
        let offer: PairingOffer?
        do throws(ReplicaError) {
            offer = try member.replica?.offerPairing(
                addresses: [], liftingLock: true, at: member.moment(now))
        } catch {
            throw Violation(
                .memberStopsNobody, "nobody can be admitted: \(error)", devices: [member.index])
        }
        guard let code = offer?.code else { return }
        let ends = try connect(newcomer, member, .dialledToPair(.code(code)))
        try deliver()
        try advance(to: now + 5_000)
        hangUp(ends.0)
        hangUp(ends.1)
        try deliver()
        guard newcomer.isMember else {
            throw Violation(
                .memberStopsNobody, "device \(newcomer.index) could not join",
                devices: [member.index, newcomer.index])
        }
    }

    /// Two devices come near each other for a while, and dial again as nodes do.
    func meet(_ left: SimulatedDevice, _ right: SimulatedDevice) throws(Violation) {
        let isLast = { (device: SimulatedDevice) in device.index == self.plan.devices - 1 }
        guard left.isMember, right.isMember, left.isRunning, right.isRunning,
            saboteur == nil || !isLast(left) && !isLast(right)
        else { return }
        for _ in 0..<4 {
            fleet.endsToReopen = 0
            let ends = try connect(left, right, .dialled)
            try deliver()
            try advance(to: now + Self.meetingMilliseconds / 4)
            hangUp(ends.0)
            hangUp(ends.1)
            try deliver()
            guard fleet.endsToReopen > 0 else { return }
        }
    }

    func write(_ wanted: [Write], on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, saboteur == nil || device.index != plan.devices - 1 else {
            return
        }
        var records: [RecordKey: RecordState] = [:]
        for write in wanted {
            records[write.key] = try read(of: device) {
                try device.replica?.reader.existing(write.key)
            }
        }
        let fitting = Fitting(
            wanted, schema: plan.schemas[device.version], records: records,
            carets: device.typing.carets)
        let answer: (CommitReceipt, [Effect])?
        do throws(ReplicaError) {
            answer = try device.replica?.commit(fitting.writes, at: device.moment(now))
        } catch {
            guard case .schema = error else {
                throw Violation(
                    .memberStopsNobody, "a write was refused: \(error)", devices: [device.index])
            }
            return
        }
        device.typing.carets = fitting.carets
        guard let (_, effects) = answer else { return }
        fleet.noteWritten(
            device.replica?.log.vectorEntries() ?? [], by: device.index,
            named: device.replica?.device)
        try perform(effects, of: device)
        try deliver()
    }

    // MARK: The other one

    /// The last device is in other hands from now on.
    private func takeOver(_ device: SimulatedDevice) throws(Violation) {
        let own = device.replica?.device
        let rows = device.replica?.log.chainRows().filter { $0.device == own } ?? []
        let log = try read(of: device) {
            try MembershipLog(
                stored: device.replica?.storeForReading.memberRecords().map(\.bytes) ?? [])
        }
        for end in device.links { hangUp(end) }
        device.stop(power: false)
        try deliver()
        let past = rows.first { $0.stored > 1 }.flatMap { row -> Saboteur.Chain? in
            var chain = Saboteur.Chain(life: row.incarnation, scope: row.scope)
            chain.place = Saboteur.Place(seq: 0, head: .zero)
            return chain
        }
        if let own { fleet.forgetLives(of: own) }
        saboteur = Saboteur(
            keys: SimulatedDevice.keys(seed: plan.seed, identity: device.identity), log: log,
            past: past, random: SeededRandom(seed: plan.seed).fork("saboteur"))
        trace.note(now, device.index, "is in other hands", .fault)
        trace.recorder?.setStanding(device.index, "in other hands", now)
    }

    private func sabotage(
        _ kind: SabotageKind, _ victim: SimulatedDevice, salt: UInt64
    ) throws(Violation) {
        guard let saboteur, victim.isRunning, let own = victim.replica?.device else { return }
        trace.note(now, victim.index, "is told by somebody who \(kind.sentence)")
        saboteur.random = SeededRandom(seed: salt)
        saboteur.stamp = victim.moment(now).wallMilliseconds << 16
        let known = SabotageVictim(device: own, rows: victim.replica?.log.chainRows() ?? [])
        let records = try memberRecords(of: victim)
        let lists: [[Saboteur.Saying]]
        do throws(MembershipError) {
            try saboteur.learn(records)
            lists = try saboteur.sayings(of: kind, to: known)
        } catch {
            return trace.note(now, victim.index, "could not be told: \(error)")
        }
        for (number, list) in lists.enumerated() {
            let isForAnother = kind == .forkBetweenTwo && number == 1
            let index = isForAnother ? (victim.index + 1) % honest.count : victim.index
            try say(list, to: devices[index], by: saboteur)
        }
        if kind == .criticalRecord, sabotage.role == .admin { fleet.isFrozen = true }
    }

    /// The membership as a device keeps it.
    func memberRecords(of device: SimulatedDevice) throws(Violation) -> [[UInt8]] {
        try read(of: device) {
            try device.replica?.storeForReading.memberRecords().map(\.bytes) ?? []
        }
    }

    /// Reads in a device's home, in which nothing may keep an honest device from it.
    func read<Result>(
        of device: SimulatedDevice, _ body: () throws -> Result
    ) throws(Violation) -> Result {
        do {
            return try body()
        } catch {
            throw Violation(
                .memberStopsNobody, "a home cannot be read: \(error)", devices: [device.index])
        }
    }

    private func say(
        _ list: [Saboteur.Saying], to device: SimulatedDevice, by saboteur: Saboteur
    ) throws(Violation) {
        guard device.isRunning else { return }
        let ends = try connect(nil, device, .dialled)
        let session = SaboteurSession(saboteur, at: device.moment(now))
        try exchange(session, ends, device)
        for saying in saboteur.greeting(at: device.moment(now)) { session.say(saying) }
        try exchange(session, ends, device)
        var bytes = 0
        for (number, saying) in list.enumerated() where session.isOpen {
            // A device lets so much in before it answers.
            guard bytes + saying.body.count < Limits.unacknowledgedBytes else { break }
            bytes += saying.body.count
            session.say(saying)
            if number % 32 == 31 { try exchange(session, ends, device) }
        }
        try exchange(session, ends, device)
        saboteur.sent += bytes
        hangUp(ends.0)
        try deliver()
    }

    private func exchange(
        _ session: SaboteurSession, _ ends: (LinkID, LinkID), _ device: SimulatedDevice
    ) throws(Violation) {
        var isMoving = true
        while isMoving {
            let bytes = session.takeOutput()
            if !bytes.isEmpty { try feed(device, .received(ends.1, bytes)) }
            try deliver()
            let answers = takeSpoken()
            for answer in answers { session.receive(answer, at: device.moment(now)) }
            if !device.links.contains(ends.1) { session.end() }
            isMoving = !bytes.isEmpty || !answers.isEmpty
        }
    }
}
