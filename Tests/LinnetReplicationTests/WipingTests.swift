import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Removed devices that are asked to destroy themselves, and receipts for removals.
@Suite struct WipingTests {
    private let fleet = Fleet()

    private func remove(_ target: Device, by author: Device, wiping: Bool = false) throws {
        let effects = try author.replica?.remove(
            try deviceID(of: target), reason: .lost, with: [], wiping: wiping, at: fleet.now)
        author.perform(effects ?? [])
        fleet.run()
    }

    private func meet(_ device: Device, _ member: Device) throws {
        fleet.connect(device, member, .dialledMember(try deviceID(of: member)))
        fleet.disconnectAll()
    }

    private func wasAsked(_ device: Device) -> Bool {
        device.events.contains { if case .wipeAsked = $0 { true } else { false } }
    }

    @Test func `a device that comes back hears that it is to destroy itself, and says so`() throws {
        let devices = try fleet.trio()
        for device in devices { device.replica?.obeysWipes = true }
        try remove(devices[2], by: devices[0], wiping: true)
        // The one that knows the older keys dials.
        fleet.connect(devices[1], devices[0])
        fleet.disconnectAll()
        #expect(!wasAsked(devices[2]))
        for _ in 0..<4 where !wasAsked(devices[2]) { try meet(devices[2], devices[1]) }
        #expect(wasAsked(devices[2]))
        #expect(!wasAsked(devices[0]) && !wasAsked(devices[1]))
        let own = devices[2].replica?.reading.ownWipe()
        let author = try deviceID(of: devices[0])
        #expect(own?.author == author && own?.obeyed != nil)
        // The member that it met heard that it obeys, and tells the others.
        fleet.connect(devices[1], devices[0])
        for device in devices.prefix(2) {
            let wipes = device.replica?.reading.wipes() ?? []
            #expect(wipes.map(\.isGood) == [true] && wipes.allSatisfy { $0.obeyed != nil })
        }
    }

    @Test func `a device that does not obey says nothing and is asked for nothing`() throws {
        let devices = try fleet.trio()
        try remove(devices[2], by: devices[0], wiping: true)
        for _ in 0..<4 { try meet(devices[2], devices[0]) }
        #expect(devices[2].replica?.reading.ownRemoval() != nil)
        #expect(!wasAsked(devices[2]))
        #expect(devices[0].replica?.reading.wipes().map(\.obeyed) == [nil])
    }

    @Test func `a request comes later than its removal, and only for a device that is out`() throws
    {
        let devices = try fleet.trio()
        devices[2].replica?.obeysWipes = true
        let target = try deviceID(of: devices[2])
        #expect(throws: ReplicaError.membership(.notEntitled)) {
            _ = try devices[0].replica?.askWipe(of: target, at: fleet.now)
        }
        try remove(devices[2], by: devices[0])
        for _ in 0..<4 { try meet(devices[2], devices[0]) }
        #expect(!wasAsked(devices[2]))
        devices[0].perform(try devices[0].replica?.askWipe(of: target, at: fleet.now) ?? [])
        fleet.run()
        for _ in 0..<4 where !wasAsked(devices[2]) { try meet(devices[2], devices[0]) }
        #expect(wasAsked(devices[2]))
        // A device that is out asks nobody.
        #expect(throws: ReplicaError.self) {
            _ = try devices[2].replica?.askWipe(of: deviceID(of: devices[0]), at: fleet.now)
        }
    }

    @Test func `a reader, which does not vote, signs a receipt for a removal`() throws {
        let devices = try fleet.trio()
        let reader = try deviceID(of: devices[1])
        devices[0].perform(
            try devices[0].replica?.setRole(.reader, of: reader, at: fleet.now) ?? [])
        fleet.run()
        for device in devices.dropFirst() { fleet.connect(devices[0], device) }
        fleet.disconnectAll()
        try remove(devices[2], by: devices[0])
        #expect(devices[0].replica?.reading.removals().map(\.unheard) == [[reader]])
        for _ in 0..<2 {
            fleet.connect(devices[0], devices[1])
            fleet.disconnectAll()
        }
        let removal = try #require(devices[0].replica?.reading.removals().first)
        let author = try deviceID(of: devices[0])
        #expect(removal.unheard.isEmpty && removal.yes == [author])
        let evidence = try #require(removal.holders.first { $0.device == reader }?.record)
        let record = try #require(devices[0].replica?.group?.log.record(evidence))
        #expect(record.author == reader && ReceiptPayload(record)?.record == removal.id)
    }
}
