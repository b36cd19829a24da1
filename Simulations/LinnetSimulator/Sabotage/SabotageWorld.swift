import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// A fleet of real replicas, of which the last device comes into the hands of somebody who says
/// whatever it can sign. Bytes arrive at once and in order: nothing else goes wrong here.
final class SabotageWorld {
    /// Bytes or the end of a link on their way to one end of it.
    private struct Delivery {
        let end: LinkID
        /// Nil for the end of the link.
        let bytes: [UInt8]?
    }

    let plan: Plan
    let sabotage: SabotagePlan
    var now: Int64 = 0
    var devices: [SimulatedDevice] = []
    var trace: Trace
    var coverage = Coverage()
    var events = 0
    /// The rounds that the fleet needed in the end.
    var rounds = 0
    var saboteur: Saboteur?
    var fleet: HonestFleet
    /// The devices at both ends of each link; the saboteur's end belongs to nobody.
    private var links: [LinkID: (device: Int?, peer: LinkID)] = [:]
    private var deliveries: [Delivery] = []
    private var decisions: [(device: Int, link: LinkID)] = []
    /// The bytes for ends that belong to nobody.
    private var spoken: [[UInt8]] = []
    private var nextLink: UInt64 = 1

    /// The deliveries that one meeting may take beside those of its batches.
    private static let mostDeliveries = 40_000

    init(_ plan: Plan, _ sabotage: SabotagePlan, trace: Trace) {
        self.plan = plan
        self.sabotage = sabotage
        self.trace = trace
        fleet = HonestFleet(honest: plan.devices - 1)
    }

    var honest: ArraySlice<SimulatedDevice> { devices.prefix(plan.devices - 1) }

    func addDevice() -> SimulatedDevice {
        let index = devices.count
        let device = SimulatedDevice(
            of: plan, index: index, name: "device\(index)", identity: index,
            version: plan.schemas.count - 1)
        devices.append(device)
        return device
    }

    func start(_ device: SimulatedDevice) throws(Violation) {
        do throws(ReplicaError) {
            try device.start(
                schema: plan.schemas[device.version], keySeed: plan.seed, now: now)
        } catch {
            throw Violation(
                .memberStopsNobody, "a home does not open any more: \(error)",
                devices: [device.index])
        }
        device.witness = device.replica?.witnessMark
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        fleet.noteLife(device.replica?.incarnation, of: device.replica?.device)
    }

    /// Ends a process; what it held in memory must be little.
    func kill(_ device: SimulatedDevice, power: Bool) throws(Violation) {
        guard device.isRunning else { return }
        coverage.happened(power ? .powerCut : .processKill)
        for end in device.links { hangUp(end) }
        device.links = []
        let before = Heap.bytesInUse
        device.stop(power: power)
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        try fleet.checkMemory(before - Heap.bytesInUse, of: device.index)
        try deliver()
        try start(device)
    }

    // MARK: Links

    func feed(_ device: SimulatedDevice, _ input: Input) throws(Violation) {
        guard device.isRunning else { return }
        events += 1
        let effects = device.replica?.handle(input, at: device.moment(now)) ?? []
        if saboteur == nil || device.index != plan.devices - 1 {
            fleet.noteLife(device.replica?.incarnation, of: device.replica?.device)
        }
        try perform(effects, of: device)
    }

    func perform(_ effects: [Effect], of device: SimulatedDevice) throws(Violation) {
        trace.step(now, device: device.index, effects)
        for effect in effects {
            switch effect {
            case .send(let end, let bytes): post(bytes, from: end)
            case .close(let end): hangUp(end)
            case .witness(let mark): device.witness = mark
            case .lane, .mail: break
            case .notify(let event): try notice(event, on: device)
            }
        }
        try trace.recorder?.look(now, at: device, among: devices, coverage)
        if device.replica?.storeForReading.pendingTotals.count ?? 0 > 0 {
            coverage.reached(.batchWaited)
        }
    }

