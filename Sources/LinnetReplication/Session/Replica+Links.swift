import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
package import LinnetWire

extension Replica {
    /// Starts a session on a fresh link.
    mutating func openLink(_ link: LinkID, _ origin: LinkOrigin, at now: Moment) {
        let role: ChannelRole
        switch origin {
        case .accepted:
            var modes: [ChannelMode] = group == nil ? [] : [.member]
            if desk.offer != nil { modes += [.pairCode, .pairTicket] }
            role = .responder(accepting: modes)
        case .dialled, .dialledMember, .dialledHolder: role = .initiator(.member)
        case .dialledToPair(.code): role = .initiator(.pairCode)
        case .dialledToPair(.ticket): role = .initiator(.pairTicket)
        }
        let random = entropy.bytes(Preface.nonceBytes)
        let channel = ChannelMachine(
            role: role, staticKey: keys.noise.copy(),
            nonce: group?.sessionKeys.nonce(for: origin, random: random) ?? random,
            ephemeral: entropy.secret(32), at: now,
            pairingVersions: desk.schema == nil ? nil : Preface.pairingVersions)
        sessions.add(
            Session(link: link, origin: origin, channel: channel, now: now.uptimeMilliseconds))
    }

    /// Reads bytes of a link and handles every message that they complete.
    mutating func receive(
        _ bytes: [UInt8], on link: LinkID, at now: Moment
    ) throws(StorageError) {
        guard let session = sessions[link] else { return }
        session.lastHeard = now.uptimeMilliseconds
        var events = session.channel.receive(bytes, at: now)
        while !events.isEmpty, session.isLive {
            try handle(events, of: session, at: now)
            events = session.channel.receive([], at: now)
        }
    }

    private mutating func handle(
        _ events: [ChannelEvent], of session: Session, at now: Moment
    ) throws(StorageError) {
        for (index, event) in events.enumerated() {
            if case .ended = session.state { return }
            if let group { session.expectRun(events[index...], of: chains, group, in: store) }
            try carrying(on: session) { (replica) throws(SessionFault) in
                try replica.handle(event, of: session, at: now)
            }
        }
    }

    /// Does something for a session, which ends where it cannot go on.
    mutating func carrying(
        on session: Session, _ body: (inout Replica) throws(SessionFault) -> Void
    ) throws(StorageError) {
        do throws(SessionFault) {
            try body(&self)
        } catch {
            switch error {
            case .storage(let failure): throw failure
            case .end(let reason, let code): end(session, reason, telling: code)
            }
        }
    }

    private mutating func handle(
        _ event: ChannelEvent, of session: Session, at now: Moment
    ) throws(SessionFault) {
        switch event {
        case .prefaced(let initiator, let responder):
            try prefaced(session, initiator, responder, at: now)
        case .pake(let share):
            try receiveShare(share, of: session, at: now)
        case .established(let remoteStatic, let hash, _):
            try established(session, remoteStatic: remoteStatic, hash: hash, at: now)
        case .message(let type, let body):
            guard let type = MessageType(rawValue: type) else { throw .violation }
            try handle(type, body, of: session, at: now)
        case .closed(let code):
            end(session, SessionEnd(code: code), telling: nil)
        case .failed(let error):
            try failed(session, error, at: now)
        }
    }

    private mutating func handle(
        _ type: MessageType, _ body: [UInt8], of session: Session, at now: Moment
    ) throws(SessionFault) {
        switch session.state {
        case .handshaking, .ended:
            throw .violation
        case .authorising(let state) where type == .hello && !state.passesOver:
            try openIfProven(session, greeted: true, at: now)
            if case .authorising(let state) = session.state { return try passOver(state, session) }
            try handle(type, body, of: session, at: now)
        case .authorising(var state):
            try receive(type, body, authorising: &state, session: session, at: now)
            if case .authorising = session.state { session.state = .authorising(state) }
            try openIfProven(session, at: now)
        case .open(let state):
            try receive(type, body, open: state, session: session, at: now)
        case .pairing(let state):
            try receivePairing(type, body, state, session, at: now)
        }
    }

