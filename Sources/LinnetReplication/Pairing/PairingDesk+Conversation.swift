import LinnetCRDT
import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The step that the replica takes after a message of a pairing.
enum PairingStep {
    /// It waits for an answer of the other side, or of a person.
    case wait
    /// It adds the newcomer to the group.
    case admit(PairHello, RoleGrant)
    /// It enters the group of a log.
    case enter(MembershipLog)
}

/// A newcomer and a member exchange certificates once the secret was right on both sides.
extension PairingDesk {
    /// Greets the other side.
    mutating func start(
        _ session: Session, _ previous: HandshakingState, remoteStatic: [UInt8], hash: [UInt8],
        as own: OwnSide, _ keys: borrowing DeviceKeys, at now: Moment, _ turn: inout Turn
    ) throws(SessionFault) {
        var expected: DeviceID?
        if case .dialledToPair(.ticket(let ticket)) = session.origin { expected = ticket.device }
        if !session.isInitiator { try succeeded(&turn) }
        session.state = .pairing(
            PairingState(
                previous, handshakeHash: hash, remoteStatic: remoteStatic, expected: expected,
                deadline: now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds))
        do {
            let body = try own.hello(keys).encode(
                side: session.isInitiator ? .typer : .shower, handshakeHash: hash, keys: keys)
            try session.send(.pairHello, body)
        } catch {
            throw .end(.handshakeFailed, code: .protocolViolation)
        }
    }

    /// Takes a message of the other side.
    mutating func receive(
        _ type: MessageType, _ body: [UInt8], _ state: PairingState, _ session: Session,
        as own: OwnSide, _ keys: borrowing DeviceKeys, at now: Moment, _ turn: inout Turn
    ) throws(SessionFault) -> PairingStep {
        switch (type, state.step) {
        case (.pairHello, .greeting):
            try greeted(body, state, session, own, keys, &turn)
        case (.pairSchema, .waitingForWelcome(let member)) where state.showsSchema:
            guard let schema = try? PairSchema(decoding: body) else { throw .violation }
            session.state = .pairing(state.stepping(to: .judging(member)))
            turn.outbox.notify(.schemaShown(session.link, schema.text))
        case (.pairSchema, .waitingForConsent(let newcomer, let grant)):
            guard (try? PairSchema(decoding: body)) == .empty else { throw .violation }
            return .admit(newcomer, grant)
        case (.pairWelcome, .waitingForWelcome(let member)) where !state.showsSchema:
            guard let welcome = try collected(body, by: member, state, session, at: now, &turn)
            else { return .wait }
            return .enter(try welcomed(welcome, by: member, state, session, keys, &turn))
        case (.pairMore, .waitingForDone(let newcomer, let admission)):
            guard body == [0x80] else { throw .violation }
            var next = state.stepping(to: .waitingForDone(newcomer, admission), at: now)
            guard let page = next.pages?.nextPage() else { throw .violation }
            session.state = .pairing(next)
            try send(page, session)
        case (.pairDone, .waitingForDone(let newcomer, let admission)):
            guard let done = try? PairDone(decoding: body), done.admission == admission else {
                throw .violation
            }
            turn.outbox.notify(
                .paired(
                    session.link, device: newcomer.certificate.device, name: newcomer.name))
            closeOffer()
            throw .end(.normal, code: .normal)
        default:
            throw .violation
        }
        return .wait
    }

    private func greeted(
        _ body: [UInt8], _ state: PairingState, _ session: Session, _ own: OwnSide,
        _ keys: borrowing DeviceKeys, _ turn: inout Turn
    ) throws(SessionFault) {
        let side: PairingSide = session.isInitiator ? .shower : .typer
        do throws(MembershipError) {
            let theirs = try PairHello(
                decoding: body, from: side, handshakeHash: state.handshakeHash,
                remoteStatic: state.remoteStatic, own: keys.device)
            if let expected = state.expected, expected != theirs.certificate.device {
                turn.outbox.notify(.pairingFailed(session.link, .wrongDevice, triesLeft: nil))
            } else {
                switch try own.hello(keys).part(with: theirs) {
                case .joins:
                    session.state = .pairing(state.stepping(to: .waitingForWelcome(theirs)))
                    return
                case .admits where own.sealsByScope && !state.readsScoped:
                    turn.outbox.notify(
                        .pairingFailed(session.link, .olderVersion, triesLeft: nil))
                case .admits:
                    session.state = .pairing(state.stepping(to: .deciding(theirs)))
                    turn.outbox.notify(
                        .pairingRequest(
                            session.link, name: theirs.name, kind: theirs.kind,
                            fingerprint: Fingerprint.words(of: theirs.certificate.device.array)))
                    return
                }
            }
        } catch {
            let failure: PairingFailure =
                switch error {
                case .bothNewcomers, .sameGroup, .differentGroups: .exactlyOneMemberNeeded
                default: .interrupted
                }
            turn.outbox.notify(.pairingFailed(session.link, failure, triesLeft: nil))
        }
        throw .end(.denied, code: .denied)
    }