    private func notice(_ event: Event, on device: SimulatedDevice) throws(Violation) {
        coverage.noticed(event)
        if case .pairingRequest(let link, _, _, _) = event {
            decisions.append((device.index, link))
        }
        var isHonest = true
        if case .sessionClosed(let end, _, _) = event { isHonest = isBetweenHonest(end) }
        try fleet.hear(event, on: device.index, isBetweenHonest: isHonest)
    }

    private func isBetweenHonest(_ end: LinkID) -> Bool {
        guard let link = links[end], let peer = links[link.peer]?.device else { return false }
        return peer < plan.devices - 1 || saboteur == nil
    }

    private func post(_ bytes: [UInt8], from end: LinkID) {
        guard let link = links[end] else { return }
        if links[link.peer]?.device == nil {
            spoken.append(bytes)
        } else {
            deliveries.append(Delivery(end: link.peer, bytes: bytes))
        }
    }

    /// One end of a link is closed; the other one hears of it behind the last byte.
    func hangUp(_ end: LinkID) {
        guard let link = links[end] else { return }
        deliveries.append(Delivery(end: link.peer, bytes: nil))
        guard let device = link.device else { return }
        if let peer = links[link.peer]?.device {
            trace.recorder?.link(now, device, peer, isUp: false)
        }
        devices[device].links.removeAll { $0 == end }
    }

    /// Connects two devices, or nobody with a device, and returns both ends.
    func connect(
        _ from: SimulatedDevice?, _ to: SimulatedDevice, _ origin: LinkOrigin
    ) throws(Violation) -> (LinkID, LinkID) {
        let ends = (LinkID(rawValue: nextLink), LinkID(rawValue: nextLink + 1))
        nextLink += 2
        links[ends.0] = (from?.index, ends.1)
        links[ends.1] = (to.index, ends.0)
        from?.links.append(ends.0)
        to.links.append(ends.1)
        if let from { trace.recorder?.link(now, from.index, to.index, isUp: true) }
        try feed(to, .linkOpened(ends.1, .accepted))
        if let from { try feed(from, .linkOpened(ends.0, origin)) }
        return ends
    }

    /// Delivers all that is on its way, and what comes of it.
    func deliver() throws(Violation) {
        var count = 0
        var next = 0
        while next < deliveries.count {
            let delivery = deliveries[next]
            next += 1
            count += 1
            guard count < Self.mostDeliveries else {
                throw Violation(
                    .memberStopsNobody, "devices that met went on for \(count) messages")
            }
            if let index = links[delivery.end]?.device {
                let device = devices[index]
                if let bytes = delivery.bytes {
                    guard device.links.contains(delivery.end) else { continue }
                    trace.arrival(
                        now, from: -1, to: index, bytes,
                        sender: links[delivery.end].flatMap { links[$0.peer]?.device })
                    try feed(device, .received(delivery.end, bytes))
                } else {
                    device.links.removeAll { $0 == delivery.end }
                    try feed(device, .linkClosed(delivery.end))
                }
            }
            if next == deliveries.count { try decide() }
            if next > 1_000 {
                deliveries.removeFirst(next)
                next = 0
            }
        }
        deliveries.removeAll()
    }

    private func decide() throws(Violation) {
        while let (index, link) = decisions.popLast() {
            let isLast = devices.count == plan.devices && saboteur == nil
            let role = isLast ? sabotage.role : .admin
            try feed(devices[index], .pairingDecision(link, accept: true, role: role))
        }
    }

    /// Lets time pass, with everything that replicas do by themselves.
    func advance(to time: Int64) throws(Violation) {
        for _ in 0..<10_000 {
            let due = devices.compactMap { device -> (Int64, Int)? in
                guard device.isRunning, let deadline = device.nextDeadline else { return nil }
                return (max(now + 1, device.clock.trueTime(ofUptime: deadline)), device.index)
            }.min { $0 < $1 }
            guard let (next, index) = due, next <= time else { break }
            now = next
            try feed(devices[index], .deadlineReached)
            try deliver()
        }
        now = max(now, time)
    }

    /// Takes the bytes that were sent to the saboteur.
    func takeSpoken() -> [[UInt8]] {
        defer { spoken = [] }
        return spoken
    }
}
