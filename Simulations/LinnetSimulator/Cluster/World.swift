import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire

/// Events that are scheduled.
enum WorldEvent {
    case action(Int)
    case retry(Int)
    case arrival(LinkID, [UInt8])
    case ended(LinkID)
    case hangUp(Encounter)
    case redial(Encounter)
    case wake(device: Int, life: Int)
    case start(device: Int, life: Int)
    case resume(device: Int)
    case unblock([Route])
    case decide(device: Int, LinkID)
    case mail(MailCall)
    case mailNews(device: Int, life: Int)
    indirect case widget(device: Int, WidgetMoment)
}

/// The second shell of a replica: a fleet under virtual time, with everything that can go wrong.
final class World {
    let plan: Plan
    var now: Int64 = 0
    var queue = EventQueue<WorldEvent>()
    var devices: [SimulatedDevice] = []
    var network = Network()
    /// By device; none in scenarios without widgets.
    var widgets: [WidgetDevice] = []
    /// None in scenarios without a mailbox.
    let mail: MailWorld?
    /// None in scenarios without files.
    let files: FileWorld?
    let inspector: Inspector
    var trace: Trace
    var coverage = Coverage()
    var events = 0
    var isHealing = false
    /// The time at which the plan began, and the rounds that the healed fleet needed.
    var origin: Int64 = 0
    var rounds = 0
    private var looks = Looks()

    init(_ plan: Plan, trace: Trace) {
        self.plan = plan
        self.trace = trace
        mail = plan.mail.map { MailWorld($0, SeededRandom(seed: plan.seed).fork("mailbox")) }
        files = plan.files.map(FileWorld.init)
        let known = Knowledge(plan.schemas)
        known.hasFiles = plan.files != nil
        known.hasBases = plan.compacts
        known.medication.travels = plan.travels
        inspector = Inspector(
            known,
            CheckerRegistry(known, ledger: plan.ledger, application: plan.applicationCheck))
        inspector.recorder = trace.recorder
        trace.recorder?.isNamedByInspector = true
    }

    func schema(_ device: SimulatedDevice) -> Schema { plan.schemas[device.version] }

    /// Runs everything that is due up to a time.
    func run(until end: Int64) throws(Violation) {
        while let next = queue.nextTime, next <= end, let (time, occurrence) = queue.next() {
            now = time
            inspector.known.now = time
            events += 1
            // A step that breaks an invariant is looked at, too.
            defer { record() }
            try perform(occurrence)
            if looks.isDue(after: events) { try lookAround() }
        }
        now = max(now, end)
        record()
    }

    /// Lets the recorder of a story see the processes, clocks and disks.
    func record() { trace.recorder?.look(now, devices, coverage) }

    /// Looks at all records of every device.
    private func lookAround() throws(Violation) {
        for device in devices where device.isRunning {
            try device.lendReplica { (replica) throws(Violation) in
                try inspector.observeRecords(
                    device.index, replica, withDigest: looks.count.isMultiple(of: 4))
            }
        }
    }

    private func perform(_ occurrence: WorldEvent) throws(Violation) {
        switch occurrence {
        case .action(let index): try perform(plan.actions[index], index)
        case .retry(let index): try retry(plan.actions[index], index)
        case .arrival(let end, let bytes): try arrive(bytes, at: end)
        case .ended(let end): try linkEnded(end)
        case .hangUp(let meeting): try hangUp(meeting)
        case .redial(let meeting): try redial(meeting)
        case .wake(let device, let life): try wake(devices[device], life)
        case .start(let device, let life): try restart(devices[device], life)
        case .resume(let device): try resume(devices[device])
        case .unblock(let routes): unblock(routes)
        case .decide(let device, let link):
            try feed(devices[device], .pairingDecision(link, accept: true, role: .admin))
        case .mail(let call): try perform(call)
        case .mailNews(let device, let life): try hearNews(devices[device], life)
        case .widget(let device, let moment): try perform(moment, on: device)
        }
    }

    /// Hands an input to a replica and performs what comes back.
    func feed(_ device: SimulatedDevice, _ input: Input) throws(Violation) {
        guard device.isRunning else { return }
        let effects = device.replica?.handle(input, at: device.moment(now)) ?? []
        try perform(effects, of: device)
    }

    /// Performs effects in order, looks at what changed, and sees whether the process survives.
    func perform(
        _ effects: [Effect], of device: SimulatedDevice, isObserved: Bool = false
    ) throws(Violation) {
        guard !device.backend.isDown else {
            coverage.happened(.crashAtDiskCall)
            try crash(device, power: true)
            return
        }
        if !isObserved { try observe(device, effects) }
        for effect in effects {
            if let left = device.fate.effectsLeft {
                guard left.count > 0 else {
                    coverage.happened(.crashAtEffect)
                    try crash(device, power: left.power)
                    return
                }
                device.fate.effectsLeft = (left.count - 1, left.power)
            }
            switch effect {
            case .send(let link, let bytes): try transmit(bytes, from: link)
            case .close(let link): closeLink(link)
            case .witness(let mark): device.witness = mark
            case .lane: break
            case .mail(let wish): try perform(wish, of: device)
            case .notify(.storeFailed): return try diskFailed(device)
            case .notify(let event):
                if case .warning = event { try expose(event, on: device.index) }
                notice(event, on: device)
                try noticeFiles(event, on: device)
            }
        }
        followFilePolicy(device)
        try useMailbox(device)
        scheduleWake(device)
    }

