import LinnetReplication
import LinnetStorage
import LinnetWire

/// A healed fleet that did not reach the same within its bounds.
struct LivenessFailure: Error {
    let message: String
    let devices: [Int]
}

extension World {
    /// The meetings of every pair after which all must be the same.
    static let roundsMaximum = 6
    static let meetingMilliseconds: Int64 = 30_000

    /// Ends all faults: everything runs, in the newest version, and everybody reaches everybody.
    func heal() throws(Violation) {
        isHealing = true
        trace.recorder?.phase(
            now, "All faults end",
            why: "Everything runs in the newest version from here on, and all can meet.")
        network.unblockAll()
        mail?.store.heal()
        for device in devices {
            for end in device.links { cut(end) }
            device.fate.effectsLeft = nil
            device.fate.isStorming = 0
            device.fate.downFor = 1_000
            device.clock.thaw()
            if case .sqlite(let disk) = device.backend { disk.clearFaults() }
        }
        try run(until: now + 10_000)
        for device in devices {
            if device.state == .asleep { try resume(device) }
            if device.state == .off { try start(device) }
        }
        try run(until: now + 60_000)
        for device in devices where device.version != plan.schemas.count - 1 && device.isRunning {
            try stop(device)
            device.version = plan.schemas.count - 1
            inspector.views[device.index].version = device.version
            try start(device)
        }
        try admitAll()
    }

    /// Devices that have not joined do so now.
    private func admitAll() throws(Violation) {
        for device in devices where !device.isMember {
            for attempt in 0..<3 where !device.isMember {
                guard let member = devices.first(where: \.isMember) else { return }
                try pair(
                    device.index, member.index, .code,
                    salt: plan.seed &+ UInt64(device.index * 8 + attempt))
                try run(until: now + 61_000)
            }
        }
    }

    /// Lets every pair meet, round by round, until all are the same.
    func converge() throws -> Int {
        if mail?.plan.isOnlyWay == true { return try convergeByMailbox() }
        for round in 1...Self.roundsMaximum {
            trace.recorder?.phase(
                now, "Round \(round): every pair meets once",
                why: "After at most \(Self.roundsMaximum) rounds all must hold and show the same.")
            for left in devices.indices {
                for right in devices.indices where right > left {
                    try meet(
                        left, right, lasting: Self.meetingMilliseconds, weather: .calm,
                        salt: plan.seed &+ UInt64(round * 1_000 + left * 32 + right))
                    try run(until: now + Self.meetingMilliseconds + 1_000)
                }
            }
            if difference() == nil {
                try checkRows()
                return round
            }
        }
        let (message, pair) = difference() ?? ("", [])
        throw LivenessFailure(
            message: "after \(Self.roundsMaximum) rounds \(message)", devices: pair)
    }

    /// Tells in which way two devices still differ; nil when all hold and show the same.
    func difference() -> (String, [Int])? {
        guard let first = devices.first else { return nil }
        let hasRot = noteRot()
        for device in devices {
            guard device.isRunning, device.isMember else {
                return ("device \(device.index) is not there", [device.index])
            }
            if let lost = ownLoss(device) {
                return ("device \(device.index) waits for its own batch \(lost)", [device.index])
            }
            if let row = inspector.known.stuckChain(device.index) {
                return (
                    "device \(device.index) shows \(row.applied) of the \(row.stored) of a chain",
                    [device.index]
                )
            }
            let own = device.replica?.log.vectorEntries() ?? []
            let theirs = first.replica?.log.vectorEntries() ?? []
            let views = (inspector.views[first.index], inspector.views[device.index])
            if own != theirs, !hasRot || !inspector.known.isLoss(views.0.held, views.1.held) {
                return (
                    "devices 0 and \(device.index) hold different batches: "
                        + "\(Self.text(theirs)) and \(Self.text(own))", [0, device.index]
                )
            }
            let digests = (
                try? device.replica?.reader.digest(), try? first.replica?.reader.digest()
            )
            // Two that cannot be read are not equal.
            if digests.0 == nil || digests.0 != digests.1,
                !hasRot || !inspector.known.isLoss(views.0.applied, views.1.applied)
            {
                return ("devices 0 and \(device.index) show different data", [0, device.index])
            }
        }
        return nil
    }

    /// A batch that a device wrote and its disk lost, which it should have said again by now; nil
    /// where there is none.
    private func ownLoss(_ device: SimulatedDevice) -> String? {
        let view = inspector.views[device.index]
        guard view.isDamaged else { return nil }
        for id in (try? device.replica?.reading.damagedIDs()) ?? [] {
            guard let number = inspector.catalogue.number(id) else { continue }
            let root = inspector.catalogue.facts[number].root
            let row = view.rows.first { ChainNames.root($0) == root }
            if let row, row.device == device.replica?.device,
                !inspector.catalogue.forkedRoots.contains(root), row.forkedAt == nil
            {
                return inspector.known.describe(number)
            }
        }
        return nil
    }

    /// Finds the batches that rotted on the disks of all that hold them; whether there are any.
    private func noteRot() -> Bool {
        var holders: [Int: Int] = [:]
        for device in devices where inspector.views[device.index].isDamaged {
            for id in (try? device.replica?.reading.damagedIDs()) ?? [] {
                if let number = inspector.catalogue.number(id) { holders[number, default: 0] += 1 }
            }
        }
        let rotten = holders.filter { number, count in
            inspector.views.count { $0.held.contains(number) } == count
        }
        inspector.catalogue.markRotten(rotten.keys.sorted())
        return !rotten.isEmpty
    }

    private static func text(_ entries: [VectorEntry]) -> String {
        entries.map { "\($0.chain.description.prefix(4)):\($0.seq)" }.joined(separator: " ")
    }

    /// The last look at everything.
    func close() throws(Violation) {
        trace.recorder?.phase(
            now, "The last look", why: "Everything on every device is read and compared again.")
        for view in inspector.views { view.past.mayLackRows = false }
        try checkAll()
        try inspector.checkers.finish()
        for device in devices {
            try device.lendReplica { (replica) throws(Violation) in
                try inspector.finish(device.index, replica)
            }
        }
    }
}
