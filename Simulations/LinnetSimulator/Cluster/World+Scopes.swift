import LinnetCRDT
import LinnetReplication
import LinnetStorage
import LinnetWire

extension World {
    /// In a healed fleet one device does without the scopes that it may leave, while all go on
    /// writing; then it takes them back.
    func doWithoutScopes() throws {
        guard let schema = plan.schemas.last, plan.seed.isMultiple(of: 2),
            mail?.plan.isOnlyWay != true
        else { return }
        var names: [String] = []
        for case .optional(let name) in schema.collections.map(\.scope) where !names.contains(name)
        {
            names.append(name)
        }
        let partial = devices[Int(plan.seed / 2 % UInt64(devices.count))]
        let full = devices[(partial.index + 1) % devices.count]
        guard !names.isEmpty, partial !== full, areWhole(partial, full), showAll(partial, full)
        else { return }
        let optional = schema.collections.filter { names.contains($0.scope.name) }.map(\.id)
        trace.recorder?.phase(
            now, "Device \(partial.index) does without \(names.joined(separator: ", "))",
            why: "It may hold nothing of these scopes, and of all else just the same.")
        try follow(names, wanted: false, leaving: optional, on: partial)
        guard partial.isRunning, areWhole(partial, full) else { return }
        try inspector.show(.projected(partial.index, of: full.index, without: optional))
        coverage.reached(.scopeLeft)
        for (device, salt) in [(full, UInt64(1)), (partial, 2), (full, 3)] {
            try writeSomething(on: device, salt: salt, without: device === partial ? optional : [])
            try meet(partial, full)
        }
        guard partial.isRunning, full.isRunning, areWhole(partial, full) else { return }
        try inspector.show(.projected(partial.index, of: full.index, without: optional))
        trace.recorder?.phase(
            now, "Device \(partial.index) takes back what it did without",
            why: "All batches of these scopes come again.")
        // What it left comes batch by batch.
        try follow(names, wanted: true, leaving: optional, on: partial)
        _ = try converge()
        inspector.views[partial.index].leaves = []
    }

    /// True when neither lacks a batch that rotted and that nobody has brought again.
    private func areWhole(_ one: SimulatedDevice, _ other: SimulatedDevice) -> Bool {
        !inspector.views[one.index].isDamaged && !inspector.views[other.index].isDamaged
    }

    /// True when neither waits for what is lost for ever. Of a commit of which only a part is left,
    /// those show that part who do without the scope of the rest, and no others.
    private func showAll(_ one: SimulatedDevice, _ other: SimulatedDevice) -> Bool {
        [one, other].allSatisfy { device in
            inspector.views[device.index].rows.allSatisfy { $0.applied == $0.stored }
        }
    }

    private func meet(_ left: SimulatedDevice, _ right: SimulatedDevice) throws(Violation) {
        try meet(
            left.index, right.index, lasting: Self.meetingMilliseconds, weather: .calm,
            salt: plan.seed &+ UInt64(bitPattern: now))
        try run(until: now + Self.meetingMilliseconds + 1_000)
    }

    private func follow(
        _ names: [String], wanted: Bool, leaving collections: [UInt32], on device: SimulatedDevice
    ) throws(Violation) {
        inspector.views[device.index].past.mayHaveLost = true
        inspector.views[device.index].leaves = collections
        inspector.known.everLeftCollections.formUnion(collections)
        let moment = device.moment(now)
        let effects: [Effect]
        do throws(ReplicaError) {
            if wanted {
                effects = try device.replica?.subscribe(to: names, at: moment) ?? []
            } else {
                effects =
                    try device.replica?.unsubscribe(from: names, force: true, at: moment) ?? []
            }
        } catch {
            throw ClocksNeverRefuse.refused(error, device.index)
        }
        try perform(effects, of: device)
    }

    /// A few transactions over all scopes that a device holds.
    private func writeSomething(
        on device: SimulatedDevice, salt: UInt64, without collections: [UInt32]
    ) throws(Violation) {
        var random = SeededRandom(seed: plan.seed &+ salt)
        for _ in 0..<3 {
            guard let request = plan.workload?.write(&random, size: .few) else { return }
            let writes = request.writes.filter { !collections.contains($0.key.collection) }
            try write(SimulatedWrite(writes: writes), on: device, 0, salt: salt)
        }
    }
}
