import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// The inbox of late writes: batches that came here and count nowhere.
@Suite struct LateWritesTests {
    private let fleet = Fleet()

    /// Three devices that hold the same; b then takes late writes of c, and a removes c without
    /// them.
    private func sample(writes: Int = 2) throws -> [Device] {
        let devices = try fleet.trio()
        for number in 1...writes {
            try devices[2].set("late-\(number)", 1, .text("\(number)"), at: fleet.now)
        }
        fleet.connect(devices[1], devices[2])
        fleet.disconnectAll()
        let effects = try devices[0].replica?.remove(
            try deviceID(of: devices[2]), reason: .lost, with: [], at: fleet.now)
        devices[0].perform(effects ?? [])
        meet(devices)
        return devices
    }

    private func meet(_ devices: [Device]) {
        for _ in 0..<2 { fleet.connect(devices[0], devices[1]) }
        fleet.disconnectAll()
    }

    private func late(on device: Device, withDropped: Bool = false) throws -> [LateWrites] {
        try device.replica?.reading.lateWrites(withDropped: withDropped) ?? []
    }

    private func title(_ record: String, on device: Device) throws -> [Value]? {
        try device.replica?.reader.record(Device.medication, try #require(RecordID(record)))?
            .fields.first { $0.field == 1 }?.values
    }

    private func accept(_ choice: LateChoice, on device: Device) throws -> Int? {
        let result = try device.replica?.acceptLateWrites(choice, at: fleet.now)
        device.perform(result?.1 ?? [])
        fleet.run()
        return result?.0
    }

    @Test func `the inbox names the device, its batches, their changes, times and records`() throws
    {
        let devices = try sample()
        for device in devices.prefix(2) {
            let found = try late(on: device)
            let writes = try #require(found.first)
            #expect(found.count == 1)
            #expect(try writes.device == deviceID(of: devices[2]))
            #expect(writes.last == writes.first + 1)
            #expect(writes.operations == 2 && writes.unreadable == 0 && !writes.isDropped)
            #expect(writes.earliest?.milliseconds == fleet.now.wallMilliseconds)
            #expect(writes.records.map(\.record.description) == ["late-1", "late-2"])
            #expect(try device.replica?.reading.status().late == 2)
        }
        // The device that is out has none: it shows what it wrote.
        #expect(try late(on: devices[2]).isEmpty)
    }

    @Test func `what an admin accepts up to a number shows everywhere, and the rest does not`()
        throws
    {
        let devices = try sample(writes: 3)
        let first = try #require(try late(on: devices[0]).first)
        let device = try deviceID(of: devices[2])
        let count = try accept(LateChoice(device, through: first.first + 1), on: devices[0])
        #expect(count == 2)
        meet(devices)
        for device in devices.prefix(2) {
            #expect(try title("late-1", on: device) == [.text("1")])
            #expect(try title("late-2", on: device) == [.text("2")])
            #expect(try title("late-3", on: device) == nil)
            #expect(try late(on: device).map(\.first) == [first.first + 2])
        }
        #expect(try devices[0].digest() == devices[1].digest())
        let before = try devices[1].digest()
        try fleet.reopen(devices[1])
        #expect(try devices[1].digest() == before)
        #expect(try accept(LateChoice(device, through: .max), on: devices[0]) == 1)
        meet(devices)
        #expect(try title("late-3", on: devices[1]) == [.text("3")])
        #expect(try late(on: devices[1]).isEmpty)
        #expect(throws: ReplicaError.noLateWrites) {
            _ = try accept(LateChoice(device), on: devices[0])
        }
    }

