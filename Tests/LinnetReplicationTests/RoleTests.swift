import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

/// Roles that devices are given, and votes by hand.
@Suite struct RoleTests {
    private let fleet = Fleet()

    private func meet(_ devices: [Device]) {
        for _ in 0..<2 {
            for device in devices.dropFirst() { fleet.connect(devices[0], device) }
            fleet.disconnectAll()
        }
    }

    private func give(_ role: Role, to target: Device, by author: Device) throws {
        let device = try deviceID(of: target)
        let effects = try author.replica?.setRole(role, of: device, at: fleet.now)
        author.perform(effects ?? [])
        fleet.run()
    }

    private func vote(_ isFor: Bool, on record: MemberRecordID, by device: Device) throws {
        let effects = try device.replica?.vote(on: record, isFor: isFor, at: fleet.now)
        device.perform(effects ?? [])
        fleet.run()
    }

    private func title(_ record: String, on device: Device) throws -> [Value]? {
        try device.replica?.reader.record(Device.medication, try #require(RecordID(record)))?
            .fields.first { $0.field == 1 }?.values
    }

    @Test func `a reader reads on and writes nothing, and becomes a member again`() throws {
        let devices = try fleet.trio()
        let device = try deviceID(of: devices[2])
        let plan = try devices[0].replica?.rolePlan(of: device, role: .reader)
        #expect(plan?.before == .admin && plan?.unheard.count == 2)
        try give(.reader, to: devices[2], by: devices[0])
        meet(devices)
        #expect(throws: ReplicaError.mayNotWrite) {
            try devices[2].set("aspirin", 1, .text("mine"), at: fleet.now)
        }
        try devices[0].set("ibuprofen", 1, .text("new"), at: fleet.now)
        meet(devices)
        #expect(try title("ibuprofen", on: devices[2]) == [.text("new")])
        #expect(try title("aspirin", on: devices[1]) == [.text("Aspirin")])
        for device in devices {
            #expect(try device.digest() == devices[0].digest())
            try fleet.reopen(device)
        }
        try give(.member, to: devices[2], by: devices[0])
        meet(devices)
        try devices[2].set("aspirin", 1, .text("mine"), at: fleet.now)
        meet(devices)
        #expect(try title("aspirin", on: devices[1]) == [.text("mine")])
    }

    @Test func `what a reader wrote before it heard of its role waits in the inbox, its own too`()
        throws
    {
        let devices = try fleet.trio()
        try give(.reader, to: devices[2], by: devices[0])
        try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        #expect(try title("aspirin", on: devices[2]) == [.text("late")])
        meet(devices)
        for device in devices {
            #expect(try title("aspirin", on: device) == [.text("Aspirin")])
            #expect(try device.replica?.reading.lateWrites().map(\.operations) == [1])
            #expect(try device.digest() == devices[0].digest())
        }
        let choice = LateChoice(try deviceID(of: devices[2]))
        #expect(throws: ReplicaError.membership(.notEntitled)) {
            _ = try devices[2].replica?.acceptLateWrites(choice, at: fleet.now)
        }
        let accepted = try devices[0].replica?.acceptLateWrites(choice, at: fleet.now)
        devices[0].perform(accepted?.1 ?? [])
        meet(devices)
        for device in devices {
            #expect(try title("aspirin", on: device) == [.text("late")])
            #expect(try device.replica?.reading.lateWrites().isEmpty == true)
        }
    }

    @Test func `a device that becomes a relay passes on what it cannot read`() throws {
        let devices = try fleet.trio()
        try give(.relay, to: devices[1], by: devices[0])
        meet(devices)
        try devices[0].set("aspirin", 1, .text("secret"), at: fleet.now)
        for _ in 0..<3 {
            fleet.connect(devices[1], devices[0], .dialledMember(try deviceID(of: devices[0])))
            fleet.disconnectAll()
        }
        #expect(try title("aspirin", on: devices[1]) == [.text("Aspirin")])
        meet([devices[1], devices[2]])
        #expect(try title("aspirin", on: devices[2]) == [.text("secret")])
        #expect(throws: ReplicaError.mayNotWrite) {
            try devices[1].set("aspirin", 1, .text("mine"), at: fleet.now)
        }
    }

    @Test func `the last admin keeps its role, and a role that is held changes nothing`() throws {
        let devices = try fleet.trio()
        for device in devices.dropFirst() { try give(.member, to: device, by: devices[0]) }
        #expect(throws: ReplicaError.membership(.lastAdmin)) {
            try give(.reader, to: devices[0], by: devices[0])
        }
        let before = devices[0].replica?.group?.log.records.count
        try give(.member, to: devices[1], by: devices[0])
        #expect(devices[0].replica?.group?.log.records.count == before)
        meet(devices)
        #expect(throws: ReplicaError.membership(.notEntitled)) {
            try give(.admin, to: devices[1], by: devices[1])
        }
    }

    @Test func `votes by hand undo a removal, and what the device wrote counts again`() throws {
        let devices = try fleet.trio()
        try devices[2].set("aspirin", 1, .text("late"), at: fleet.now)
        fleet.connect(devices[1], devices[2])
        fleet.disconnectAll()
        let effects = try devices[0].replica?.remove(
            try deviceID(of: devices[1]), reason: .lost, with: [], at: fleet.now)
        devices[0].perform(effects ?? [])
        let removal = try #require(devices[0].replica?.reading.removals().first)
        #expect(removal.silent == [try deviceID(of: devices[2])])
        // It heard of the removal, voted for it at once, and changes its mind.
        meet([devices[0], devices[2]])
        #expect(devices[2].replica?.reading.removals().first?.silent.isEmpty == true)
        try vote(false, on: removal.id, by: devices[2])
        let held = devices[2].replica?.group?.log.records.count
        try vote(false, on: removal.id, by: devices[2])
        #expect(devices[2].replica?.group?.log.records.count == held)
        meet([devices[0], devices[2]])
        let told = try #require(devices[0].replica?.reading.removals().first)
        #expect(told.yes.count == 1 && told.no.count == 1)
        // One for and one against: the senior one decides, until that one changes its mind.
        #expect(told.stands)
        try vote(false, on: removal.id, by: devices[0])
        meet(devices)
        for device in devices {
            #expect(device.replica?.reading.removals().first?.stands == false)
            #expect(device.replica?.group?.log.state.members.count == 3)
        }
        #expect(throws: ReplicaError.self) { try vote(true, on: .zero, by: devices[0]) }
    }
}
