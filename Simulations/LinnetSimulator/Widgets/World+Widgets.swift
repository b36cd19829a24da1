import LinnetFaces
import LinnetMedication
import LinnetWire

/// Events that are scheduled for the widgets of a device.
enum WidgetMoment {
    case wake
    case answer(WidgetID, request: Int, Timeline<FaceEntry>)
    /// The app leaves a snapshot, because records changed or because it does so regularly.
    case publish
    case publishAgain
    case unlock(life: Int)
    /// The entry of a widget that may not be up any longer.
    case lapse(WidgetID, FaceEntry)
}

extension World {
    /// Gives each device a host for widgets, in scenarios with widgets.
    func addWidgets() {
        guard let plan = plan.widgets else { return }
        for device in devices {
            widgets.append(WidgetDevice(device.index, plan, seed: self.plan.seed))
            if let every = plan.publishesEvery {
                queue.schedule(.widget(device: device.index, .publishAgain), at: now + every)
            }
        }
    }

    private func wall(_ device: Int) -> Instant {
        Instant(milliseconds: devices[device].moment(now).wallMilliseconds)
    }

    /// Records changed: the app leaves a snapshot soon.
    func publishSoon(_ device: Int) {
        guard widgets.indices.contains(device), !widgets[device].isPublishing else { return }
        widgets[device].isPublishing = true
        queue.schedule(.widget(device: device, .publish), at: now + 1_500)
    }

    func perform(_ step: WidgetStep, on device: Int) throws(Violation) {
        guard widgets.indices.contains(device) else { return }
        let widget = widgets[device]
        switch step {
        case .add(let configuration):
            let id = WidgetID(widget.kinds.count)
            widget.kinds.append(FaceKind(rawValue: configuration.kind) ?? .nextDose)
            widget.budgets.added(id, configuration, at: wall(device))
            try tell(device, .added(id, configuration))
        case .app(let isInForeground):
            widget.isInForeground = isInForeground && !widget.isLocked
            widget.budgets.isInForeground = widget.isInForeground
            try tell(device, .app(isInForeground: widget.isInForeground))
            if isInForeground { publishSoon(device) }
        case .session(let isActive):
            widget.budgets.hasSession = isActive && !widget.isLocked
            try tell(device, .session(isActive: isActive && !widget.isLocked))
        case .intent(let number):
            guard number < widget.kinds.count else { return }
            widget.budgets.isFree(WidgetID(number))
            try tell(device, .intentPerformed(WidgetID(number)))
        case .view(let number):
            guard number < widget.kinds.count else { return }
            widget.budgets.viewed = WidgetID(number)
            try tell(device, .viewed(WidgetID(number)))
            widget.budgets.viewed = nil
        case .changed(let surroundings):
            for number in widget.kinds.indices { widget.budgets.isFree(WidgetID(number)) }
            try tell(device, .changed(surroundings))
        case .push: try tell(device, .pushed)
        case .reboot(let lockedFor): try reboot(device, lockedFor)
        case .spoil(let kind): try spoil(kind, device)
        }
    }

    private func reboot(_ device: Int, _ lockedFor: Int64) throws(Violation) {
        coverage.happened(.reboot)
        let widget = widgets[device]
        widget.lives += 1
        widget.isLocked = true
        widget.isInForeground = false
        widget.budgets.isInForeground = false
        widget.budgets.hasSession = false
        queue.schedule(.widget(device: device, .unlock(life: widget.lives)), at: now + lockedFor)
        try tell(device, .rebooted)
    }

    /// Something is wrong with the file; the app's next snapshot takes its place.
    private func spoil(_ kind: FaultKind, _ device: Int) throws(Violation) {
        let widget = widgets[device]
        guard let file = widget.file else { return }
        switch kind {
        case .snapshotDamaged:
            var bytes = file
            if widget.random.chance(1, in: 3) {
                bytes.removeLast(widget.random.number(in: 1...bytes.count))
            } else {
                bytes[widget.random.below(bytes.count)] ^= 1 << UInt8(widget.random.below(8))
            }
            widget.file = bytes
        case .snapshotOfAnotherHome:
            guard var snapshot = try? FaceSnapshot(opening: file, publicKey: widget.publicKey)
            else { return }
            // Nobody here ever left one as of this instant.
            snapshot.asOf = wall(device).advanced(byMilliseconds: -7)
            snapshot.facts.doses.removeAll { _ in widget.random.chance(1, in: 2) }
            try? widget.leave(snapshot, isOfAnotherHome: true)
        default: widget.file = widget.olderFile
        }
        coverage.happened(kind)
        try reload(device)
    }

