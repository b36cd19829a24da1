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
}
