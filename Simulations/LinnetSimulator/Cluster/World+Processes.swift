import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// Arms or carries out a crash.
    func crash(
        _ device: SimulatedDevice, _ point: CrashPoint, downFor: Int64
    ) throws(Violation) {
        guard device.isRunning else { return }
        device.fate.downFor = downFor
        switch point {
        case .now(let power):
            coverage.happened(power ? .powerCut : .processKill)
            try crash(device, power: power)
        case .diskCall(let calls):
            if case .sqlite(let disk) = device.backend { disk.crash(atCall: calls) }
        case .effect(let count, let power):
            device.fate.effectsLeft = (count, power)
        }
    }

    /// The process is gone; it is started again after a while.
    func crash(_ device: SimulatedDevice, power: Bool) throws(Violation) {
        guard device.state != .off else { return }
        trace.note(now, device.index, power ? "loses power" : "dies", .state)
        device.stop(power: power)
        for end in device.links { abandon(end) }
        inspector.known.crashed(device.index, power: power)
        if power { files?.lostPower(device.index) }
        queue.schedule(
            .start(device: device.index, life: device.lives), at: now + max(1, device.fate.downFor))
        if device.fate.isStorming > 0 {
            device.fate.isStorming -= 1
            coverage.happened(.restartStorm)
        } else {
            device.fate.downFor = 1_000
        }
    }

    /// Ends a process whose disk failed; as a node does, it tries again after longer and longer
    /// pauses, until a minute went well.
    func diskFailed(_ device: SimulatedDevice) throws(Violation) {
        let (before, last) = device.fate.outage
        let isCalm = now - last >= before + 60_000
        let pause = isCalm ? 1_000 : min(max(1_000, before * 2), 30_000)
        device.fate.outage = (pause, now)
        if device.fate.isStorming == 0 { device.fate.downFor = max(device.fate.downFor, pause) }
        try crash(device, power: false)
    }

    /// Shuts a device down in order.
    func stop(_ device: SimulatedDevice) throws(Violation) {
        let effects = device.replica?.closeAllSessions(.shutdown) ?? []
        try perform(effects, of: device)
        guard device.isRunning else { return }
        for end in device.links { abandon(end) }
        do {
            try device.close()
            inspector.known.acknowledgeRelaxed(device.index)
        } catch {
            device.stop(power: false)
            inspector.known.crashed(device.index, power: false)
        }
        device.fate.wakeTime = nil
    }

    func restart(_ device: SimulatedDevice, _ life: Int) throws(Violation) {
        guard device.state == .off, device.lives == life else { return }
        try start(device)
        if device.fate.isStorming > 0, device.isRunning {
            device.fate.effectsLeft = (device.fate.isStorming % 4, false)
        }
    }

    /// Starts a process; a store that cannot be opened now is tried again later.
    func start(_ device: SimulatedDevice) throws(Violation) {
        let isDoubted = device.fate.witnessDoubt != nil || device.witness == nil
        do throws(ReplicaError) {
            try device.start(
                schema: plan.schemas[device.version], keySeed: plan.seed, now: now)
        } catch {
            try failedToStart(device, error)
            return
        }
        guard !device.backend.isDown else {
            try crash(device, power: true)
            return
        }
        trace.note(now, device.index, "starts", .state)
        record()
        try device.lendReplica { (replica) throws(Violation) in
            trace.recorder?.look(now, at: replica, of: device.index)
        }
        inspector.known.reopened(device.index)
        try inspector.show(
            .started(
                .init(
                    device: device.index, incarnation: device.replica?.incarnation,
                    isDoubted: isDoubted)))
        inspector.known.noteDevice(device.index, device.replica?.device)
        try check(device)
        noteSyncs(of: device)
        device.witness = device.replica?.witnessMark
        try useMailbox(device)
        scheduleWake(device)
    }

    private func failedToStart(
        _ device: SimulatedDevice, _ error: ReplicaError
    ) throws(Violation) {
        guard !device.backend.isDown else {
            device.stop(power: true)
            queue.schedule(.start(device: device.index, life: device.lives), at: now + 5_000)
            return
        }
        device.stop(power: false)
        device.fate.failedStarts += 1
        trace.note(now, device.index, "cannot start: \(error)", .state)
        let isRotten = inspector.views[device.index].past.hasRotted
        if case .storage(.corrupt(let place)) = error, !isRotten {
            throw Violation(
                .acknowledgedWritesSurvive, "a home does not open any more: \(place) is corrupt",
                devices: [device.index])
        }
        if device.fate.failedStarts > 3, case .sqlite(let disk) = device.backend {
            disk.clearFaults()
        }
        guard device.fate.failedStarts < 12 else {
            throw Violation(
                .acknowledgedWritesSurvive, "a home does not open any more: \(error)",
                devices: [device.index])
        }
        queue.schedule(.start(device: device.index, life: device.lives), at: now + 5_000)
    }
}
