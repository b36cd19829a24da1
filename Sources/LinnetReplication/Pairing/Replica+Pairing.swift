import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// Starts the exchange of certificates: the secret was right on both sides.
    mutating func startPairing(
        _ session: Session, _ previous: HandshakingState, remoteStatic: [UInt8], hash: [UInt8],
        at now: Moment
    ) throws(SessionFault) {
        var expected: DeviceID?
        if case .dialledToPair(.ticket(let ticket)) = session.origin { expected = ticket.device }
        if !session.isInitiator {
            desk.succeeded()
            try stored { () throws(StorageError) in
                try turn.writing()
                try store.setValue(.pairingCounters, desk.counters.encode())
            }
        }
        session.state = .pairing(
            PairingState(
                handshakeHash: hash, remoteStatic: remoteStatic, expected: expected,
                showsSchema: previous.version >= 2,
                deadline: now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds))
        do {
            let hello = try PairHello(
                certificate: keys.certificate, name: author.profile.name, kind: author.profile.kind,
                group: group?.log.group)
            let body = hello.encode(
                side: session.isInitiator ? .typer : .shower, handshakeHash: hash, keys: keys)
            try send(.pairHello, body, on: session)
        } catch {
            throw .end(.handshakeFailed, code: .protocolViolation)
        }
    }

    mutating func receive(
        _ type: MessageType, _ body: [UInt8], pairing state: PairingState, session: Session,
        at now: Moment
    ) throws(SessionFault) {
        switch (type, state.step) {
        case (.pairHello, .greeting):
            try greeted(body, state, session)
        case (.pairSchema, .waitingForWelcome(let member)) where state.showsSchema:
            try shown(body, by: member, state, session)
        case (.pairSchema, .waitingForConsent(let newcomer, let role)):
            guard (try? PairSchema(decoding: body)) == .empty else { throw .violation }
            try stored { () throws(StorageError) in
                try admit(newcomer, as: role, state, session, at: now)
            }
        case (.pairWelcome, .waitingForWelcome(let member)) where !state.showsSchema:
            try welcomed(body, by: member, state, session, at: now)
        case (.pairDone, .waitingForDone(let newcomer, let admission)):
            guard let done = try? PairDone(decoding: body), done.admission == admission else {
                throw .violation
            }
            turn.outbox.notify(
                .paired(
                    session.link, device: newcomer.certificate.device, name: newcomer.name))
            desk.offer = nil
            end(session, .normal, telling: .normal)
        default:
            throw .violation
        }
    }

    private mutating func greeted(
        _ body: [UInt8], _ state: PairingState, _ session: Session
    ) throws(SessionFault) {
        var state = state
        let side: PairingSide = session.isInitiator ? .shower : .typer
        do throws(MembershipError) {
            let theirs = try PairHello(
                decoding: body, from: side, handshakeHash: state.handshakeHash,
                remoteStatic: state.remoteStatic, own: device)
            if let expected = state.expected, expected != theirs.certificate.device {
                turn.outbox.notify(.pairingFailed(session.link, .wrongDevice, triesLeft: nil))
                end(session, .denied, telling: .denied)
                return
            }
            let ours = try PairHello(
                certificate: keys.certificate, name: author.profile.name, kind: author.profile.kind,
                group: group?.log.group)
            switch try ours.part(with: theirs) {
            case .joins:
                state.step = .waitingForWelcome(theirs)
            case .admits:
                state.step = .deciding(theirs)
                turn.outbox.notify(
                    .pairingRequest(
                        session.link, name: theirs.name, kind: theirs.kind,
                        fingerprint: fingerprint(of: theirs.certificate.device)))
            }
            session.state = .pairing(state)
        } catch {
            let failure: PairingFailure =
                switch error {
                case .bothNewcomers, .sameGroup, .differentGroups: .exactlyOneMemberNeeded
                default: .interrupted
                }
            turn.outbox.notify(.pairingFailed(session.link, failure, triesLeft: nil))
            end(session, .denied, telling: .denied)
        }
    }

    /// The person at the member's screen answered.
    mutating func decidePairing(
        _ link: LinkID, accept: Bool, role: Role, at now: Moment
    ) throws(StorageError) {
        guard let session = sessions[link], case .pairing(var state) = session.state,
            case .deciding(let newcomer) = state.step
        else { return }
        guard accept else {
            turn.outbox.notify(.pairingFailed(link, .denied, triesLeft: nil))
            desk.offer = nil
            end(session, .denied, telling: .denied)
            return
        }
        guard state.showsSchema else {
            return try admit(newcomer, as: role, state, session, at: now)
        }
        state.step = .waitingForConsent(newcomer, role)
        state.deadline = now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds
        session.state = .pairing(state)
        do throws(SessionFault) {
            // A relay reads nothing of what it stores.
            let schema = role == .relay ? .empty : pairingSchema ?? .empty
            try send(.pairSchema, schema.encode(), on: session)
        } catch {
            turn.outbox.notify(.pairingFailed(link, .interrupted, triesLeft: nil))
            end(session, .denied, telling: .denied)
        }
    }

    /// Adds the newcomer to the group and sends it the group's log.
    private mutating func admit(
        _ newcomer: PairHello, as role: Role, _ state: PairingState, _ session: Session,
        at now: Moment
    ) throws(StorageError) {
        guard var group else { return }
        var state = state
        do throws(MembershipError) {
            let record = try group.log.makeAdd(
                newcomer.certificate, role: role, ring: group.ring, keys: keys, entropy: &entropy)
            if case .inserted(let added) = try group.log.insert(record) {
                self.group = group
                try keep(added)
            }
            let welcome = try PairWelcome(log: group.log).encode()
            state.step = .waitingForDone(newcomer, record.id)
            state.deadline = now.uptimeMilliseconds + Limits.pairingConfirmMilliseconds
            session.state = .pairing(state)
            do throws(SessionFault) {
                try send(.pairWelcome, welcome, on: session)
                try membershipGrew(at: now)
            } catch {
                if case .storage(let failure) = error { turn.failure = failure }
            }
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .refused, triesLeft: nil))
            end(session, .denied, telling: .denied)
        }
        if let failure = turn.failure { throw failure }
    }

    /// The member's person consented: the shell compares the group's schema with ours.
    private mutating func shown(
        _ body: [UInt8], by member: PairHello, _ state: PairingState, _ session: Session
    ) throws(SessionFault) {
        guard let schema = try? PairSchema(decoding: body) else { throw .violation }
        var state = state
        state.step = .judging(member)
        session.state = .pairing(state)
        turn.outbox.notify(.schemaShown(session.link, schema.text))
    }

    /// The shell compared the group's schema with this device's.
    mutating func schemaJudged(_ link: LinkID, accept: Bool) {
        guard let session = sessions[link], case .pairing(var state) = session.state,
            case .judging(let member) = state.step
        else { return }
        guard accept else {
            turn.outbox.notify(.pairingFailed(link, .schemaContradiction, triesLeft: nil))
            end(session, .denied, telling: .denied)
            return
        }
        state.step = .waitingForWelcome(member)
        state.showsSchema = false
        session.state = .pairing(state)
        do throws(SessionFault) {
            try send(.pairSchema, PairSchema.empty.encode(), on: session)
        } catch {
            end(session, .denied, telling: .denied)
        }
    }

    /// The newcomer verifies the whole log, stores it and says so.
    private mutating func welcomed(
        _ body: [UInt8], by member: PairHello, _ state: PairingState, _ session: Session,
        at now: Moment
    ) throws(SessionFault) {
        var state = state
        do throws(MembershipError) {
            let welcome = try PairWelcome(decoding: body)
            guard welcome.group == member.group else { throw MembershipError.wrongGroup }
            let admission = try welcome.admit(keys, by: member.certificate.device)
            try keep(admission.log.records)
            guard let own = admission.log.state.member(device) else {
                throw MembershipError.incompleteWelcome
            }
            state.step = .finished(member)
            session.state = .pairing(state)
            group = GroupState(log: admission.log, schema: schema, keys: keys)
            knownMembers = admission.log.state.members.map(\.device)
            do throws(SessionFault) {
                try send(.pairDone, PairDone(admission: own.admission).encode(), on: session)
            } catch {
                throw MembershipError.incompleteWelcome
            }
        } catch {
            turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            throw .end(.protocolViolation, code: .protocolViolation)
        }
        if let failure = turn.failure { throw .storage(failure) }
        desk.offer = nil
        author.profile.isDue = true
        turn.outbox.notify(
            .paired(session.link, device: member.certificate.device, name: member.name))
    }

    private func fingerprint(of device: DeviceID) -> [String] {
        Fingerprint.words(of: device.array)
    }

    /// A handshake failed: under a code or a ticket that is a wrong guess by one side or the other.
    mutating func handshakeFailed(
        of session: Session, _ error: ChannelError, at now: Moment
    ) throws(SessionFault) {
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
            desk.offer?.ticketFailed()
            turn.outbox.notify(.pairingFailed(session.link, .wrongSecret, triesLeft: nil))
        case .accepted where state.mode == .pairCode && state.guessed:
            let left = desk.triesLeft
            turn.outbox.notify(
                .pairingFailed(
                    session.link, left == 0 ? .codeDead : .wrongSecret, triesLeft: left))
        case .accepted, .dialled:
            break
        }
        desk.release(session.link)
    }

    /// Frees the offer when a pairing session ends, and says what the end means.
    mutating func endPairing(of session: Session, _ reason: SessionEnd) {
        desk.release(session.link)
        guard case .pairing(let state) = session.state else { return }
        switch state.step {
        case .finished:
            break
        case .waitingForConsent where reason == .denied:
            desk.offer = nil
            turn.outbox.notify(.pairingFailed(session.link, .schemaContradiction, triesLeft: nil))
        case .waitingForWelcome where reason == .denied:
            turn.outbox.notify(.pairingFailed(session.link, .denied, triesLeft: nil))
        case .greeting, .deciding, .waitingForWelcome, .waitingForConsent, .judging:
            if reason != .denied {
                turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            }
        case .waitingForDone:
            // The record stands: the newcomer has its keys, or pairs again.
            if reason != .normal {
                turn.outbox.notify(.pairingFailed(session.link, .interrupted, triesLeft: nil))
            }
        }
    }
}
