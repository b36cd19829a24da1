import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that are taken out of their group, or leave it.
@Suite struct RemovalTests {
    private let fleet = Fleet()

    private func remove(_ target: Device, by author: Device) throws {
        let effects = try author.replica?.remove(
            try deviceID(of: target), reason: .lost, with: [], at: fleet.now)
        author.perform(effects ?? [])
        fleet.run()
    }

    private func title(_ record: String, on device: Device) throws -> [Value]? {
        try device.replica?.reader.record(Device.medication, try #require(RecordID(record)))?
            .fields.first { $0.field == 1 }?.values
    }

    private func members(_ device: Device) -> Int? {
        device.replica?.group?.log.state.members.count
    }

    @Test func `a removed device learns of it at once, writes nothing and keeps what it has`()
        throws
    {
        let devices = try fleet.trio()
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[0], devices[2])
        try remove(devices[2], by: devices[0])
        for device in devices { #expect(members(device) == 2) }
        let author = try deviceID(of: devices[0])
        #expect(throws: ReplicaError.removed(by: author)) {
            try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        }
        #expect(try title("aspirin", on: devices[2]) == [.text("Aspirin")])
        let own = devices[2].replica?.reading.ownRemoval()
        #expect(own?.author == author)
        let announced = devices[2].replica?.reading.discoveryKeys().count
        #expect(announced == 0)
        let removals = devices[0].replica?.reading.removals() ?? []
        #expect(removals.map(\.unheard) == [[]])
        // A later write does not reach it, and it has no key for that.
        fleet.disconnectAll()
        try devices[0].set("aspirin", 1, .text("New"), at: fleet.now)
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[0], devices[2])
        fleet.connect(devices[2], devices[1])
        #expect(try title("aspirin", on: devices[1]) == [.text("New")])
        #expect(try title("aspirin", on: devices[2]) == [.text("Aspirin")])
        let epoch = devices[0].replica?.group?.log.state.currentEpoch?.id
        let current = try #require(epoch)
        let keys = devices[2].replica?.group?.ring.keys(of: current)
        #expect(keys == nil)
        for device in devices {
            try fleet.reopen(device)
            #expect(members(device) == 2)
        }
    }

    @Test func `a device that comes back hears that it is out, and its late writes show nowhere`()
        throws
    {
        let devices = try fleet.trio()
        try remove(devices[2], by: devices[0])
        fleet.connect(devices[0], devices[1])
        try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        #expect(try title("aspirin", on: devices[2]) == [.text("late")])
        for _ in 0..<4 where members(devices[2]) == 3 {
            fleet.connect(devices[2], devices[0], .dialledMember(try deviceID(of: devices[0])))
            fleet.disconnectAll()
        }
        #expect(members(devices[2]) == 2)
        for device in devices.prefix(2) {
            #expect(try title("aspirin", on: device) == [.text("Aspirin")])
        }
        // It shows what it has, and with others it waits for a person.
        #expect(try title("aspirin", on: devices[2]) == [.text("late")])
        fleet.connect(devices[0], devices[1])
        #expect(try devices[0].digest() == devices[1].digest())
    }

    @Test func `late writes that another device has already taken count nowhere in the end`() throws
    {
        let devices = try fleet.trio()
        // b hears the late write before it hears of the removal.
        try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        fleet.connect(devices[1], devices[2])
        fleet.disconnectAll()
        #expect(try title("aspirin", on: devices[1]) == [.text("late")])
        try devices[1].set("ibuprofen", 1, .text("built on it"), at: fleet.now)
        try remove(devices[2], by: devices[0])
        for _ in 0..<2 { fleet.connect(devices[0], devices[1]) }
        for device in devices.prefix(2) {
            #expect(try title("aspirin", on: device) == [.text("Aspirin")])
            #expect(try title("ibuprofen", on: device) == [.text("built on it")])
            let counted = device.replica?.group?.counted
            #expect(counted != CountedChains())
        }
        #expect(try devices[0].digest() == devices[1].digest())
        let before = try devices[1].digest()
        try fleet.reopen(devices[1])
        #expect(try devices[1].digest() == before)
        #expect(try title("aspirin", on: devices[1]) == [.text("Aspirin")])
    }

    @Test func `a device leaves, and the others go on under new keys`() throws {
        let devices = try fleet.trio()
        fleet.connect(devices[0], devices[1])
        fleet.connect(devices[0], devices[2])
        let effects = try devices[2].replica?.leave(at: fleet.now)
        devices[2].perform(effects ?? [])
        fleet.run()
        for _ in 0..<3 {
            fleet.advance(30_000)
            fleet.meetDeadlines(devices)
            fleet.connect(devices[0], devices[1])
        }
        #expect(throws: ReplicaError.removed(by: nil)) {
            try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        }
        for device in devices.prefix(2) {
            guard let group = device.replica?.group else { throw Device.Closed() }
            #expect(group.log.state.members.count == 2)
            #expect(group.ring.current(in: group.log) != nil)
            #expect(Duties(group.log).openLeavers.elements.isEmpty)
        }
        let removals = devices[0].replica?.reading.removals() ?? []
        #expect(removals.count >= 2 && removals.allSatisfy(\.stands))
    }
}
