import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetWire
import Testing

/// How long a session may take, be silent and last, and how wrong a clock may be unsaid.
@Suite struct SessionLimitsTests {
    private let fleet = Fleet()

    private func met() throws -> (host: Device, peer: RawMember) {
        let devices = try fleet.group(["a", "b"])
        let peer = try RawMember(devices[1], at: devices[0], in: fleet)
        return (devices[0], peer)
    }

    /// Lets time pass, and whatever falls due then happen.
    private func pass(_ milliseconds: Int64, _ device: Device, _ peer: RawMember) {
        fleet.advance(milliseconds)
        device.perform(device.replica?.handle(.deadlineReached, at: fleet.now) ?? [])
        peer.exchange()
    }

    @Test func `who does not prove its membership in time is sent away`() throws {
        let (host, peer) = try met()
        pass(Limits.authorisationMilliseconds - 1, host, peer)
        #expect(peer.end == nil)
        pass(1, host, peer)
        #expect(peer.end == .unknownPeer)
    }

    @Test func `silence is followed by a ping, and long silence by the end`() throws {
        let (host, peer) = try met()
        try peer.greet()
        let pings = { peer.heard.count { $0.type == .ping } }
        pass(Limits.pingMilliseconds - 1, host, peer)
        #expect(pings() == 0)
        pass(1, host, peer)
        #expect(pings() == 1)
        pass(Limits.idleCloseMilliseconds - Limits.pingMilliseconds - 1, host, peer)
        #expect(peer.end == nil)
        pass(1, host, peer)
        #expect(peer.end == .timeout)
    }

    @Test func `a session ends after its day, however lively it is`() throws {
        let (host, peer) = try met()
        try peer.greet()
        let step: Int64 = 100_000
        for _ in 0..<Limits.sessionLifetimeMilliseconds / step - 1 {
            pass(step, host, peer)
            try peer.say(.ping, [0x48] + [UInt8](repeating: 0, count: 8))
        }
        pass(step - 1, host, peer)
        #expect(peer.end == nil)
        pass(1, host, peer)
        #expect(peer.end == .normal)
    }

    @Test func `clocks may differ by the limit, and are spoken of when they differ by more`() throws
    {
        let devices = try fleet.group(["a", "b"])
        for (ahead, isTold) in [
            (Limits.clockSkewMilliseconds, false), (Limits.clockSkewMilliseconds + 1, true),
            (-Limits.clockSkewMilliseconds, false), (-Limits.clockSkewMilliseconds - 1, true),
        ] {
            fleet.disconnectAll()
            devices[0].events = []
            fleet.ahead["b"] = ahead
            fleet.connect(devices[0], devices[1])
            let told = devices[0].events.contains {
                if case .warning(.clockSkew) = $0 { true } else { false }
            }
            #expect(told == isTold, "\(ahead)")
            let facts = try devices[0].replica?.warningFacts(at: fleet.now) ?? []
            #expect(facts.isEmpty != isTold, "\(ahead)")
        }
    }

    @Test func `a person has so long to let a newcomer in`() throws {
        let member = try fleet.group(["a"])[0]
        let newcomer = try fleet.device("b", seed: 2)
        let offer = try member.offer(at: fleet.now)
        fleet.connect(newcomer, member, .dialledToPair(.code(try #require(offer.code))))
        func hasFailed(_ device: Device) -> Bool {
            device.events.contains { if case .pairingFailed = $0 { true } else { false } }
        }
        fleet.advance(Limits.pairingConfirmMilliseconds - 1)
        fleet.meetDeadlines([member, newcomer])
        #expect(!hasFailed(member) && !hasFailed(newcomer))
        fleet.advance(1)
        fleet.meetDeadlines([member, newcomer])
        #expect(hasFailed(member) && hasFailed(newcomer) && !newcomer.isMember)
    }

    @Test func `an intent may be as long as the limit, and one byte more is refused`() throws {
        let device = try fleet.group(["a"])[0]
        let intent = [UInt8](repeating: 7, count: Limits.intentBytes)
        try device.set("x", 1, .text("once"), at: fleet.now, intent: intent)
        for bad in [intent + [7], []] {
            #expect(throws: ReplicaError.badIntent) {
                try device.set("x", 1, .text("never"), at: fleet.now, intent: bad)
            }
        }
        #expect(try device.value("x", 1) == .text("once"))
    }
}
