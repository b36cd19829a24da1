import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Both prefaces are known: hands the channel its keys, or starts the exchange of shares.
    mutating func prefaced(
        _ session: Session, _ initiator: Preface, _ responder: Preface, at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(var state) = session.state else { throw .violation }
        session.prefaces = initiator.bytes + responder.bytes
        state.mode = initiator.mode
        state.version = Preface.version(of: initiator, and: responder)
        session.state = .handshaking(state)
        switch initiator.mode {
        case .member:
            guard let group else { throw .end(.pskMismatch, code: .protocolViolation) }
            let psks = group.ring.memberPSKs.map(\.psk).prefix(Limits.pskTrials)
            try provide(Array(psks), [], to: session)
        case .pairTicket:
            try provide([try ticketPSK(session, at: now)], [], to: session)
        case .pairCode:
            try startExchange(session, initiator, responder, at: now)
        }
    }

    private func provide(
        _ psks: [SharedSecret], _ transcript: [UInt8], to session: Session
    ) throws(SessionFault) {
        guard session.channel.provide(psks: psks, transcript: transcript).isEmpty else {
            throw .end(.pskMismatch, code: .protocolViolation)
        }
    }

    private mutating func ticketPSK(
        _ session: Session, at now: Moment
    ) throws(SessionFault) -> SharedSecret {
        if case .dialledToPair(.ticket(let ticket)) = session.origin { return ticket.psk }
        guard desk.take(session.link), let psk = try? desk.offer?.liveTicketPSK(at: now) else {
            throw .end(.pskMismatch, code: .protocolViolation)
        }
        return psk
    }

    private mutating func startExchange(
        _ session: Session, _ initiator: Preface, _ responder: Preface, at now: Moment
    ) throws(SessionFault) {
        let code: PairingCode
        let side: PairingSide
        if case .dialledToPair(.code(let typed)) = session.origin {
            code = typed
            side = .typer
        } else {
            guard desk.take(session.link), let shown = try? desk.offer?.liveCode(at: now) else {
                throw .end(.pskMismatch, code: .protocolViolation)
            }
            code = shown
            side = .shower
        }
        do {
            let exchange = try PairingExchange(
                side: side, code: code, initiatorPreface: initiator.bytes,
                responderPreface: responder.bytes, entropy: &entropy)
            let share = exchange.share
            session.exchange = consume exchange
            if side == .typer { session.channel.sendPake(share) }
        } catch {
            throw .end(.handshakeFailed, code: .protocolViolation)
        }
    }

    /// The other side's share came: the shower counts a try on disk before it answers.
    mutating func receiveShare(
        _ share: [UInt8], of session: Session, at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(var state) = session.state,
            let exchange = session.exchange.take()
        else { throw .violation }
        let own = exchange.share
        if !session.isInitiator {
            do throws(MembershipError) {
                try desk.takeTry(at: now)
            } catch {
                throw .end(.pskMismatch, code: .protocolViolation)
            }
            try stored { () throws(StorageError) in
                try turn.writing()
                try store.setValue(.pairingCounters, desk.counters.encode())
            }
        }
        state.guessed = true
        session.state = .handshaking(state)
        guard let agreed = try? exchange.finish(with: share) else {
            throw .end(.handshakeFailed, code: .protocolViolation)
        }
        if !session.isInitiator { session.channel.sendPake(own) }
        try provide([agreed.psk], agreed.shares, to: session)
    }

    /// The handshake is complete: the peer proved its static key.
    mutating func established(
        _ session: Session, remoteStatic: [UInt8], hash: [UInt8], at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(let state) = session.state else { throw .violation }
        if let other = otherEnd(of: session, remoteStatic) {
            end(other, .itself, telling: nil)
            return end(session, .itself, telling: nil)
        }
        guard state.mode == .member else {
            try startPairing(session, state, remoteStatic: remoteStatic, hash: hash, at: now)
            return
        }
        let authorising = AuthorisingState(
            state,
            remoteStatic: remoteStatic,
            deadline: now.uptimeMilliseconds + Limits.authorisationMilliseconds)
        session.state = .authorising(authorising)
        try sendMemberHeads(on: session)
    }

    /// The session at the other end of a link that leads back to this very replica.
    ///
    /// The key alone does not tell: a copy of the home has it, too. Both prefaces, which the
    /// handshake proved, hold random bytes of either end, so that no other link has the same.
    private func otherEnd(of session: Session, _ remoteStatic: [UInt8]) -> Session? {
        guard remoteStatic == keys.noise.publicKey else { return nil }
        return sessions.values.first {
            $0.link != session.link && $0.isLive && $0.isInitiator != session.isInitiator
                && $0.prefaces == session.prefaces
        }
    }

    func sendMemberHeads(on session: Session) throws(SessionFault) {
        guard let group else { throw .violation }
        let heads = MemberHeadsMessage(
            heads: Array(group.log.heads.elements.prefix(Limits.memberHeads)))
        try send(.memberHeads, heads.encode(), on: session)
    }

    mutating func receive(
        _ type: MessageType, _ body: [UInt8], authorising state: inout AuthorisingState,
        session: Session, at now: Moment
    ) throws(SessionFault) {
        guard [.memberHeads, .memberGet, .memberRecords].contains(type) else { throw .violation }
        try receiveMembership(type, body, heads: &state.peerHeads, session: session, at: now)
    }

    /// Opens a session once the peer is known here and we are known there: by the heads that it
    /// announced, or because it greets us.
    mutating func openIfProven(
        _ session: Session, greeted: Bool = false, at now: Moment
    ) throws(SessionFault) {
        guard case .authorising(let state) = session.state, let group,
            !group.log.state.upgradeNeeded, let key = Bytes32(state.remoteStatic),
            let member = group.log.state.member(noiseKey: key),
            let own = group.log.state.member(device),
            greeted || group.log.contains(own.admission, upTo: state.peerHeads)
        else { return }
        session.device = member.device
        let open = OpenState(state, device: member.device, now: now.uptimeMilliseconds)
        session.talk = open
        session.state = .open(open)
    }

    /// Of two sessions with one peer, both sides keep the same one.
    mutating func settleDuplicates(
        of session: Session, device peer: DeviceID, incarnation theirs: Incarnation
    ) throws(SessionFault) {
        for other in sessions.values where other.link != session.link && other.isLive {
            guard case .open(let state) = other.state, state.device == peer,
                state.incarnation == theirs
            else { continue }
            let keepsNew =
                other.isInitiator == session.isInitiator
                || session.isInitiator == isSmaller(than: peer, theirs)
            if keepsNew {
                end(other, .duplicate, telling: .duplicate)
            } else {
                throw .end(.duplicate, code: .duplicate)
            }
        }
    }

    private func isSmaller(than peer: DeviceID, _ theirs: Incarnation) -> Bool {
        (device, incarnation) < (peer, theirs)
    }
}
