import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

/// The outcome of a commit.
typealias Committed = (CommitReceipt, [Effect])

extension World {
    /// A person or an application writes.
    func write(
        _ request: SimulatedWrite, on device: SimulatedDevice, _ index: Int, salt: UInt64
    ) throws(Violation) {
        guard device.isRunning, device.isMember else { return }
        let writes = request.writes.filter {
            knows($0, device)
        }
        guard !writes.isEmpty else { return }
        let intent = request.intent.map { Array("\(device.index)/\($0)".utf8) }
        try commit(writes, intent: intent, relaxed: request.isRelaxed, on: device)
        if request.intent != nil {
            queue.schedule(.retry(index), at: now + Int64(1 + salt % 120_000))
        }
    }

    /// The writer does not know what became of its write, and tries again.
    func retry(_ action: Action, _ index: Int) throws(Violation) {
        guard case .write(let number, let request) = action.kind, let wanted = request.intent
        else { return }
        let device = devices[number]
        guard device.isRunning, device.isMember else {
            if !isHealing { queue.schedule(.retry(index), at: now + 600_000) }
            return
        }
        coverage.happened(.intentRetry)
        let writes = request.writes.filter {
            knows($0, device)
        }
        try commit(
            writes, intent: Array("\(number)/\(wanted)".utf8), relaxed: request.isRelaxed,
            on: device)
    }

    /// True when this version of the application has the fields.
    private func knows(_ write: Write, _ device: SimulatedDevice) -> Bool {
        guard let declared = schema(device).collection(id: write.key.collection) else {
            return false
        }
        return write.changes.allSatisfy { change in
            if case .insert(let fields) = change {
                return fields.allSatisfy { declared.field(id: $0.field) != nil }
            }
            return change.field.map { declared.field(id: $0) != nil } ?? true
        }
    }

    /// Commits on a device, and looks at what became of it.
    ///
    /// - Parameter commit: how it is done; nil for a plain commit.
    func commit(
        _ wanted: [Write], intent: [UInt8]?, relaxed: Bool, on device: SimulatedDevice,
        by commit: ((SimulatedDevice, [Write], Moment) throws(ReplicaError) -> Committed?)? = nil
    ) throws(Violation) {
        // What it holds is not known while it goes on without a damaged batch.
        guard !inspector.views[device.index].isDamaged else { return }
        let fitting = Fitting(
            wanted, schema: schema(device), records: inspector.views[device.index].records,
            carets: device.typing.carets)
        let writes = fitting.writes
        let rows = inspector.views[device.index].rows
        var before: [RecordKey: RecordState] = [:]
        try inspector.show(.wished(writes))
        for write in writes {
            before[write.key] = inspector.views[device.index].records[write.key]
        }
        let answer: Committed
        do throws(ReplicaError) {
            let moment = device.moment(now)
            let done =
                if let commit {
                    try commit(device, writes, moment)
                } else {
                    try device.replica?.commit(
                        writes, intent: intent, durability: relaxed ? .relaxed : .full, at: moment)
                }
            guard let done else { return }
            answer = done
        } catch {
            return try refuse(error, intent: intent, isDue: fitting.isRefused, on: device)
        }
        let (receipt, effects) = answer
        guard !fitting.isRefused || receipt.repeated else {
            throw ImmutableLogs.accepted(device.index)
        }
        device.typing.carets = fitting.carets
        let survived = !device.backend.isDown
        let known = inspector.catalogue.facts.count
        if survived { try observe(device, effects) }
        if survived, !receipt.repeated {
            // What it holds is not known while it goes on without a damaged batch.
            let isDamaged = inspector.views[device.index].isDamaged
            let facts = isDamaged ? known..<known : known..<inspector.catalogue.facts.count
            try inspector.show(
                .written(
                    .init(
                        device: device.index, writes: writes, receipt: receipt, facts: facts,
                        before: before, rows: rows, texts: fitting.texts)))
            coverage.committed(receipt, relaxed: relaxed)
            try acknowledge(receipt, relaxed: relaxed, device)
        }
        if receipt.repeated { coverage.reached(.intentRepeated) }
        try note(intent, survived ? receipt : nil, device)
        try perform(effects, of: device, isObserved: true)
    }

    /// Hears that a commit failed; one is due to be refused where the application may not write it.
    private func refuse(
        _ error: ReplicaError, intent: [UInt8]?, isDue: Bool, on device: SimulatedDevice
    ) throws(Violation) {
        switch error {
        case .storage:
            // The outcome is unknown: a retry with the same intent will tell.
            try note(intent, nil, device)
            coverage.reached(.commitFailed)
            try crash(device, power: device.backend.isDown)
        case .noEpochKey, .upgradeNeeded: break
        case .schema where isDue: coverage.reached(.writeRefused)
        default: throw ClocksNeverRefuse.refused(error, device.index)
        }
    }

    private func acknowledge(
        _ receipt: CommitReceipt, relaxed: Bool, _ device: SimulatedDevice
    ) throws(Violation) {
        // What the store made durable besides took the commit along.
        var isDurable = !relaxed
        try device.lendReplica { (replica) throws(Violation) in
            isDurable = isDurable || !replica.storeForReading.isUnflushed
        }
        inspector.known.acknowledge(receipt.commit, durable: isDurable, device.index)
        if !relaxed { inspector.known.acknowledgeRelaxed(device.index) }
    }

    private func note(
        _ intent: [UInt8]?, _ receipt: CommitReceipt?, _ device: SimulatedDevice
    ) throws(Violation) {
        guard let intent else { return }
        try inspector.show(.tried(device: device.index, intent: intent, receipt))
    }

    /// Somebody writes while a device is about to show a large commit, some of it to its records.
    func writeBeside(_ device: SimulatedDevice) throws(Violation) {
        guard plan.writesBeside, device.isMember, device.replica?.isShowingDue == true else {
            return
        }
        var random = device.random.fork("beside", Int(now))
        guard random.chance(1, in: 4), let write = plan.workload?.writeBeside(&random) else {
            return
        }
        try commit([write], intent: nil, relaxed: false, on: device)
    }

    func flush(_ device: SimulatedDevice) throws(Violation) {
        guard device.isRunning else { return }
        let effects: [Effect]
        do throws(ReplicaError) {
            effects = try device.replica?.flush(at: device.moment(now)) ?? []
        } catch {
            try crash(device, power: device.backend.isDown)
            return
        }
        if !device.backend.isDown { inspector.known.acknowledgeRelaxed(device.index) }
        try perform(effects, of: device)
    }
}
