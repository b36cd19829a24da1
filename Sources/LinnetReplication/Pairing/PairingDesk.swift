import LinnetChannel
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The machine of pairing: the offer that this device shows, and the link that tries it.
struct PairingDesk {
    private(set) var offer: PairingOffer?
    private(set) var counters: PairingCounters
    /// The one link that may pair under the offer now.
    private(set) var link: LinkID?
    /// The number of tries of the code that are left after the one that was taken last.
    private(set) var triesLeft: Int?
    /// The part of the group's schema that a member tells a newcomer; nil where the shell knows of
    /// none that is exchanged in this way.
    var schema: PairSchema?

    init(counters: PairingCounters) {
        self.counters = counters
    }

    /// Shows a code and a ticket, which are valid side by side; the first success ends both. The
    /// code is left out while pairing by code is locked, unless the person lifts the lock.
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
            // A write that is half done must not stay for the next one to complete.
            turn.store.rollback()
            throw .storage(error)
        }
        self.offer = offer
        return offer
    }

    /// Returns the key of the ticket that was entered here, or that is on the screen.
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

    /// Gives the offer to a link, since one link pairs at a time; false when another one has it.
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

    /// Notes that the secret was right, so that it never serves again.
    mutating func succeeded(_ turn: inout Turn) throws(SessionFault) {
        if let offer { counters.succeed(code: offer.codeID) }
        offer?.handshakeSucceeded()
        triesLeft = nil
        try save(&turn)
    }

    /// Notes that a guess of the ticket was wrong.
    mutating func ticketFailed() { offer?.ticketFailed() }

    /// Ends the offer, so that nobody pairs here any more.
    mutating func closeOffer() { offer = nil }
}
