import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// What this device shows while it waits to be paired, and who is trying.
struct PairingDesk {
    private(set) var offer: PairingOffer?
    private(set) var counters: PairingCounters
    /// The one link that may pair under the offer now.
    private(set) var link: LinkID?
    /// Tries left of the code after the one that was taken last.
    private(set) var triesLeft: Int?
    /// What a member tells a newcomer of the group's schema; nil where the shell knows of none that
    /// is exchanged so.
    var schema: PairSchema?

    init(counters: PairingCounters) {
        self.counters = counters
    }

    /// Shows a code and a ticket, valid side by side; the first success ends both. The code is left
    /// out while pairing by code is locked, unless the person lifts the lock.
    mutating func show(
        _ addresses: [PairingAddress], device: DeviceID, liftingLock: Bool, at now: Moment,
        _ entropy: inout Entropy, _ turn: inout Turn
    ) throws(ReplicaError) -> PairingOffer {
        if liftingLock { counters.liftLock() }
        let locked = counters.lockedUntilWallMilliseconds(at: now) != nil
        let offer = PairingOffer(
            device: device, addresses: addresses, withCode: !locked, at: now, entropy: &entropy)
        if !locked {
            do {
                try counters.begin(code: offer.codeID, at: now)
            } catch {
                throw .membership(error)
            }
        }
        do throws(StorageError) {
            try turn.writing()
            try turn.store.setValue(.pairingCounters, counters.encode())
            try turn.store.commit()
        } catch {
            // Half a write must not wait for the next one.
            turn.store.rollback()
            throw .storage(error)
        }
        self.offer = offer
        return offer
    }

    /// The key of the ticket that the peer was told, or that is on the screen.
    mutating func ticketKey(
        for session: Session, at now: Moment
    ) throws(SessionFault) -> SharedSecret {
        if case .dialledToPair(.ticket(let ticket)) = session.origin { return ticket.psk }
        guard take(session.link), let psk = try? offer?.liveTicketPSK(at: now) else {
            throw .end(.pskMismatch, code: .protocolViolation)
        }
        return psk
    }

    /// Starts the exchange of shares under the code that was typed, or that is on the screen.
    mutating func startExchange(
        _ session: Session, _ initiator: Preface, _ responder: Preface, at now: Moment,
        _ entropy: inout Entropy
    ) throws(SessionFault) {
        let code: PairingCode
        let side: PairingSide
        if case .dialledToPair(.code(let typed)) = session.origin {
            code = typed
            side = .typer
        } else {
            guard take(session.link), let shown = try? offer?.liveCode(at: now) else {
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

    /// Gives the offer to a link; one pairs at a time.
    mutating func take(_ link: LinkID) -> Bool {
        guard self.link == nil || self.link == link else { return false }
        self.link = link
        return true
    }

    /// Frees the offer for the next link.
    mutating func release(_ link: LinkID) {
        if self.link == link { self.link = nil }
    }

    /// Counts a try of the code on disk, before it is answered.
    mutating func takeTry(at now: Moment, _ turn: inout Turn) throws(SessionFault) {
        do throws(MembershipError) {
            try takeTry(at: now)
        } catch {
            throw .end(.pskMismatch, code: .protocolViolation)
        }
        try save(&turn)
    }

    /// Counts a try of the code.
    private mutating func takeTry(at now: Moment) throws(MembershipError) {
        guard let offer else { throw .codeExpired }
        let left = try counters.takeTry(of: offer.codeID, at: now)
        triesLeft = left
        if left == 0 { self.offer?.codeDied() }
    }

    private func save(_ turn: inout Turn) throws(SessionFault) {
        try stored { () throws(StorageError) in
            try turn.writing()
            try turn.store.setValue(.pairingCounters, counters.encode())
        }
    }

    /// The secret was right: it never serves again.
    mutating func succeeded(_ turn: inout Turn) throws(SessionFault) {
        if let offer { counters.succeed(code: offer.codeID) }
        offer?.handshakeSucceeded()
        triesLeft = nil
        try save(&turn)
    }

    /// A guess of the ticket was wrong.
    mutating func ticketFailed() { offer?.ticketFailed() }

    /// Nobody pairs here any more.
    mutating func closeOffer() { offer = nil }
}
