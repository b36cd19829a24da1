import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetReplication

/// Two groups of one person: `here` stays, and what `there` wrote comes to it.
struct TwoGroups {
    let fleet: Fleet
    let here: [Device]
    let there: [Device]

    init(_ fleet: Fleet, here: [String] = ["a", "b"], there: [String] = ["x", "y"]) throws {
        self.fleet = fleet
        self.here = try fleet.group(here)
        var others: [Device] = []
        for (index, name) in there.enumerated() {
            let device = try fleet.device(name, seed: UInt8(40 + index))
            if let founder = others.first {
                try fleet.pair(member: founder, newcomer: device)
            } else {
                try device.found(at: fleet.now)
            }
            others.append(device)
        }
        self.there = others
        fleet.disconnectAll()
        fleet.advance(1_000)
    }

    /// Brings all that a device shows to one of this group.
    @discardableResult
    func merge(
        _ source: Device, into target: Device, bytes: Int = 4_096
    ) throws -> MergeCounts {
        guard let group = try target.replica?.ownGroup() else { throw Device.Closed() }
        var counts = MergeCounts()
        guard var reading = try source.mergeSource(to: group) else { throw Device.Closed() }
        while true {
            let batches = try source.next(of: &reading, bytes: bytes)
            if batches.isEmpty { return counts }
            counts = counts + (try target.bring(batches, at: fleet.now))
            fleet.advance(10)
        }
    }

    /// Lets the devices of a group meet until nothing is new.
    func meet(_ devices: [Device]) throws {
        for _ in 0..<2 {
            for index in devices.indices.dropLast() {
                try fleet.meet(devices[index], devices[index + 1])
            }
        }
    }

    /// Has all that a device shows made anew from its batches.
    func showAnew(_ device: Device) {
        device.replica?.chains.isStale = true
        device.replica?.chains.isShowingDue = true
        device.perform(device.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
    }
}

extension Device {
    func mergeSource(to group: GroupID) throws -> MergeSource? {
        switch replica {
        case .some(let replica): return try MergeSource(replica, to: group)
        case .none: return nil
        }
    }

    func next(of source: inout MergeSource, bytes: Int) throws -> [BroughtBatch] {
        switch replica {
        case .some(let replica): return try source.next(of: replica, bytes: bytes)
        case .none: return []
        }
    }

    @discardableResult
    func bring(_ batches: [BroughtBatch], at now: Moment) throws -> MergeCounts {
        guard let (counts, effects) = try replica?.bring(batches, at: now) else { throw Closed() }
        perform(effects)
        return counts
    }

    /// The batches that a device would bring.
    func brought(to target: Device) throws -> [BroughtBatch] {
        guard let group = try target.replica?.ownGroup(),
            var source = try mergeSource(to: group)
        else { throw Closed() }
        var all: [BroughtBatch] = []
        while true {
            let batches = try next(of: &source, bytes: 1 << 20)
            if batches.isEmpty { return all }
            all += batches
        }
    }
}
