import LinnetCRDT
import LinnetMedication
import LinnetReplication
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

extension Device {
    /// Folds what can be folded, in steps of some changes.
    @discardableResult
    func compact(
        _ fleet: Fleet, lapsing: Bool = false, operations: Int = 3
    ) throws -> (batches: Int, holdbacks: [CompactionHoldback]) {
        var (batches, holdbacks): (Int, [CompactionHoldback]) = (0, [])
        while true {
            guard
                let (step, effects) = try replica?.compact(
                    lapsedBefore: lapsing ? fleet.now.wallMilliseconds - 7_776_000_000 : .min,
                    operations: operations, at: fleet.now)
            else { throw Closed() }
            perform(effects)
            batches += step.batches
            holdbacks = step.holdbacks
            if step.isDone { return (batches, holdbacks) }
        }
    }

    /// The batches that are kept as they were written.
    func kept() throws -> Int { try replica?.logAndBase().log.count ?? -1 }
}

/// Batches that every device holds are folded, and nothing that anybody shows changes by it.
@Suite struct CompactionTests {
    /// Devices that hold the same, with a record that changed often.
    private func fleet(_ names: [String]) throws -> (Fleet, [Device]) {
        let fleet = Fleet()
        let devices = try fleet.group(names)
        for number in 1...12 {
            try devices[0].set("aspirin", 1, .text("Aspirin \(number)"), at: fleet.now)
            try devices[1].set("r\(number % 3)", 1, .text("of b, \(number)"), at: fleet.now)
            fleet.advance(10)
        }
        try devices[1].delete("r1", at: fleet.now)
        meet(fleet, devices)
        return (fleet, devices)
    }

    private func meet(_ fleet: Fleet, _ devices: [Device]) {
        for _ in 0..<2 {
            for one in devices.indices {
                for other in devices.indices where one < other {
                    fleet.connect(devices[one], devices[other])
                }
            }
            fleet.disconnectAll()
        }
    }

