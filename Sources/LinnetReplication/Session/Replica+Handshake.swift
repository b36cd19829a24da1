import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetWire

extension Replica {
    /// Hands the channel its keys, or starts the exchange of shares, once both prefaces are known.
    mutating func prefaced(
        _ session: Session, _ initiator: Preface, _ responder: Preface, at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(var state) = session.state else { throw .violation }
        session.prefaces = initiator.bytes + responder.bytes
        state.mode = initiator.mode
        state.version = Preface.version(of: initiator, and: responder)
        state.peerVersion = (session.isInitiator ? responder : initiator).versions.upperBound
        session.state = .handshaking(state)
        switch initiator.mode {
        case .member:
            guard let group else { throw .end(.pskMismatch, code: .protocolViolation) }
            try provide(group.sessionKeys.keys(for: initiator.nonce), [], to: session)
        case .pairTicket:
            try provide([try desk.ticketKey(for: session, at: now)], [], to: session)
        case .pairCode:
            try desk.startExchange(session, initiator, responder, at: now, &entropy)
        }
    }

    private func provide(
        _ psks: [SharedSecret], _ transcript: [UInt8], to session: Session
    ) throws(SessionFault) {
        guard session.channel.provide(psks: psks, transcript: transcript).isEmpty else {
            throw .end(.pskMismatch, code: .protocolViolation)
        }
    }

    /// Takes the other side's share; the side that shows the code counts a try on disk before it
    /// answers.
    mutating func receiveShare(
        _ share: [UInt8], of session: Session, at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(var state) = session.state,
            let exchange = session.exchange.take()
        else { throw .violation }
        let own = exchange.share
        if !session.isInitiator { try desk.takeTry(at: now, &turn) }
        state.guessed = true
        session.state = .handshaking(state)
        guard let agreed = try? exchange.finish(with: share) else {
            throw .end(.handshakeFailed, code: .protocolViolation)
        }
        if !session.isInitiator { session.channel.sendPake(own) }
        try provide([agreed.psk], agreed.shares, to: session)
    }

    /// Goes on when the handshake is complete, in which the peer proved its static key.
    mutating func established(
        _ session: Session, remoteStatic: [UInt8], hash: [UInt8], at now: Moment
    ) throws(SessionFault) {
        guard case .handshaking(let state) = session.state else { throw .violation }
        if remoteStatic == keys.noise.publicKey, let other = sessions.otherEnd(of: session) {
            end(other, .itself, telling: nil)
            return end(session, .itself, telling: nil)
        }
        guard state.mode == .member else {
            return try desk.start(
                session, state, remoteStatic: remoteStatic, hash: hash, as: ownSide, keys,
                at: now, &turn)
        }
        let authorising = AuthorisingState(
            state,
            remoteStatic: remoteStatic,
            deadline: now.uptimeMilliseconds + Limits.authorisationMilliseconds)
        session.state = .authorising(authorising)
        membership.dialEnded(session.origin, isMember: true)
        guard let group else { throw .violation }
        try session.send(.memberHeads, group.memberHeads.encode())
    }

    mutating func receive(
        _ type: MessageType, _ body: [UInt8], authorising state: inout AuthorisingState,
        session: Session, at now: Moment
    ) throws(SessionFault) {
        guard [.memberHeads, .memberGet, .memberRecords].contains(type) else {
            if try receiveLate(type, body, state, session: session, at: now) { return }
            guard state.passesOver, type.isOfOpenSessions else { throw .violation }
            return
        }
        // One that is out, and knows it, is told nothing more.
        if type == .memberGet, session.late.isTaking { return }
        let held = group?.log.records.count
        try receiveMembership(type, body, heads: &state.peerHeads, session: session, at: now)
        if type == .memberGet || group?.log.records.count != held { state.pagePassed(at: now) }
    }

    /// Opens a session once the peer is known here and this device is known there, by the heads
    /// that the peer announced or because it greets us.
    mutating func openIfProven(
        _ session: Session, greeted: Bool = false, at now: Moment
    ) throws(SessionFault) {
        guard case .authorising(let state) = session.state, let group,
            let key = Bytes32(state.remoteStatic)
        else { return }
        if let former = group.log.state.former(noiseKey: key) {
            // Its records, votes above all, may say that somebody else is out.
            guard state.peerHeads.allSatisfy(group.log.contains),
                // It has to hear that it is out, perhaps more than that, and to answer.
                group.log.heads.allSatisfy({ group.log.contains($0, upTo: state.peerHeads) })
            else { return }
            return try awaitLate(from: former.device, session, at: now)
        }
        guard let own = group.log.state.member(device) else { return }
        let isOver = state.passesOver || session.late.deadline != nil
        guard let member = group.log.state.member(noiseKey: key),
            greeted || isOver || group.log.contains(own.admission, upTo: state.peerHeads)
        else { return }
        // What the peer said before is not read: a new session begins with it.
        guard !isOver else { throw .end(.normal, code: .normal) }
        session.device = member.device
        let open = OpenState(
            state, device: member.device, grant: group.rights.filter(of: member.device),
            now: now.uptimeMilliseconds)
        session.talk = open
        session.state = .open(open)
    }

    /// Lets a peer that greeted say what it knows of the membership, since by the records here one
    /// side is out, and the peer cannot know that.
    func passOver(_ state: AuthorisingState, _ session: Session) throws(SessionFault) {
        guard let log = group?.log, let key = Bytes32(state.remoteStatic),
            Removals(log).haveAdmitted(noiseKey: key)
        else { throw .violation }
        var state = state
        state.passesOver = true
        session.state = .authorising(state)
    }

    /// Ends one of two sessions with one peer; both sides keep the same one.
    mutating func settleDuplicates(
        of session: Session, device peer: DeviceID, incarnation theirs: Incarnation
    ) throws(SessionFault) {
        for (other, state) in sessions.open
        where other !== session && other.isLive && state.device == peer
            && state.greeting.incarnation == theirs
        {
            let keepsNew =
                other.isInitiator == session.isInitiator
                || session.isInitiator == ((device, incarnation) < (peer, theirs))
            if keepsNew {
                end(other, .duplicate, telling: .duplicate)
            } else {
                throw .end(.duplicate, code: .duplicate)
            }
        }
    }
}
