import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct PairingDeskTests {
    private func session(_ link: UInt64, _ bench: Workbench) -> Session {
        var entropy = Device.entropy(80)
        return Session(
            link: LinkID(rawValue: link), origin: .accepted,
            channel: ChannelMachine(
                role: .responder(accepting: [.pairCode]), staticKey: bench.keys.noise.copy(),
                nonce: entropy.bytes(Preface.nonceBytes), ephemeral: entropy.secret(32),
                at: bench.now, pairingVersions: nil),
            now: bench.now.uptimeMilliseconds)
    }

    private func offering(_ bench: Workbench) throws -> PairingDesk {
        var desk = PairingDesk(counters: PairingCounters())
        var entropy = Device.entropy(81)
        _ = try desk.show(
            [], device: bench.author.device, liftingLock: false, at: bench.now, &entropy,
            &bench.turn)
        return desk
    }

    @Test func `one link pairs at a time`() throws {
        let bench = try Workbench()
        var desk = try offering(bench)
        let (first, second) = (LinkID(rawValue: 1), LinkID(rawValue: 2))
        let taken = [first, first, second].map { desk.take($0) }
        #expect(taken == [true, true, false])
        desk.release(second)
        let again = desk.take(second)
        desk.release(first)
        let freed = desk.take(second)
        #expect(!again && freed)
    }

    @Test func `a try is counted on disk before it is answered`() throws {
        let bench = try Workbench()
        var desk = try offering(bench)
        #expect(!bench.turn.store.isInTransaction)
        try desk.takeTry(at: bench.now, &bench.turn)
        #expect(desk.triesLeft == 2 && bench.turn.store.isInTransaction)
        #expect(try bench.turn.store.value(.pairingCounters) == desk.counters.encode())
    }

    @Test func `without an offer nobody may try`() throws {
        let bench = try Workbench()
        var desk = PairingDesk(counters: PairingCounters())
        #expect(throws: SessionFault.self) { try desk.takeTry(at: bench.now, &bench.turn) }
        #expect(throws: SessionFault.self) {
            try desk.ticketKey(for: session(1, bench), at: bench.now)
        }
    }

    @Test func `a message at the wrong time is a violation`() throws {
        let bench = try Workbench()
        var desk = try offering(bench)
        let session = session(1, bench)
        let state = PairingState(
            HandshakingState(), handshakeHash: [], remoteStatic: [], expected: nil, deadline: 0)
        let own = OwnSide(name: "one", kind: "other", group: nil, sealsByScope: false)
        #expect(throws: SessionFault.violation) {
            _ = try desk.receive(
                .pairWelcome, [], state, session, as: own, bench.keys, at: bench.now,
                &bench.turn)
        }
    }

    @Test func `a person who says no ends the offer`() throws {
        let bench = try Workbench()
        var desk = try offering(bench)
        let session = session(1, bench)
        let hello = try PairHello(
            certificate: bench.keys.certificate, name: "two", kind: "phone", group: nil)
        let state = PairingState(
            HandshakingState(), handshakeHash: [], remoteStatic: [], expected: nil, deadline: 0)
        session.state = .pairing(state.stepping(to: .deciding(hello)))
        #expect(throws: SessionFault.end(.denied, code: .denied)) {
            _ = try desk.decide(
                session, accept: false, as: RoleGrant(.member), sealsByScope: false, at: bench.now,
                &bench.turn)
        }
        #expect(desk.offer == nil)
        #expect(
            bench.turn.speak(sends: []) == [
                .notify(.pairingFailed(session.link, .denied, triesLeft: nil))
            ])
    }

    @Test func `an end while the other side waits is told as an interruption`() throws {
        let bench = try Workbench()
        var desk = try offering(bench)
        let session = session(1, bench)
        session.state = .pairing(
            PairingState(
                HandshakingState(), handshakeHash: [], remoteStatic: [], expected: nil,
                deadline: 0))
        _ = desk.take(session.link)
        desk.ended(session, .truncated, &bench.turn)
        #expect(desk.link == nil)
        #expect(
            bench.turn.speak(sends: []) == [
                .notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            ])
    }
}
