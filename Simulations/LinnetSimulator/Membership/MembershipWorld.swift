import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A fleet of real replicas that people admit to a group and remove from it. Bytes arrive at once
/// and in order, where devices meet: what goes wrong here is who meets whom, and who means harm.
final class MembershipWorld {
    let plan: Plan
    var now: Int64 = 0
    var devices: [SimulatedDevice] = []
    var trace: Trace
    var coverage = Coverage()
    var events = 0
    /// The rounds that the fleet needed in the end.
    var rounds = 0
    /// The devices that are in other hands, by number.
    var liars: [Int: Saboteur] = [:]
    var links = CalmLinks()
    let judge: MembershipJudge
    /// The sessions that ended so that nodes dial again.
    var endsToReopen = 0
    /// The links that devices stay on, and until when.
    var meetings: [(until: Int64, end: LinkID)] = []
    private var pairings = Pairings()
    /// The time from which actions count.
    var origin: Int64 = 0
    var people = People()

    /// The questions of pairings that wait for an answer.
    private struct Pairings {
        /// The links on which a member asks about a newcomer.
        var decisions: [(device: Int, link: LinkID)] = []
        /// The links on which a newcomer was shown the group's schema.
        var shown: [(device: Int, link: LinkID)] = []
    }

    /// The knowledge that people have of the group.
    struct People {
        /// The role of the device that is being admitted.
        var roleOfNewcomer: Role = .admin
        /// The group's recovery words, once somebody made them.
        var words: RecoveryPhrase?
        /// The devices whose person did not know somebody.
        var doubters: Set<Int> = []
    }

    /// The deliveries that one meeting may take beside those of its batches.
    private static let mostDeliveries = 20_000

    init(_ plan: Plan, trace: Trace) {
        self.plan = plan
        self.trace = trace
        judge = MembershipJudge(seed: plan.seed)
    }

    var honest: [SimulatedDevice] { devices.filter { liars[$0.index] == nil } }

    func addDevice() throws(Violation) -> SimulatedDevice {
        let index = devices.count
        let device = SimulatedDevice(
            of: plan, index: index, name: "device\(index)", identity: index,
            version: plan.schemas.count - 1)
        devices.append(device)
        try start(device)
        return device
    }

    func start(_ device: SimulatedDevice) throws(Violation) {
        do throws(ReplicaError) {
            try device.start(
                schema: plan.schemas[device.version], keySeed: plan.seed, now: now)
        } catch {
            throw Violation(
                .noTraps, "a home does not open any more: \(error)", devices: [device.index])
        }
        device.witness = device.replica?.witnessMark
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        // Whoever pairs without a schema is taken for a device that knows no scopes.
        device.replica?.pairingSchema = .empty
        try judge.look(at: device)
    }

    /// Ends a process and starts it again.
    func kill(_ device: SimulatedDevice, power: Bool) throws(Violation) {
        guard device.isRunning else { return }
        coverage.happened(power ? .powerCut : .processKill)
        try stop(device, power: power)
        try start(device)
    }

    func stop(_ device: SimulatedDevice, power: Bool) throws(Violation) {
        for end in device.links { hangUp(end) }
        device.stop(power: power)
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        try deliver()
    }

    // MARK: Links

    func feed(_ device: SimulatedDevice, _ input: Input) throws(Violation) {
        guard device.isRunning else { return }
        events += 1
        let before = device.replica?.memberRecordBytes
        let effects = device.replica?.handle(input, at: device.moment(now)) ?? []
        try perform(effects, of: device)
        if device.replica?.memberRecordBytes != before {
            try partInStep(device, hearing: input)
        }
    }

    func perform(_ effects: [Effect], of device: SimulatedDevice) throws(Violation) {
        trace.step(now, device: device.index, effects)
        for effect in effects {
            switch effect {
            case .send(let end, let bytes): links.post(bytes, from: end)
            case .close(let end): hangUp(end)
            case .witness(let mark): device.witness = mark
            case .lane, .mail: break
            case .notify(let event): try notice(event, on: device)
            }
        }
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        try judge.look(at: device)
    }

