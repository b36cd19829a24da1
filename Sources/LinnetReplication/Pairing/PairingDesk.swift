import LinnetMembership
import LinnetWire

/// What this device shows while it waits to be paired, and who is trying.
struct PairingDesk {
    var offer: PairingOffer?
    var counters: PairingCounters
    /// The one link that may pair under the offer now.
    private(set) var link: LinkID?
    /// Tries left of the code after the one that was taken last.
    private(set) var triesLeft: Int?

    init(counters: PairingCounters) {
        self.counters = counters
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

    /// Counts a try of the code; the caller makes it durable before it answers.
    mutating func takeTry(at now: Moment) throws(MembershipError) {
        guard let offer else { throw .codeExpired }
        let left = try counters.takeTry(of: offer.codeID, at: now)
        triesLeft = left
        if left == 0 { self.offer?.codeDied() }
    }

    /// The secret was right: it never serves again.
    mutating func succeeded() {
        if let offer { counters.succeed(code: offer.codeID) }
        offer?.handshakeSucceeded()
        triesLeft = nil
    }
}