    @Test func `what is dropped is listed no more, on this device, and can still be accepted`()
        throws
    {
        let devices = try sample()
        let device = try deviceID(of: devices[2])
        #expect(try devices[0].replica?.dropLateWrites(LateChoice(device)) == 2)
        #expect(try late(on: devices[0]).isEmpty)
        #expect(try devices[0].replica?.reading.status().late == 0)
        #expect(try late(on: devices[0], withDropped: true).map(\.isDropped) == [true])
        #expect(try late(on: devices[1]).count == 1)
        try fleet.reopen(devices[0])
        #expect(try late(on: devices[0]).isEmpty)
        #expect(throws: ReplicaError.noLateWrites) {
            _ = try devices[0].replica?.dropLateWrites(LateChoice(device))
        }
        #expect(try accept(LateChoice(device, through: .max), on: devices[0]) == 2)
        #expect(try title("late-2", on: devices[0]) == [.text("2")])
    }

    @Test func `a number means one chain, and one that is not there means nothing`() throws {
        let devices = try sample()
        let device = try deviceID(of: devices[2])
        let first = try #require(try late(on: devices[0]).first)
        #expect(throws: ReplicaError.noLateWrites) {
            _ = try accept(LateChoice(device, through: first.first - 1), on: devices[0])
        }
        #expect(throws: ReplicaError.noLateWrites) {
            _ = try accept(LateChoice(device, chain: "zz"), on: devices[0])
        }
        #expect(throws: ReplicaError.noLateWrites) {
            _ = try accept(LateChoice(try deviceID(of: devices[1])), on: devices[0])
        }
        #expect(try accept(LateChoice(device, chain: first.label), on: devices[0]) == 2)
    }

    @Test func `of a named batch that nobody has, all up to its number counts`() throws {
        let devices = try sample(writes: 3)
        let row = try #require(try devices[0].replica?.reading.lateChains().first)
        let head = BatchHead(
            incarnation: row.row.incarnation, scope: row.row.scope,
            sequence: row.late.lowerBound + 1, batch: BatchID(repeating: 7))
        let log = try #require(devices[0].replica?.group?.log)
        var entropy = Device.entropy(devices[0].seed)
        let keys = DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
        let extend = try log.makeExtend(
            of: try deviceID(of: devices[2]), heads: [head], keys: keys)
        let effects = try devices[0].replica?.publish([extend], at: fleet.now)
        devices[0].perform(effects ?? [])
        meet(devices)
        for device in devices.prefix(2) {
            #expect(try title("late-2", on: device) == [.text("2")])
            #expect(try title("late-3", on: device) == nil)
            #expect(try late(on: device).map(\.first) == [head.sequence + 1])
        }
    }

    @Test func `64 records of a chain are named`() throws {
        let devices = try sample(writes: LateWrites.mostRecords + 1)
        let writes = try #require(try late(on: devices[0]).first)
        #expect(writes.records.count == 64 && writes.hasMoreRecords)
        #expect(writes.operations == 65)
    }

    @Test func `what was dropped reads back, and bytes of another version are no empty list`()
        throws
    {
        var dropped = try DroppedBatches(kept: nil)
        let chain = ChainKey(scope: .zero, chain: .zero)
        #expect(dropped.last(in: chain) == 0)
        dropped.drop(chain, through: 7)
        dropped.drop(chain, through: 3)
        #expect(try DroppedBatches(kept: dropped.encoded).last(in: chain) == 7)
        #expect(throws: StorageError.self) { try DroppedBatches(kept: [0x80]) }
        dropped.keep { _ in false }
        #expect(dropped == DroppedBatches())
    }

    /// The number of changes of one device that the last write of another says that it saw, in the
    /// scope of both.
    private func seen(of other: DeviceID, by device: Device) throws -> UInt64? {
        guard let log = device.replica?.log else { return nil }
        let own = try deviceID(of: device)
        let rows = log.chains.rows.values
        let late = try #require(rows.first { $0.device == other && $0.stored > 1 })
        let row = try #require(rows.first { $0.device == own && $0.scope == late.scope })
        let stored = try log.store.heldBatch(of: row, at: row.stored)
        let seen = try #require(log.group?.body(of: stored, in: row)?.attributes)
        let heads = seen.dependencies.filter { $0.scope == late.scope }.flatMap(\.heads)
        return heads.first { seen.authors[$0.author] == late.author }?.seq
    }

    @Test func `no write says that it saw what was passed over`() throws {
        let devices = try sample()
        let removed = try deviceID(of: devices[2])
        try devices[0].set("aspirin", 1, .text("after"), at: fleet.now)
        let before = try seen(of: removed, by: devices[0]) ?? 0
        #expect(try accept(LateChoice(removed), on: devices[0]) == 2)
        try devices[0].set("aspirin", 1, .text("accepted"), at: fleet.now)
        #expect(try seen(of: removed, by: devices[0]) == before + 2)
    }
}
