import LinnetReplication
import LinnetStorage
import LinnetWire

/// The sight of devices after each step.
extension StoryRecorder {
    /// Looks at the processes, clocks and disks of all devices.
    func look(_ time: Int64, _ devices: [SimulatedDevice], _ coverage: Coverage) {
        for device in devices { lookAtProcess(of: device, time) }
        lookAtFaults(coverage, time)
    }

    /// Looks at all devices, and at what one has in memory.
    func look(
        _ time: Int64, at device: SimulatedDevice, among devices: [SimulatedDevice],
        _ coverage: Coverage
    ) throws(Violation) {
        look(time, devices, coverage)
        try device.lendReplica { look(time, at: $0, of: device.index) }
    }

    private func lookAtProcess(of device: SimulatedDevice, _ time: Int64) {
        let index = device.index
        appear(index, device.name, time)
        let process =
            switch device.state {
            case .running: "running"
            case .off: "off"
            case .asleep: "asleep"
            }
        setProcess(index, process, time)
        let offset =
            device.moment(time).wallMilliseconds - DeviceClock.epochMilliseconds - time
        if abs(offset - seen[index].clock) >= 1_000, var last = shelf.last {
            seen[index].clock = offset
            last.change(.clock(index, milliseconds: offset))
            shelf.last = last
        }
        if device.version != seen[index].version {
            seen[index].version = device.version
            attach(
                time, index, .person, "Device \(index) runs version \(device.version + 1)"
            ) { $0.change(.version(index, device.version + 1)) }
        }
        if case .sqlite(let disk) = device.backend { lookAtDisk(disk.counters, index, time) }
    }

    /// A device that was not seen before gets a lane.
    func appear(_ index: Int, _ name: String, _ time: Int64) {
        while seen.count <= index { seen.append(SeenDevice()) }
        guard seen[index].name.isEmpty else { return }
        seen[index].name = name
        attach(time, index, .state, "Device \(index) is there") {
            $0.change(.appears(index, name: name))
        }
    }

    /// Notes the state of a process: running, off, asleep, locked.
    func setProcess(_ index: Int, _ process: String, _ time: Int64) {
        let before = seen[index].process
        guard process != before else { return }
        seen[index].process = process
        let text =
            switch process {
            case "running":
                before == "asleep" ? "wakes" : before == "locked" ? "is unlocked" : "runs"
            case "off": "is off"
            case "locked": "is locked"
            default: "sleeps"
            }
        attach(time, index, .state, "Device \(index) \(text)") {
            $0.change(.process(index, process))
        }
    }

    /// Notes the standing of a device in the group: newcomer, member, out, in other hands.
    func setStanding(_ index: Int, isMember: Bool, _ time: Int64) {
        let standing = isMember ? "member" : seen[index].wasMember ? "out" : "newcomer"
        seen[index].wasMember = seen[index].wasMember || isMember
        setStanding(index, standing, time)
    }

    func setStanding(_ index: Int, _ standing: String, _ time: Int64) {
        guard seen.indices.contains(index), standing != seen[index].standing,
            seen[index].standing != "in other hands"
        else { return }
        seen[index].standing = standing
        attach(time, index, .membership, "Device \(index) is now: \(standing)") {
            $0.change(.standing(index, standing))
        }
    }

    private func lookAtDisk(_ disk: DiskCounters, _ index: Int, _ time: Int64) {
        let before = seen[index].disk
        seen[index].disk = disk
        let happened: [(Int, FaultKind)] = [
            (disk.lostWrites - before.lostWrites, .lostWrites),
            (disk.tornWrites - before.tornWrites, .tornWrite),
            (disk.failedSyncs - before.failedSyncs, .syncFailure),
            (disk.failedWrites - before.failedWrites, .writeError),
            (disk.failedReads - before.failedReads, .readError),
            (disk.refusedWrites - before.refusedWrites, .diskFull),
        ]
        for (times, kind) in happened where times > 0 {
            add(
                StoryItem(
                    .fault, time, index,
                    "Device \(index)'s disk: \(kind.title)"
                        + (times > 1 ? ", \(StoryWords.grouped(times)) times" : ""),
                    why: kind.sentence))
        }
    }

    /// Faults that were counted since the last look.
    func lookAtFaults(_ coverage: Coverage, _ time: Int64) {
        let counts = coverage.faults
        defer { faults = counts }
        guard faults.count == counts.count, faults != counts else { return }
        for (number, kind) in FaultKind.allCases.enumerated() where counts[number] > faults[number]
        {
            guard Self.told.contains(kind) else { continue }
            // A link that drips does so all the time.
            if kind == .drip || kind == .slowLink, !weather.insert(kind).inserted { continue }
            add(
                StoryItem(
                    .fault, time, current, StoryWords.sentence(kind.title), why: kind.sentence))
        }
    }

    /// The faults of which only their count tells that they happened; the plan names the others.
    private static let told: [FaultKind] = [
        .slowLink, .drip, .reorder, .duplicate, .drop, .truncate, .bitFlip, .flapping, .halfOpen,
        .crashAtEffect, .crashAtDiskCall, .intentRetry, .snapshotDamaged, .snapshotOfAnotherHome,
        .snapshotPutBack, .silentProvider,
    ]

    /// Looks at the chains of a replica, which lie in memory.
    func look(_ time: Int64, at replica: borrowing Replica, of index: Int) {
        while seen.count <= index { seen.append(SeenDevice()) }
        seen[index].device = seen[index].device ?? replica.device
        setStanding(index, isMember: replica.isMember, time)
        let rows = replica.chainRows
        guard rows != seen[index].rows else { return }
        seen[index].rows = rows
        var holdings: [Int: StoryHolding] = [:]
        for row in rows {
            let writer = seen.firstIndex { $0.device == row.device }
            guard let chain = chains.number(of: row, writer: writer) else { continue }
            holdings[chain] = StoryHolding(
                first: row.first, stored: row.stored, shown: min(row.applied, row.stored))
        }
        note(holdings, of: index, time)
    }

    private func note(_ holdings: [Int: StoryHolding], of index: Int, _ time: Int64) {
        let before = seen[index].holdings
        seen[index].holdings = holdings
        var (more, fewer) = (0, 0)
        var changes: [StoryChange] = []
        for chain in Set(holdings.keys).union(before.keys).sorted() {
            let (old, new) = (before[chain], holdings[chain])
            guard old != new else { continue }
            let count = (new?.count ?? 0) - (old?.count ?? 0)
            if count > 0 { more += count } else { fewer -= count }
            let none = StoryHolding(first: 1, stored: 0, shown: 0)
            changes.append(.holds(index, chain: chain, new ?? none))
        }
        guard !changes.isEmpty else { return }
        // What no action of the plan announced may still be a write of the device's own.
        let isOwn = more > 0 && changes.allSatisfy { chains.isWritten($0, by: index) }
        let text =
            "Device \(index) \(isOwn ? "writes" : "stores") "
            + StoryWords.counted(more, "batch", "batches")
        attach(time, index, isOwn ? .write : .stored, text) { item in
            item.batches += more
            for change in changes { item.change(change) }
            guard fewer > 0 else { return }
            item.add(
                "Device \(index) holds \(StoryWords.counted(fewer, "batch", "batches")) fewer "
                    + "than before.")
        }
    }
}