    @Test func `devices fold what all hold, and go on`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        let before = try devices[0].digest()
        for device in devices {
            let folded = try device.compact(fleet)
            #expect(folded.batches > 20)
            #expect(try device.kept() <= 4)
            #expect(try device.digest() == before)
            #expect(try device.compact(fleet).batches == 0)
        }
        try devices[0].set("r1", 1, .text("back"), at: fleet.now)
        try devices[1].set("aspirin", 1, .text("of b"), at: fleet.now)
        meet(fleet, devices)
        try expectConverged(devices)
        #expect(try devices[0].value("aspirin", 1) == .text("of b"))
        for device in devices { try fleet.reopen(device) }
        try expectConverged(devices)
    }

    @Test func `what shows is made anew from the base`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        try devices[0].compact(fleet)
        try devices[0].set("aspirin", 2, .text("acid"), at: fleet.now)
        let before = try devices[0].digest()
        // Another schema has all made anew at the next opening.
        fleet.schema = try Schema(
            version: 2,
            collections: Schema.demonstration.collections.filter { $0.id >= 1_000 }
                + [Collection(id: 3_000, name: "new", scope: "new", fields: [])])
        try fleet.reopen(devices[0])
        #expect(try devices[0].value("aspirin", 2) == .text("acid"))
        #expect(try devices[0].value("aspirin", 1) == .text("Aspirin 12"))
        #expect(try devices[0].exists("r1") == false)
        #expect(try devices[0].digest() == before)
    }

    @Test func `what shows of folded changes is told with its writer and time`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        let key = RecordKey(
            collection: Device.medication, record: try #require(RecordID("aspirin")))
        let before = try devices[0].replica?.reading.report(of: key, field: 1).winners.first
        try devices[0].compact(fleet)
        let report = try devices[0].replica?.reading.report(of: key, field: 1)
        #expect(report?.winners.map(\.position) == [before?.position].compactMap { $0 })
        #expect(report?.winners.first?.device == before?.device)
        #expect(report?.winners.first?.operation.payload == before?.operation.payload)
        #expect(report?.holders.map(\.holds) == [true, true])
        let history = try devices[0].replica?.reading.history(of: key, limit: 50)
        #expect(history?.count == 1)
        guard let records = devices[0].replica?.reader,
            let scope = devices[0].replica?.log.scope(of: key)
        else { throw Device.Closed() }
        // The batch of the one is kept at a floor; that of the other is gone.
        let gone = RecordKey(
            collection: Device.medication, record: try #require(RecordID("r0")))
        #expect(try FoldedOps(records: records).of(key, in: scope).isEmpty)
        #expect(try FoldedOps(records: records).of(gone, in: scope).map(\.fate) == [.shows])
    }

    @Test func `nothing is folded that a member may lack, and the member is named`() throws {
        let (fleet, devices) = try fleet(["a", "b", "c"])
        try devices[0].set("aspirin", 1, .text("later"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        let before = try devices[0].kept()
        let (batches, holdbacks) = try devices[0].compact(fleet)
        #expect(batches > 0)
        #expect(try devices[0].kept() == before - batches + devices[0].folded())
        let behind = try deviceID(of: devices[2])
        #expect(
            holdbacks.contains { if case .behind(behind, _) = $0 { true } else { false } })
        fleet.connect(devices[0], devices[2])
        fleet.disconnectAll()
        #expect(try devices[0].compact(fleet).batches == 1)
    }

    @Test func `what nobody else holds stays as it was written`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        try devices[0].compact(fleet)
        try devices[0].set("aspirin", 1, .text("mine alone"), at: fleet.now)
        #expect(try devices[0].compact(fleet, lapsing: true).batches == 0)
    }

    @Test func `a newcomer takes what batches came to`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        for device in devices { try device.compact(fleet) }
        let third = try fleet.device("c", seed: 9)
        try fleet.pair(member: devices[0], newcomer: third)
        meet(fleet, [devices[0], third])
        meet(fleet, devices + [third])
        try expectConverged(devices + [third])
        #expect(try third.value("aspirin", 1) == .text("Aspirin 12"))
        #expect(try third.exists("r1") == false)
        try third.set("aspirin", 1, .text("of c"), at: fleet.now)
        meet(fleet, devices + [third])
        try expectConverged(devices + [third])
        #expect(try third.kept() <= 7)
    }

    @Test func `who knew a scope takes no base of it, and is told`() throws {
        let (fleet, devices) = try fleet(["a", "b", "c"])
        let (first, away) = try ordered(devices)
        let others = devices.filter { $0 !== away }
        try away.set("r0", 1, .text("written away"), at: fleet.now)
        for number in 1...5 {
            try first.set("aspirin", 1, .text("meanwhile \(number)"), at: fleet.now)
            try first.set("new\(number)", 1, .text("n"), at: fleet.now)
        }
        fleet.advance(100 * 86_400_000)
        meet(fleet, others)
        for device in others { try device.compact(fleet, lapsing: true) }
        #expect(try first.kept() < 10)
        meet(fleet, [first, away])
        #expect(try first.value("r0", 1) == .text("written away"))
        #expect(try away.value("r0", 1) == .text("written away"))
        #expect(try away.value("aspirin", 1) == .text("Aspirin 12"))
        let giver = try deviceID(of: first)
        #expect(
            away.events.contains {
                if case .warning(.basesDiffer(giver)) = $0 { true } else { false }
            })
    }

    /// The device that never lapses, and another one.
    private func ordered(_ devices: [Device]) throws -> (first: Device, away: Device) {
        let sorted = try devices.sorted { try deviceID(of: $0) < deviceID(of: $1) }
        return (sorted[0], sorted[2])
    }

    @Test func `every kind of field merges with the base as with its batches`() throws {
        let fleet = try Fleet.ofThings()
        let devices = try fleet.group(["a", "b"])
        let (one, other) = (devices[0], devices[1])
        meet(fleet, devices)
        try one.change(
            [
                .count(field: 1, key: "k", amount: .int(40)), .add(field: 2, .text("red")),
                .add(field: 2, .text("blue")),
                .edit(field: 3, at: 0, deleting: 0, inserting: "tea and salt"),
                .set(FieldWrite(5, .int(7))),
            ], fleet)
        try one.log("taken", fleet)
        meet(fleet, devices)
        // Beside what is folded, and not knowing of it.
        try other.change(
            [
                .remove(field: 2, .text("red")),
                .edit(field: 3, at: 0, deleting: 4, inserting: ""),
                .set(FieldWrite(5, .int(9))),
            ], fleet)
        try one.compact(fleet)
        try one.change([.add(field: 2, .text("green"))], fleet)
        meet(fleet, devices)
        try expectConverged(devices)
        #expect(try one.shown(3) == .text("and salt"))
        #expect(try one.shown(5) == .int(9))
        try other.compact(fleet)
        for device in devices { try fleet.reopen(device) }
        try expectConverged(devices)
    }

    @Test func `another history below a floor is passed over, and told`() throws {
        let (fleet, devices) = try fleet(["a", "b"])
        let copy = try fleet.clone(devices[1], blind: true)
        try devices[1].set("r0", 1, .text("first life"), at: fleet.now)
        meet(fleet, devices)
        try devices[0].set("aspirin", 1, .text("after"), at: fleet.now)
        meet(fleet, devices)
        try devices[0].compact(fleet)
        try copy.set("r0", 1, .text("second life"), at: fleet.now)
        fleet.connect(devices[0], copy)
        fleet.disconnectAll()
        #expect(try devices[0].value("r0", 1) == .text("first life"))
        #expect(
            devices[0].events.contains {
                if case .warning(.historyPassedOver) = $0 { true } else { false }
            })
    }
}

extension Device {
    /// The chains of which the batch at the floor stays.
    fileprivate func folded() throws -> Int {
        replica?.log.chainRows().count { $0.floor > 0 } ?? 0
    }
}
