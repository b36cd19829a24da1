import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire
import Testing

@testable import LinnetReplication

@Suite struct SessionsTests {
    private func session(_ link: UInt64, _ bench: Workbench) -> Session {
        var entropy = Device.entropy(80)
        return Session(
            link: LinkID(rawValue: link), origin: .accepted,
            channel: ChannelMachine(
                role: .responder(accepting: [.member]), staticKey: bench.keys.noise.copy(),
                nonce: entropy.bytes(Preface.nonceBytes), ephemeral: entropy.secret(32),
                at: bench.now, pairingVersions: nil),
            now: bench.now.uptimeMilliseconds)
    }

    private func open(
        _ session: Session, with device: UInt8, holding held: [(ChainKey, UInt64)] = []
    ) {
        let state = OpenState(
            AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 0),
            device: DeviceID(repeating: device), now: 0)
        state.heardHave = true
        for (key, seq) in held {
            state.peer[key] = ListedHead(chain: key.chain, seq: seq, prefix: .zero)
        }
        session.talk = state
        session.state = .open(state)
    }

    @Test func `only sessions that are open tell what a peer holds`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.writer)
        row.stored = 4
        var sessions = Sessions()
        let (first, second) = (session(1, bench), session(2, bench))
        sessions.add(first)
        sessions.add(second)
        #expect(sessions.open.isEmpty && sessions.all.count == 2)
        open(second, with: 7, holding: [(row.key, 4)])
        #expect(sessions.open.count == 1)
        #expect(sessions.informed(of: DeviceID(repeating: 7)) != nil)
        #expect(sessions.list(row.key, beyond: 3) && !sessions.list(row.key, beyond: 4))
        #expect(sessions.hold([row], butFor: bench.author.device))
        #expect(!sessions.hold([row], butFor: DeviceID(repeating: 7)))
    }

    @Test func `what peers said before they left is kept in the store`() throws {
        let bench = try Workbench()
        var row = try bench.row(of: bench.writer)
        row.stored = 4
        var sessions = Sessions()
        let ended = session(1, bench)
        sessions.add(ended)
        open(ended, with: 7, holding: [(row.key, 4)])
        sessions.end(ended)
        #expect(try sessions.rememberDeparted(&bench.turn))
        #expect(try !sessions.rememberDeparted(&bench.turn))
        let kept = try bench.turn.store.peerKnowledge()
        #expect(kept.map(\.device) == [DeviceID(repeating: 7)])
        #expect(kept.first?.knowledge.seq(of: row.key) == 4 && !sessions.peers.isChanged)
    }

    @Test func `what was said in a session that ended is handed out once`() throws {
        let bench = try Workbench()
        var sessions = Sessions()
        let (silent, informed) = (session(1, bench), session(2, bench))
        open(informed, with: 7)
        for session in [silent, informed] {
            sessions.add(session)
            sessions.end(session)
        }
        sessions.remove([silent.link, informed.link])
        #expect(sessions.all.isEmpty)
        #expect(sessions.takeDeparted().map(\.device) == [DeviceID(repeating: 7)])
        #expect(sessions.takeDeparted().isEmpty)
    }

    @Test func `the first deadline of all sessions is the next`() throws {
        let bench = try Workbench()
        var sessions = Sessions()
        #expect(sessions.nextDeadline == nil)
        let session = session(1, bench)
        session.state = .authorising(
            AuthorisingState(HandshakingState(), remoteStatic: [], deadline: 17))
        sessions.add(session)
        #expect(sessions.nextDeadline == 17)
    }
}