    private mutating func receive(
        _ type: MessageType, _ body: [UInt8], open state: OpenState, session: Session,
        at now: Moment
    ) throws(SessionFault) {
        switch type {
        case .hello:
            try receiveHello(body, state, session: session, at: now)
        case .have:
            guard state.greeting.incarnation != nil, !state.heardHave else { throw .violation }
            try receiveHave(body, state, session: session, at: now)
        case .need, .batch, .ack, .fork, .certificate, .keyGet, .keys, .blockGet, .block,
            .blockNone, .base, .baseGet, .basePart:
            guard state.heardHave else { throw .violation }
            switch type {
            case .base: try receiveBase(body, state, session: session)
            case .baseGet: try receiveBaseGet(body, state)
            case .basePart: try receiveBasePart(body, state, session: session)
            case .blockGet, .block, .blockNone: try receiveBlocks(type, body, state, at: now)
            case .need: try state.receiveNeed(body, chains)
            case .batch: try receiveBatch(body, state, session: session, at: now)
            case .ack: try receiveAck(body, state, session: session)
            case .certificate: try receiveCertificate(body, state: state)
            case .keyGet: try receiveKeyGet(body, state, session: session)
            case .keys: try receiveKeys(body, state)
            default: try receiveFork(body, state)
            }
        case .ping:
            guard body.count == 9 else { throw .violation }
            try session.send(.pong, body)
        case .pong:
            guard body.count == 9 else { throw .violation }
        case .memberHeads, .memberGet, .memberRecords:
            // The session may end while it is read, and then its heads are looked at.
            var heads = state.peerHeads
            defer { state.peerHeads = heads }
            try receiveMembership(type, body, heads: &heads, session: session, at: now)
        case .laneState, .lanePart, .laneReceipt, .laneProbe, .laneWithdraw:
            try lanes?.receive(
                type, body, from: state.device, on: session.link, &turn, at: now)
        case .pairHello, .pairWelcome, .pairDone, .pairSchema, .pairMore, .close:
            throw .violation
        }
    }

    /// Ends a session, telling the peer why when it is authenticated.
    mutating func end(_ session: Session, _ reason: SessionEnd, telling code: CloseCode?) {
        guard session.isLive else { return }
        session.isLive = false
        sessions.end(session)
        var device: DeviceID?
        if case .open(let state) = session.state { device = state.device }
        if let known = session.device { device = known }
        if reason == .formerMember, device == nil { device = former(behind: session) }
        if let device { sessions.flooders.remove(device) }
        desk.ended(session, reason, &turn)
        membership.discardParked()
        if let code { session.channel.close(code) }
        session.state = .ended
        turn.outbox.close(session.link)
        turn.outbox.notify(.sessionClosed(session.link, device: device, reason: reason))
    }

    /// Ends the session of a link that is gone; without a goodbye it was truncated.
    mutating func linkEnded(_ link: LinkID, at now: Moment) throws(StorageError) {
        guard let session = sessions[link] else { return }
        try handle(session.channel.receiveEnd(), of: session, at: now)
        end(session, .truncated, telling: nil)
        sessions.remove([link])
    }

    private mutating func failed(
        _ session: Session, _ error: ChannelError, at now: Moment
    ) throws(SessionFault) {
        desk.handshakeFailed(of: session, error, &turn)
        // Before both prefaces are known no key was tried.
        if case .handshaking = session.state, !session.prefaces.isEmpty {
            membership.dialEnded(session.origin, isMember: false)
        }
        let reason: SessionEnd =
            switch error {
            case .pskMismatch: .pskMismatch
            case .timeout: .timeout
            case .truncated: .truncated
            case .badTag, .protocolViolation, .tooLarge: .protocolViolation
            default: .handshakeFailed
            }
        end(session, reason, telling: nil)
    }

    /// Says goodbye in every session, as is done before the program ends.
    package mutating func closeAllSessions(_ code: CloseCode) -> [Effect] {
        for session in sessions.all { end(session, .shutdown, telling: code) }
        if failure == nil {
            do throws(StorageError) {
                if try sessions.rememberDeparted(&turn) { chains.damaged.peersLeft() }
                if sessions.peers.isChanged {
                    try turn.writingCasually()
                    try sessions.peers.save(in: store)
                }
                if store.isInTransaction { try store.commit() }
            } catch {
                return [.notify(.storeFailed(fail(error)))]
            }
        }
        return closedEffects()
    }

    /// Returns the effects that are left after sessions were ended outside `handle`.
    mutating func closedEffects() -> [Effect] {
        let sends = sessions.takeOutput()
        sessions.remove(turn.outbox.closing)
        return turn.speak(sends: sends)
    }
}

extension SessionEnd {
    init(code: UInt16) {
        self =
            switch CloseCode(rawValue: code) {
            case .normal: .normal
            case .removed: .removed
            case .duplicate: .duplicate
            case .protocolViolation: .protocolViolation
            case .shutdown: .shutdown
            case .denied: .denied
            default: .other(code: code)
            }
    }
}
