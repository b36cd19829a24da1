import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

extension MembershipWorld {
    func run() throws {
        try found()
        origin = now
        for action in plan.actions {
            try advance(to: origin + action.time)
            trace.action(now, action)
            try perform(action)
        }
        try advance(to: origin + plan.duration)
        trace.recorder?.phase(
            now, "The end: all meet",
            why: "Members must come to hold and show the same, and know who is in and out.")
        let end = MembershipEnd(world: self)
        try end.converge()
        try end.goOn()
        try end.acceptInTime()
        try end.welcomeOne()
        try judge.checkSecrets(of: self)
    }

    private func found() throws {
        let founder = try addDevice()
        let effects: [Effect]?
        do throws(ReplicaError) {
            effects = try founder.replica?.createGroup(
                name: "device0", kind: "phone", keepsRecoveryKey: true, at: founder.moment(now))
        } catch {
            throw Violation(.noTraps, "a group cannot be founded: \(error)")
        }
        try perform(effects ?? [], of: founder)
        for role in (plan.membership?.roles ?? []).dropFirst() {
            let newcomer = try addDevice()
            try pair(newcomer, with: founder, as: role)
            guard newcomer.isMember else {
                throw LivenessFailure(
                    message: "device \(newcomer.index) could not join", devices: [newcomer.index])
            }
        }
        // Those who come later are there from now on, without a group.
        while devices.count < plan.versions.count { _ = try addDevice() }
    }

    private func perform(_ action: Action) throws(Violation) {
        // A plan that was shrunk has fewer.
        guard action.kind.devices.allSatisfy(devices.indices.contains) else { return }
        switch action.kind {
        case .write(let index, let request): try write(request.writes, on: devices[index])
        case .meet(let left, let right, let lasting, _):
            try meet(devices[left], devices[right], lasting: lasting)
        case .crash(let index, .now(let power), _):
            if liars[index] == nil { try kill(devices[index], power: power) }
        case .backUp(let index):
            let device = devices[index]
            device.backup = HomeImage(
                files: device.backend.image(), witness: device.witness, lives: device.lives)
        case .restore(let index, let way): try restore(devices[index], way)
        case .takeOver(let index): try takeOver(devices[index])
        case .member(let step): try perform(step, salt: action.salt)
        default: break
        }
    }

    private func perform(_ step: MemberStep, salt: UInt64) throws(Violation) {
        switch step {
        case .admit(let newcomer, let member, let role):
            guard !devices[newcomer].isMember else { return }
            try pair(devices[newcomer], with: devices[member], as: role)
        case .remove(let index, let author, let takesAlong):
            try remove(devices[index], by: devices[author], takesAlong: takesAlong)
        case .leave(let index):
            let device = devices[index]
            guard liars[index] == nil else { return }
            try change(device) { (now) throws(ReplicaError) in
                try device.replica?.leave(at: now)
            }
        case .bind(let index, let author, let role, let scopes):
            try bind(devices[index], by: devices[author], role, within: scopes)
        case .answer(let index, let isOwn): try answer(on: devices[index], isOwn: isOwn)
        case .contest(let index): try contest(on: devices[index])
        case .idle(let days):
            let rest = Int64(days) * PlanMaker.day
            origin += rest
            try advance(to: now + rest)
        case .makeWords: try makeWords()
        case .recover(let index, let source, let lost):
            try recover(devices[index], from: devices[source], removing: lost.map { devices[$0] })
        case .lie(let lie, let liar, let victim):
            guard let saboteur = liars[liar], liars[victim] == nil else { return }
            try tell(lie, by: saboteur, to: devices[victim], salt: salt)
        }
    }

    // MARK: The others

    /// A device is in other hands from now on.
    private func takeOver(_ device: SimulatedDevice) throws(Violation) {
        guard liars[device.index] == nil, device.isMember else { return }
        let log = try judge.log(of: device)
        try stop(device, power: false)
        judge.isSomebodyGone = true
        liars[device.index] = Saboteur(
            keys: SimulatedDevice.keys(seed: plan.seed, identity: device.identity), log: log,
            past: nil, random: device.random.fork("liar"))
        trace.note(now, device.index, "is in other hands", .fault)
        trace.recorder?.setStanding(device.index, "in other hands", now)
    }

    private func tell(
        _ lie: MemberLie, by saboteur: Saboteur, to victim: SimulatedDevice, salt: UInt64
    ) throws(Violation) {
        guard victim.isRunning, victim.isMember else { return }
        trace.note(now, victim.index, "is told by somebody who \(lie.sentence)")
        saboteur.random = SeededRandom(seed: salt)
        let saying: Saboteur.Saying?
        let log = try judge.log(of: victim)
        do throws(MembershipError) {
            try saboteur.learn(log.records.map(\.encoded))
            saying = try MemberLiar(
                saboteur: saboteur, chains: victim.replica?.chainRows ?? []
            ).saying(of: lie)
        } catch {
            return trace.note(now, victim.index, "could not be told: \(error)")
        }
        guard let saying else { return }
        let ends = try connect(nil, victim, .dialled)
        let session = SaboteurSession(saboteur, at: victim.moment(now))
        try exchange(session, ends.1, victim)
        for word in saboteur.greeting(at: victim.moment(now)) + [saying] { session.say(word) }
        try exchange(session, ends.1, victim)
        hangUp(ends.0)
        try deliver()
    }

    private func exchange(
        _ session: SaboteurSession, _ end: LinkID, _ device: SimulatedDevice
    ) throws(Violation) {
        var isMoving = true
        while isMoving {
            let bytes = session.takeOutput()
            if !bytes.isEmpty { try feed(device, .received(end, bytes)) }
            try deliver()
            let answers = links.takeSpoken()
            for answer in answers { session.receive(answer, at: device.moment(now)) }
            if !device.links.contains(end) { session.end() }
            isMoving = !bytes.isEmpty || !answers.isEmpty
        }
    }
}
