import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// Two devices come near each other, and synchronise while they are.
    func meet(
        _ left: Int, _ right: Int, lasting: Int64, weather: Weather, salt: UInt64
    ) throws(Violation) {
        guard devices[left].isRunning, devices[right].isRunning, devices[left].isMember,
            devices[right].isMember
        else { return }
        let meeting = Encounter(
            left, right, weather: weather, lasting: lasting, now: now,
            random: SeededRandom(seed: salt))
        meeting.isKeptUp = true
        begin(meeting)
        try redial(meeting)
    }

    /// Notes what both devices have, and when they part.
    func begin(_ meeting: Encounter) {
        meeting.traffic.memberBytesBefore = memberBytes(of: meeting)
        for device in [meeting.left, meeting.right] {
            let branches = inspector.views[device].rows.filter(\.isBranch)
            meeting.traffic.ends[device] = EndTraffic(
                before: received(by: device), branches: Set(branches.map(\.chain)))
        }
        queue.schedule(.hangUp(meeting), at: meeting.endsAt)
    }

    /// The bytes that a device holds of chains of which it has heard that they divide, since it
    /// knew these branches.
    private func forkedBytes(on device: Int, unlike branches: Set<AuthorID>) -> Int {
        let (view, facts) = (inspector.views[device], inspector.catalogue.facts)
        let new = view.rows.filter { $0.isBranch && !branches.contains($0.chain) }
        let roots = Set(new.map { ChainNames.root($0) })
        guard !roots.isEmpty else { return 0 }
        return facts.indices.reduce(0) { bytes, number in
            let isOfOne = roots.contains(facts[number].root) && view.held.contains(number)
            return bytes + (isOfOne ? facts[number].sealedBytes : 0)
        }
    }

    private func memberBytes(of meeting: Encounter) -> Int {
        [meeting.left, meeting.right].reduce(0) {
            $0 + (devices[$1].replica?.memberRecordBytes ?? 0)
        }
    }

    func redial(_ meeting: Encounter) throws(Violation) {
        guard !meeting.isOver else { return }
        if meeting.opened > 2 { coverage.happened(.flapping) }
        let swapped = meeting.random.chance(1, in: 2)
        let from = devices[swapped ? meeting.right : meeting.left]
        let to = devices[swapped ? meeting.left : meeting.right]
        guard from.isMember, to.isMember else { return }
        if try dial(from, to, .dialled, meeting: meeting) == nil { meeting.wasDisturbed = true }
    }

    /// They part: the link ends without a goodbye.
    func hangUp(_ meeting: Encounter) throws(Violation) {
        guard !meeting.isOver else { return }
        meeting.isOver = true
        let isWhole =
            !isHealing && devices[meeting.left].isRunning && devices[meeting.right].isRunning
        meeting.traffic.newMemberBytes = max(
            0, memberBytes(of: meeting) - meeting.traffic.memberBytesBefore)
        for device in [meeting.left, meeting.right] {
            guard var end = meeting.traffic.ends[device] else { continue }
            end.after = received(by: device)
            end.forkedBytes = forkedBytes(on: device, unlike: end.branches)
            meeting.traffic.ends[device] = end
        }
        try inspector.show(.parted(meeting, isWhole: isWhole))
        guard let ends = meeting.ends else { return }
        for end in [ends.0, ends.1] { try linkEnded(end) }
    }

    /// A newcomer and a member: one shows a code or a ticket, the other has it typed.
    func pair(_ newcomer: Int, _ member: Int, _ way: PairingWay, salt: UInt64) throws(Violation) {
        let (new, old) = (devices[newcomer], devices[member])
        guard new.isRunning, old.isRunning, old.isMember, !new.isMember else { return }
        guard let offer = try offer(on: old) else { return }
        let secret: PairingSecret
        switch way {
        case .ticket:
            secret = .ticket(offer.ticket)
            coverage.happened(.ticketPairing)
        case .code, .wrongCode:
            guard let code = offer.code else { return }
            secret = .code(way == .code ? code : mistyped(code))
            if way == .wrongCode { coverage.happened(.wrongCode) }
        }
        if plan.joinsLate(newcomer), !isHealing { coverage.happened(.lateJoiner) }
        let meeting = Encounter(
            newcomer, member, weather: .calm, lasting: 60_000, now: now,
            random: SeededRandom(seed: salt))
        meeting.wasDisturbed = true
        queue.schedule(.hangUp(meeting), at: meeting.endsAt)
        _ = try dial(new, old, .dialledToPair(secret), meeting: meeting)
    }

    private func offer(on device: SimulatedDevice) throws(Violation) -> PairingOffer? {
        let moment = device.moment(now)
        do throws(ReplicaError) {
            return try device.replica?.offerPairing(
                addresses: [], liftingLock: isHealing, at: moment)
        } catch {
            // After a failed write only another start tells what the disk has.
            if case .storage = error { try crash(device, power: device.backend.isDown) }
            return nil
        }
    }

    private func mistyped(_ code: PairingCode) -> PairingCode {
        let digits = code.digits
        let last = digits.last.flatMap { $0.wholeNumberValue } ?? 0
        return
            (try? PairingCode(
                parsing: String(digits.dropLast()) + "\((last + 1) % 10)")) ?? code
    }
}

extension ChainRow {
    /// True for what an author that forked wrote after its fork.
    fileprivate var isBranch: Bool { parent != nil }
}