    /// Takes the answer of the person at the member's screen.
    mutating func decide(
        _ session: Session, accept: Bool, as grant: RoleGrant, sealsByScope: Bool, at now: Moment,
        _ turn: inout Turn
    ) throws(SessionFault) -> PairingStep {
        guard case .pairing(let state) = session.state, case .deciding(let newcomer) = state.step
        else { return .wait }
        guard accept else {
            turn.outbox.notify(.pairingFailed(session.link, .denied, triesLeft: nil))
            closeOffer()
            throw .end(.denied, code: .denied)
        }
        try checkVersion(state, newcomer, grant, sealsByScope, session, &turn)
        guard state.showsSchema else { return .admit(newcomer, grant) }
        session.state = .pairing(state.stepping(to: .waitingForConsent(newcomer, grant), at: now))
        do throws(SessionFault) {
            // A relay cannot read what it stores, and needs no schema.
            let schema = grant.role == .relay ? .empty : schema ?? .empty
            try session.send(.pairSchema, schema.encode())
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            throw .end(.denied, code: .denied)
        }
        return .wait
    }

    /// Adds the newcomer to the group; returns the first page of the group's log, to be sent to it,
    /// or nil when nobody was added.
    mutating func admit(
        _ newcomer: PairHello, as grant: RoleGrant, _ session: Session,
        to membership: inout Membership, _ keys: borrowing DeviceKeys, at now: Moment,
        _ entropy: inout Entropy, _ turn: inout Turn
    ) throws(SessionFault) -> PairWelcome? {
        guard case .pairing(let state) = session.state else { return nil }
        // Somebody may have been bound while the newcomer looked at the schema.
        let sealsByScope = membership.group?.rights.isScoped == true
        try checkVersion(state, newcomer, grant, sealsByScope, session, &turn)
        do throws(MembershipError) {
            guard
                let added = try membership.admit(
                    newcomer.certificate, as: grant, keys: keys, &entropy, &turn)
            else { return nil }
            var next = state.stepping(to: .waitingForDone(newcomer, added.admission), at: now)
            next.pages = added.pages
            let page = next.pages?.nextPage()
            session.state = .pairing(next)
            return page
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .refused, triesLeft: nil))
            throw .end(.denied, code: .denied)
        }
    }

    /// Ends a pairing with a newcomer of a version that could not read what the group seals by
    /// scope, or that is to be bound.
    private func checkVersion(
        _ state: PairingState, _ newcomer: PairHello, _ grant: RoleGrant, _ sealsByScope: Bool,
        _ session: Session, _ turn: inout Turn
    ) throws(SessionFault) {
        guard !state.readsScoped, sealsByScope || grant.scopes != .all else { return }
        session.state = .pairing(state.stepping(to: .deciding(newcomer)))
        turn.outbox.notify(.pairingFailed(session.link, .olderVersion, triesLeft: nil))
        throw .end(.denied, code: .denied)
    }

    /// Takes the shell's judgement of the group's schema.
    func judged(
        _ session: Session, accept: Bool, _ turn: inout Turn
    ) throws(SessionFault) {
        guard case .pairing(var state) = session.state, case .judging(let member) = state.step
        else { return }
        guard accept else {
            turn.outbox.notify(
                .pairingFailed(session.link, .schemaContradiction, triesLeft: nil))
            throw .end(.denied, code: .denied)
        }
        state.showsSchema = false
        session.state = .pairing(state.stepping(to: .waitingForWelcome(member)))
        do throws(SessionFault) {
            try session.send(.pairSchema, PairSchema.empty.encode())
        } catch {
            throw .end(.denied, code: .denied)
        }
    }

    /// Sends a page of the group's log.
    func send(_ page: PairWelcome, _ session: Session) throws(SessionFault) {
        do {
            try session.send(.pairWelcome, try page.encode())
        } catch {
            throw .violation
        }
    }

    /// Joins a page to those that came, and asks for the next one; the whole once all are here.
    private func collected(
        _ body: [UInt8], by member: PairHello, _ state: PairingState, _ session: Session,
        at now: Moment, _ turn: inout Turn
    ) throws(SessionFault) -> PairWelcome? {
        do {
            var welcome = try PairWelcome(decoding: body)
            if var earlier = state.welcome {
                try earlier.append(welcome)
                welcome = earlier
            }
            if welcome.remaining == 0 { return welcome }
            var next = state.stepping(to: .waitingForWelcome(member), at: now)
            next.welcome = welcome
            session.state = .pairing(next)
            try session.send(.pairMore, [0x80])
            return nil
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            throw .violation
        }
    }

    /// The newcomer verifies the whole log, stores it and says so.
    private mutating func welcomed(
        _ welcome: PairWelcome, by member: PairHello, _ state: PairingState, _ session: Session,
        _ keys: borrowing DeviceKeys, _ turn: inout Turn
    ) throws(SessionFault) -> MembershipLog {
        let log: MembershipLog
        do throws(MembershipError) {
            guard welcome.group == member.group else { throw MembershipError.wrongGroup }
            log = try welcome.admit(keys, by: member.certificate.device).log
            turn.keep(log.records)
            guard let own = log.state.member(keys.device) else {
                throw MembershipError.incompleteWelcome
            }
            session.state = .pairing(state.stepping(to: .finished(member)))
            do throws(SessionFault) {
                try session.send(.pairDone, PairDone(admission: own.admission).encode())
            } catch {
                throw MembershipError.incompleteWelcome
            }
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            throw .violation
        }
        try stored { () throws(StorageError) in try turn.checkStore() }
        closeOffer()
        turn.outbox.notify(
            .paired(session.link, device: member.certificate.device, name: member.name))
        return log
    }

    /// Notes that a handshake failed, which under a code or a ticket is a wrong guess by one side
    /// or the other.
    mutating func handshakeFailed(
        of session: Session, _ error: ChannelError, _ turn: inout Turn
    ) {
        guard case .handshaking(let state) = session.state else { return }
        switch session.origin {
        case .dialledToPair(let secret):
            let failure: PairingFailure =
                switch (error, secret) {
                case (.pskMismatch, _), (.badTag, _): .wrongSecret
                case (.truncated, .code) where state.guessed: .closedAfterAnswer
                case (.truncated, .ticket) where state.mode != nil: .closedAfterAnswer
                default: .interrupted
                }
            turn.outbox.notify(.pairingFailed(session.link, failure, triesLeft: nil))
        case .accepted where state.mode == .pairTicket:
            ticketFailed()
            turn.outbox.notify(.pairingFailed(session.link, .wrongSecret, triesLeft: nil))
        case .accepted where state.mode == .pairCode && state.guessed:
            let left = triesLeft
            turn.outbox.notify(
                .pairingFailed(
                    session.link, left == 0 ? .codeDead : .wrongSecret, triesLeft: left))
        case .accepted, .dialled, .dialledMember, .dialledHolder:
            break
        }
        release(session.link)
    }

    /// Frees the offer when a pairing session ends, and tells what the end means.
    mutating func ended(_ session: Session, _ reason: SessionEnd, _ turn: inout Turn) {
        release(session.link)
        guard case .pairing(let state) = session.state else { return }
        switch state.step {
        case .finished:
            break
        case .waitingForConsent where reason == .denied:
            closeOffer()
            turn.outbox.notify(.pairingFailed(session.link, .schemaContradiction, triesLeft: nil))
        case .waitingForWelcome where reason == .denied:
            turn.outbox.notify(.pairingFailed(session.link, .denied, triesLeft: nil))
        case .greeting, .deciding, .waitingForWelcome, .waitingForConsent, .judging:
            if reason != .denied {
                turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            }
        case .waitingForDone:
            // The record stands: either the newcomer has its keys, or it pairs again.
            if reason != .normal {
                turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            }
        }
    }
}

/// The facts that this side of a pairing tells of itself.
struct OwnSide {
    let name: String
    let kind: String
    let group: GroupID?
    /// True when the group seals batches by scope.
    let sealsByScope: Bool

    fileprivate func hello(_ keys: borrowing DeviceKeys) throws(MembershipError) -> PairHello {
        try PairHello(certificate: keys.certificate, name: name, kind: kind, group: group)
    }
}