    private func notice(_ event: Event, on device: SimulatedDevice) throws(Violation) {
        coverage.noticed(event)
        switch event {
        case .pairingRequest(let link, _, _, _): pairings.decisions.append((device.index, link))
        case .schemaShown(let link, _): pairings.shown.append((device.index, link))
        case .storeFailed(let error):
            throw Violation(.noTraps, "a store failed: \(error)", devices: [device.index])
        case .sessionOpened(let end, _, _): links.note(end, isOpen: true)
        case .sessionClosed(let end, _, let reason):
            links.note(end, isOpen: false)
            guard let peer = links.peer(of: end) else { return }
            switch reason {
            case .normal, .pskMismatch: endsToReopen += 1
            case .protocolViolation, .handshakeFailed:
                // Whoever is out, or was let in by one that is, may not come to an understanding.
                guard try judge.agree(device, devices[peer]) else { return }
                throw Violation(
                    .memberStopsNobody, "a session of two honest devices ended: \(reason)",
                    devices: [device.index])
            default: break
            }
        default: break
        }
    }

    /// One end of a link is closed.
    func hangUp(_ end: LinkID) {
        links.hangUp(end)
        guard let owner = links.owner(of: end) else { return }
        if let peer = links.peer(of: end) {
            trace.recorder?.link(now, owner, peer, isUp: false)
        }
        devices[owner].links.removeAll { $0 == end }
    }

    /// Connects two devices, or nobody with a device, and returns both ends.
    func connect(
        _ from: SimulatedDevice?, _ to: SimulatedDevice, _ origin: LinkOrigin
    ) throws(Violation) -> (LinkID, LinkID) {
        let ends = links.open(from?.index, to.index)
        from?.links.append(ends.0)
        to.links.append(ends.1)
        if let from { trace.recorder?.link(now, from.index, to.index, isUp: true) }
        try feed(to, .linkOpened(ends.1, .accepted))
        if let from { try feed(from, .linkOpened(ends.0, origin)) }
        return ends
    }

    /// True while two devices are connected.
    func areConnected(_ left: SimulatedDevice, _ right: SimulatedDevice) -> Bool {
        left.links.contains { links.peer(of: $0) == right.index }
    }

    /// Delivers all that is on its way, and what comes of it.
    func deliver() throws(Violation) {
        var count = 0
        while !links.deliveries.isEmpty || !pairings.decisions.isEmpty
            || !pairings.shown.isEmpty
        {
            let waiting = links.deliveries
            links.deliveries = []
            for delivery in waiting {
                count += 1
                guard count < Self.mostDeliveries else {
                    throw Violation(
                        .boundedTraffic, "devices that met went on for \(count) messages")
                }
                guard let owner = links.owner(of: delivery.end) else { continue }
                let device = devices[owner]
                guard let bytes = delivery.bytes else {
                    device.links.removeAll { $0 == delivery.end }
                    links.note(delivery.end, isOpen: false)
                    try feed(device, .linkClosed(delivery.end))
                    continue
                }
                guard device.links.contains(delivery.end) else { continue }
                trace.arrival(
                    now, from: -1, to: owner, bytes, sender: links.peer(of: delivery.end))
                try feed(device, .received(delivery.end, bytes))
            }
            while let (index, link) = pairings.decisions.popLast() {
                try feed(
                    devices[index],
                    .pairingDecision(link, accept: true, role: people.roleOfNewcomer))
            }
            while let (index, link) = pairings.shown.popLast() {
                try feed(devices[index], .schemaJudged(link, accept: true))
            }
        }
        try judgeSessions()
    }

    /// Lets time pass, with everything that replicas do by themselves, and with the ends of
    /// meetings.
    func advance(to time: Int64) throws(Violation) {
        for _ in 0..<100_000 {
            let due = devices.compactMap { device -> (Int64, Int)? in
                guard device.isRunning, let deadline = device.nextDeadline else { return nil }
                return (max(now + 1, device.clock.trueTime(ofUptime: deadline)), device.index)
            }.min { $0 < $1 }
            let over = meetings.map(\.until).min()
            guard let next = [due?.0, over].compactMap({ $0 }).min(), next <= time else { break }
            now = max(now, next)
            if let due, due.0 == next {
                try feed(devices[due.1], .deadlineReached)
            } else {
                for meeting in meetings where meeting.until <= now { hangUp(meeting.end) }
                meetings.removeAll { $0.until <= now }
            }
            try deliver()
        }
        now = max(now, time)
    }
}
