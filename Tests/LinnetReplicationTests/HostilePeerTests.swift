import LinnetCRDT
import LinnetMembership
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct HostilePeerTests {
    private let fleet = Fleet()

    private func ends(_ device: Device) -> [SessionEnd] {
        device.events.compactMap {
            if case .sessionClosed(_, _, let reason) = $0 { reason } else { nil }
        }
    }

    @Test func `another group's device is turned away without a word`() throws {
        let home = try fleet.group(["a"])
        let stranger = try fleet.device("stranger", seed: 50)
        try stranger.found(at: fleet.now)
        fleet.wire = []
        fleet.connect(stranger, home[0])
        #expect(ends(home[0]) == [.pskMismatch])
        #expect(fleet.wire.count == 24 + 24 + 2 + 48)
        #expect(!home[0].events.contains { if case .sessionOpened = $0 { true } else { false } })
    }

    @Test func `a flipped bit anywhere after the handshake ends the session and harms nothing`()
        throws
    {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        try devices[0].set("x", 1, .text("x"), at: fleet.now)
        for target in 0..<12 {
            var count = 0
            fleet.tamper = { device, bytes in
                guard device === devices[0] else { return bytes }
                count += 1
                guard count == target + 1 else { return bytes }
                var changed = bytes
                changed[changed.count - 1] ^= 1
                return changed
            }
            fleet.connect(devices[1], devices[0])
            fleet.disconnectAll()
        }
        fleet.tamper = nil
        fleet.connect(devices[1], devices[0])
        try expectConverged(devices)
    }

    @Test func `bytes that repeat, vanish or change order never corrupt a replica`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        for number in 0..<20 {
            try devices[number % 2].set("r\(number)", 1, .text("v"), at: fleet.now)
        }
        for step in 1..<25 {
            var count = 0
            fleet.tamper = { _, bytes in
                count += 1
                if count == step { return step.isMultiple(of: 3) ? nil : bytes + bytes }
                return bytes
            }
            fleet.connect(devices[step % 2], devices[1 - step % 2])
            fleet.disconnectAll()
        }
        fleet.tamper = nil
        fleet.connect(devices[0], devices[1])
        try expectConverged(devices)
    }

    @Test func `a question with the goodbye behind it in one read ends the session by the goodbye`()
        throws
    {
        let devices = try fleet.group(["a", "b"])
        let raw = try RawMember(devices[1], at: devices[0], in: fleet)
        try raw.greet()
        let question = MemberGetMessage(group: raw.log.group, wanted: [], held: [])
        try raw.queue(.memberGet, question.encode())
        raw.sayGoodbye()
        #expect(raw.end == .normal)
    }

    @Test func `a silent peer is closed after its time`() throws {
        let devices = try fleet.group(["a"])
        let link = LinkID(rawValue: 70)
        devices[0].perform(
            devices[0].replica?.handle(.linkOpened(link, .accepted), at: fleet.now) ?? [])
        let deadline = try #require(devices[0].nextDeadline)
        #expect(deadline - fleet.now.uptimeMilliseconds <= 2_000)
        fleet.advance(2_001)
        devices[0].perform(devices[0].replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        #expect(devices[0].closing == [link])
    }

    @Test func `an idle session is pinged and lives, and a dead one is closed`() throws {
        let devices = try fleet.group(["a", "b"])
        fleet.disconnectAll()
        fleet.connect(devices[0], devices[1])
        for _ in 0..<10 {
            fleet.advance(30_001)
            fleet.meetDeadlines(devices)
        }
        #expect(!ends(devices[0]).contains(.timeout))
        fleet.tamper = { _, _ in nil }
        for _ in 0..<5 {
            fleet.advance(30_001)
            fleet.meetDeadlines(devices)
        }
        #expect(ends(devices[0]).contains(.timeout))
    }
}
