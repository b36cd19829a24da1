import Foundation
import LinnetCRDT
import LinnetReplication
import LinnetWire
import Testing

/// A link that leads from a device back to itself, and one that leads to its copy.
@Suite struct OwnLinkTests {
    private let fleet = Fleet()

    private func ends(_ device: Device) -> [SessionEnd] {
        device.events.compactMap {
            if case .sessionClosed(_, _, let reason) = $0 { reason } else { nil }
        }
    }

    private func rotations(_ device: Device) -> Int {
        device.events.count {
            if case .warning(.incarnationRotated) = $0 { true } else { false }
        }
    }

    @Test(arguments: [Int.max, 7])
    func `a device that reaches itself closes both ends and stays who it is`(_ piece: Int) throws {
        let device = try fleet.group(["a"])[0]
        try device.set("x", 1, .text("one"), at: fleet.now)
        let before = device.incarnation
        device.events = []
        fleet.pieceBytes = piece
        fleet.connect(device, device)
        #expect(ends(device) == [.itself, .itself])
        #expect(rotations(device) == 0)
        #expect(device.incarnation == before)
        #expect(device.events.allSatisfy { if case .sessionOpened = $0 { false } else { true } })
        // Nothing of it is left.
        fleet.connect(device, device)
        #expect(ends(device).count == 4)
    }

    @Test func `a device that reaches itself beside others goes on with them`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        fleet.connect(devices[1], devices[0])
        devices[0].events = []
        fleet.connect(devices[0], devices[0])
        #expect(ends(devices[0]) == [.itself, .itself])
        try devices[1].set("x", 1, .text("one"), at: fleet.now)
        fleet.run()
        #expect(try devices[0].value("x", 1) == .text("one"))
    }

    @Test func `a copy of the home under the same incarnation is no such link`() throws {
        let device = try fleet.group(["a"])[0]
        try device.close()
        let copy = try Device("a", seed: 1)
        try FileManager.default.copyItem(atPath: device.path, toPath: copy.path)
        let mark = try #require(device.mark)
        try device.open(at: fleet.now, witness: .intact(mark))
        try copy.open(at: fleet.now, entropySeed: 77, witness: .intact(mark))
        #expect(copy.incarnation == device.incarnation)
        device.events = []
        fleet.connect(copy, device)
        #expect(!ends(device).contains(.itself) && !ends(copy).contains(.itself))
        #expect(rotations(device) + rotations(copy) > 0)
        #expect(copy.incarnation != device.incarnation)
    }
}