    func perform(_ moment: WidgetMoment, on device: Int) throws(Violation) {
        let widget = widgets[device]
        switch moment {
        case .wake:
            guard widget.wakeAt == now else { return }
            widget.wakeAt = nil
            try tell(device, .wake)
        case .answer(let id, let request, let timeline):
            try tell(device, .timeline(id, request: request, timeline))
        case .publish:
            widget.isPublishing = false
            try publish(device)
        case .publishAgain:
            try publish(device)
            if let every = plan.widgets?.publishesEvery {
                queue.schedule(.widget(device: device, .publishAgain), at: now + every)
            }
        case .unlock(let life):
            guard widget.lives == life else { return }
            widget.isLocked = false
            try tell(device, .unlocked)
        case .lapse(let id, let entry):
            guard widget.shown[id] == .entry(entry) else { return }
            try widget.truth.check(entry, at: wall(device), device)
        }
    }

    /// The app leaves what its replica shows now, and asks for new timelines.
    private func publish(_ device: Int) throws(Violation) {
        let widget = widgets[device]
        guard devices[device].isRunning, devices[device].isMember, !widget.isLocked,
            !inspector.views[device].isDamaged, let widgetPlan = plan.widgets
        else { return }
        let at = wall(device)
        do {
            let book = MedicationBook(inspector.known.medicationRecords(device))
            let zone = try SimulatedZones.table.zone(
                named: inspector.known.medication.zone(of: device))
            try widget.truth.learn(book, zone, at: at, validFor: widgetPlan.validFor)
            try widget.leave(
                FaceSnapshot(
                    of: book, asOf: at, frontier: "\(events)", zone: zone,
                    zones: SimulatedZones.table, validMilliseconds: widgetPlan.validFor))
        } catch {
            throw Violation(.facesStayTrue, "no snapshot can be made: \(error)", devices: [device])
        }
        try reload(device)
    }

    // MARK: The host

    /// The app asks for new timelines, for nothing while it is in the foreground.
    private func reload(_ device: Int) throws(Violation) {
        let widget = widgets[device]
        if widget.budgets.isInForeground || widget.budgets.hasSession {
            for number in widget.kinds.indices { widget.budgets.isFree(WidgetID(number)) }
        }
        try tell(device, .reloadAll)
    }

    private func tell(_ device: Int, _ input: WidgetInput<FaceEntry>) throws(Violation) {
        let widget = widgets[device]
        let at = wall(device)
        for effect in widget.host.handle(input, at: at) {
            switch effect {
            case .ask(let id, let request, _):
                try widget.budgets.asked(id, at: at, device)
                guard !widget.random.chance(plan.widgets?.silent ?? 0, in: 100) else {
                    coverage.happened(.silentProvider)
                    continue
                }
                let timeline = widget.timeline(of: widget.kinds[id.number], at: at)
                try widget.checkAnswer(timeline, at: at, device)
                let delay = Int64(widget.random.number(in: 20...4_000))
                queue.schedule(
                    .widget(device: device, .answer(id, request: request, timeline)),
                    at: now + delay)
            case .show(let id, let shown): try show(id, shown, device)
            case .hide: break
            }
        }
        guard
            !widget.isLocked
                || widget.kinds.indices.allSatisfy({ number in
                    widget.shown[WidgetID(number)] == .locked
                })
        else {
            throw Violation(
                .facesStayTrue, "a widget of a locked device shows something", devices: [device])
        }
        try wakeLater(device, at)
    }

    private func show(
        _ id: WidgetID, _ shown: Shown<FaceEntry>, _ device: Int
    ) throws(Violation) {
        let widget = widgets[device]
        widget.shown[id] = shown
        trace.note(
            now, device, "widget \(id.number) shows \(shown.sentence)", .visible,
            told: "shows on widget \(id.number) \(shown.sentence)")
        guard case .entry(let entry) = shown else { return }
        try widget.truth.check(entry, at: wall(device), device)
        guard let end = widget.truth.end(of: entry) else { return }
        let late = end.milliseconds(since: wall(device))
        queue.schedule(.widget(device: device, .lapse(id, entry)), at: now + max(0, late) + 1)
    }

    private func wakeLater(_ device: Int, _ at: Instant) throws(Violation) {
        let widget = widgets[device]
        guard let deadline = widget.host.deadline else { return }
        guard deadline > at else {
            throw Violation(
                .noTraps, "a host of widgets waits for a deadline that is over",
                devices: [device])
        }
        let time = now + deadline.milliseconds(since: at)
        guard widget.wakeAt != time else { return }
        widget.wakeAt = time
        queue.schedule(.widget(device: device, .wake), at: time)
    }
}

extension WidgetDevice {
    /// A process that finds fresh facts says something of them.
    fileprivate func checkAnswer(
        _ timeline: Timeline<FaceEntry>, at now: Instant, _ device: Int
    ) throws(Violation) {
        guard !isLocked, file != nil, file == lastLeft, truth.isFresh(at: now),
            timeline.entries.first?.asOf == nil
        else { return }
        throw Violation(
            .facesStayTrue, "a face says nothing although fresh facts are there",
            devices: [device])
    }
}

extension Shown<FaceEntry> {
    fileprivate var sentence: String {
        switch self {
        case .placeholder: "its shape"
        case .locked: "a lock"
        case .entry(let entry): entry.asOf.map { "what was known at \($0)" } ?? "nothing known"
        }
    }
}