    /// Looks at what a call changed, before its effects are performed.
    func observe(_ device: SimulatedDevice, _ effects: [Effect]) throws(Violation) {
        var events: [Event] = []
        inspector.known.wallMilliseconds = device.moment(now).wallMilliseconds
        for effect in effects {
            guard case .notify(let event) = effect else { continue }
            if case .storeFailed = event { return }
            // Another meeting goes on in place of this one.
            if case .sessionClosed(let link, _, .duplicate) = event {
                network[link]?.meeting?.wasDisturbed = true
            }
            switch event {
            case .sessionClosed(let link, _, .normal), .sessionClosed(let link, _, .pskMismatch):
                network[link]?.meeting?.isToBeReopened = true
            case .sessionOpened(let link, _, _): try showClock(at: link, to: device)
            default: break
            }
            events.append(event)
        }
        trace.step(now, device: device.index, effects)
        noteSyncs(of: device)
        try device.lendReplica { (replica) throws(Violation) in
            trace.recorder?.look(now, at: replica, of: device.index)
            try inspector.observe(device.index, replica, events: events)
            if replica.storeForReading.pendingTotals.count > 0 { coverage.reached(.batchWaited) }
        }
    }

    /// Shows what a peer's greeting said of its clock, be it one of several homes of one device.
    private func showClock(at link: LinkID, to device: SimulatedDevice) throws(Violation) {
        guard let other = network[link]?.to, devices.indices.contains(other) else { return }
        let ahead =
            devices[other].moment(now).wallMilliseconds - inspector.known.wallMilliseconds
        try inspector.show(.greeted(device: device.index, ahead: ahead))
    }

    /// The batches that the disk synced since the last look are durable, whatever the replica
    /// believes.
    func noteSyncs(of device: SimulatedDevice) {
        let syncs = device.backend.syncs
        guard syncs != inspector.views[device.index].promised.syncs else { return }
        inspector.views[device.index].promised.syncs = syncs
        inspector.known.acknowledgeRelaxed(device.index)
    }

    /// Looks at everything on one device.
    func check(_ device: SimulatedDevice) throws(Violation) {
        try exposeDisk(of: device)
        try device.lendReplica { (replica) throws(Violation) in
            inspector.known.wallMilliseconds = device.moment(now).wallMilliseconds
            try inspector.observeAll(device.index, replica)
        }
    }

    /// Bytes in the open: those of a message, of a file and of a warning.
    func expose(_ bytes: [UInt8], from device: Int, _ place: String) throws(Violation) {
        try inspector.show(.exposed(device: device, bytes, where: place))
    }

    private func exposeDisk(of device: SimulatedDevice) throws(Violation) {
        guard case .sqlite(let image) = device.backend.image() else { return }
        for file in image.files {
            try expose(file.bytes, from: device.index, "stands in the file \(file.name)")
        }
    }

    private func expose(_ event: Event, on device: Int) throws(Violation) {
        try expose(Array("\(event)".utf8), from: device, "stands in a warning")
    }

    func checkAll() throws(Violation) {
        for device in devices where device.isRunning { try check(device) }
    }

    private func notice(_ event: Event, on device: SimulatedDevice) {
        coverage.noticed(event)
        if case .recordsChanged = event { publishSoon(device.index) }
        guard case .pairingRequest(let link, _, _, _) = event else { return }
        queue.schedule(.decide(device: device.index, link), at: now + 2_000)
    }

    func scheduleWake(_ device: SimulatedDevice) {
        guard device.isRunning, let deadline = device.nextDeadline else { return }
        let time = max(now + 1, device.clock.trueTime(ofUptime: deadline))
        if let planned = device.fate.wakeTime, planned <= time, planned > now { return }
        device.fate.wakeTime = time
        queue.schedule(.wake(device: device.index, life: device.lives), at: time)
    }

    private func wake(_ device: SimulatedDevice, _ life: Int) throws(Violation) {
        guard device.isRunning, device.lives == life, device.fate.wakeTime == now else { return }
        device.fate.wakeTime = nil
        // A deadline that has moved since is waited for anew.
        if let deadline = device.nextDeadline, !device.backend.isDown,
            deadline > device.moment(now).uptimeMilliseconds
        {
            trace.step(now, device: device.index, [])
            scheduleWake(device)
            return
        }
        try writeBeside(device)
        guard device.isRunning, device.lives == life else { return }
        try feed(device, .deadlineReached)
    }
}
