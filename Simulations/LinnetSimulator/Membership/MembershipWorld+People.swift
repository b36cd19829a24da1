import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

extension MembershipWorld {
    func pair(
        _ newcomer: SimulatedDevice, with member: SimulatedDevice, as role: Role
    ) throws(Violation) {
        guard member.isMember, liars[member.index] == nil, liars[newcomer.index] == nil else {
            return
        }
        let offer: PairingOffer?
        do throws(ReplicaError) {
            offer = try member.replica?.offerPairing(
                addresses: [], liftingLock: true, at: member.moment(now))
        } catch {
            return trace.note(now, member.index, "cannot admit anybody: \(error)")
        }
        guard let code = offer?.code else { return }
        people.roleOfNewcomer = role
        let ends = try connect(newcomer, member, .dialledToPair(.code(code)))
        try deliver()
        try advance(to: now + 5_000)
        hangUp(ends.0)
        hangUp(ends.1)
        try deliver()
    }

    func id(of device: SimulatedDevice) -> DeviceID {
        SimulatedDevice.keys(seed: plan.seed, identity: device.identity).device
    }

    func remove(
        _ device: SimulatedDevice, by author: SimulatedDevice, takesAlong: Bool
    ) throws(Violation) {
        guard liars[author.index] == nil, author.isMember else { return }
        let target = id(of: device)
        let shown = try judge.shown(of: target, on: author)
        let own = author.replica?.device
        try change(author) { (now) throws(ReplicaError) in
            let helpers =
                takesAlong ? try author.replica?.removalPlan(of: target).helpers ?? [] : []
            return try author.replica?.remove(
                target, reason: .lost, with: helpers.filter { $0 != own }, at: now)
        }
        try judge.checkKept(shown, of: target, on: author)
    }

    /// Somebody asks a replica for something that it may refuse for what the group has come to.
    func change(
        _ device: SimulatedDevice,
        _ body: (Moment) throws(ReplicaError) -> [Effect]?
    ) throws(Violation) {
        guard device.isRunning, device.isMember else { return }
        let effects: [Effect]
        do throws(ReplicaError) {
            effects = try body(device.moment(now)) ?? []
        } catch {
            if case .storage(let failure) = error {
                throw Violation(.noTraps, "a store failed: \(failure)", devices: [device.index])
            }
            return trace.note(
                now, device.index, "may not do that: \(error)",
                told: "may not do that: " + StoryWords.reason(error))
        }
        try perform(effects, of: device)
        try deliver()
    }

    /// Two devices come near each other for a while, and dial again as nodes do.
    func meet(
        _ left: SimulatedDevice, _ right: SimulatedDevice, lasting: Int64
    ) throws(Violation) {
        guard left.isMember, right.isMember, left.isRunning, right.isRunning,
            liars[left.index] == nil, liars[right.index] == nil, !areConnected(left, right)
        else { return }
        // A device that is out is dialled by nobody, and may not know that it is.
        for attempt in 0..<8 {
            let (from, to) = attempt.isMultiple(of: 2) ? (left, right) : (right, left)
            endsToReopen = 0
            let ends = try connect(from, to, .dialledMember(id(of: to)))
            try deliver()
            try advance(to: now + 2_000)
            guard endsToReopen > 0 else {
                meetings += [(now + lasting, ends.0), (now + lasting, ends.1)]
                return
            }
            hangUp(ends.0)
            hangUp(ends.1)
            try deliver()
        }
        if liars.isEmpty { try judge.checkStrangers(left, right) }
    }

    func write(_ wanted: [Write], on device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember, liars[device.index] == nil else { return }
        do {
            let records = try wanted.reduce(into: [RecordKey: RecordState]()) {
                $0[$1.key] = try device.replica?.reader.existing($1.key)
            }
            let fitting = Fitting(
                wanted, schema: plan.schemas[device.version], records: records,
                carets: device.typing.carets)
            try commit(fitting.writes, on: device)
            device.typing.carets = fitting.carets
            let mark = judge.nextMark(of: device.index)
            let before = device.replica?.log.vectorEntries() ?? []
            if try commit([mark], on: device, isMark: true) {
                try judge.noteWritten(mark, by: device, before: before)
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: [device.index])
        }
        try deliver()
    }

    /// True when something was written.
    @discardableResult
    private func commit(
        _ writes: [Write], on device: SimulatedDevice, isMark: Bool = false
    ) throws(Violation) -> Bool {
        let answer: (CommitReceipt, [Effect])?
        do throws(ReplicaError) {
            answer = try device.replica?.commit(writes, at: device.moment(now))
        } catch {
            try judge.hear(
                refusal: error, of: isMark ? writes.first?.key.collection : nil, on: device)
            return false
        }
        guard let (_, effects) = answer else { return false }
        try perform(effects, of: device)
        return true
    }

    /// A device goes back to what it was.
    func restore(_ device: SimulatedDevice, _ way: RestoreWay) throws(Violation) {
        guard let backup = device.backup, device.isRunning, liars[device.index] == nil else {
            return
        }
        try stop(device, power: false)
        device.backend.powerOn()
        device.backend.restore(backup.files)
        coverage.happened(way == .withoutWitness ? .restoreWithoutWitness : .restoreWithWitness)
        if case .withoutWitness = way {
            device.witness = nil
        } else {
            device.fate.witnessDoubt = "the database file is another file"
        }
        judge.wentBack(device.index)
        try start(device)
    }
}
