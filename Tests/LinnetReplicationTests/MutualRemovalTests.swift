import LinnetCRDT
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

/// Devices that take each other for one that is out.
@Suite struct MutualRemovalTests {
    private let fleet = Fleet()

    private func remove(_ target: Device, by author: Device) throws {
        let effects = try author.replica?.remove(
            try deviceID(of: target), reason: .lost, with: [], at: fleet.now)
        author.perform(effects ?? [])
        fleet.run()
    }

    private func isMember(_ device: Device) throws -> Bool? {
        let own = try deviceID(of: device)
        return device.replica?.group?.log.state.member(own) != nil
    }

    @Test func `two that removed each other hear which of them is out when one dials the other`()
        throws
    {
        let devices = try fleet.group(["a", "b"])
        fleet.connect(devices[0], devices[1])
        fleet.disconnectAll()
        try remove(devices[1], by: devices[0])
        try remove(devices[0], by: devices[1])
        for device in devices { #expect(try isMember(device) == true) }
        fleet.connect(devices[1], devices[0], .dialledMember(try deviceID(of: devices[0])))
        fleet.disconnectAll()
        #expect(try isMember(devices[0]) == true)
        #expect(try isMember(devices[1]) == false)
    }

    @Test func `a device that is greeted though it is out hears what brings it back`() throws {
        let devices = try fleet.group(["a", "b", "c"])
        for device in devices.dropFirst() { fleet.connect(device, devices[0]) }
        fleet.disconnectAll()
        try remove(devices[2], by: devices[1])
        let removal = try #require(devices[1].replica?.reading.removals().first?.id)
        for device in [devices[0], devices[2]] {
            for _ in 0..<2 {
                fleet.connect(device, devices[1], .dialledMember(try deviceID(of: devices[1])))
            }
            fleet.disconnectAll()
        }
        #expect(try isMember(devices[2]) == false)
        // The founder, whose word decides, thinks otherwise, and knows all that the other one does.
        let effects = try devices[0].replica?.vote(on: removal, isFor: false, at: fleet.now)
        devices[0].perform(effects ?? [])
        #expect(try isMember(devices[0]) == true)
        // The person is told that it turned, also after another opening, until she knows.
        let told = Warning.overruled(
            try deviceID(of: devices[2]), by: try deviceID(of: devices[1]), isRole: false)
        #expect(devices[0].events.contains(.warning(told)))
        try fleet.reopen(devices[0])
        #expect(try devices[0].replica?.warningFacts(at: fleet.now).map(\.warning) == [told])
        try devices[0].replica?.acknowledgeNotices()
        #expect(try devices[0].replica?.warningFacts(at: fleet.now).isEmpty == true)
        devices[2].events = []
        fleet.connect(devices[2], devices[0], .dialledMember(try deviceID(of: devices[0])))
        fleet.disconnectAll()
        #expect(try isMember(devices[2]) == true)
        let ends = devices[2].events.compactMap { event -> SessionEnd? in
            if case .sessionClosed(_, _, let reason) = event { reason } else { nil }
        }
        #expect(ends == [.normal])
        // The link that is opened anew carries batches.
        try devices[2].set("aspirin", 1, .text("back"), at: fleet.now)
        fleet.connect(devices[2], devices[0], .dialledMember(try deviceID(of: devices[0])))
        #expect(try devices[0].value("aspirin", 1) == .text("back"))
    }
}
