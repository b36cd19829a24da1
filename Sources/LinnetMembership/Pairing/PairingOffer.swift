package import LinnetCrypto
package import LinnetWire

/// The secrets that a device shows while it waits for another one: a code, a ticket, or both. They
/// live in memory only, and the first success ends them.
package struct PairingOffer: Equatable, Sendable {
    /// Names the code in ``PairingCounters``.
    package let codeID: Bytes8
    /// The code that a person types on the other device; nil while pairing by code is locked.
    package let code: PairingCode?
    /// The ticket that the other device scans.
    package let ticket: PairingTicket

    private let shownUptimeMilliseconds: Int64
    private var isCodeOver: Bool
    private var ticketTriesLeft = Limits.pairingTicketTries

    /// Draws a fresh code, unless `withCode` is false, and a fresh ticket.
    package init(
        device: DeviceID, addresses: [PairingAddress], withCode: Bool, at moment: Moment,
        entropy: inout Entropy
    ) {
        codeID = ExactLength.bytes8(entropy.bytes(8))
        code = withCode ? PairingCode(entropy: &entropy) : nil
        ticket = PairingTicket(device: device, addresses: addresses, entropy: &entropy)
        shownUptimeMilliseconds = moment.uptimeMilliseconds
        isCodeOver = !withCode
    }

    /// The code, if a link may still use it; throws ``MembershipError/codeExpired``.
    package func liveCode(at moment: Moment) throws(MembershipError) -> PairingCode {
        guard let code, !isCodeOver, age(at: moment) < Limits.pairingCodeMilliseconds else {
            throw .codeExpired
        }
        return code
    }

    /// The ticket's pre-shared key, if a link may still use it; throws
    /// ``MembershipError/ticketExpired`` or ``MembershipError/ticketSpent``.
    package func liveTicketPSK(at moment: Moment) throws(MembershipError) -> SharedSecret {
        guard ticketTriesLeft > 0 else { throw .ticketSpent }
        guard age(at: moment) < Limits.pairingTicketMilliseconds else { throw .ticketExpired }
        return ticket.psk
    }

    /// The code has no tries left.
    package mutating func codeDied() {
        isCodeOver = true
    }

    /// A handshake under the ticket's key failed; the third failure ends the ticket.
    package mutating func ticketFailed() {
        ticketTriesLeft = max(0, ticketTriesLeft - 1)
    }

    /// A handshake succeeded, under either secret: neither serves again.
    package mutating func handshakeSucceeded() {
        isCodeOver = true
        ticketTriesLeft = 0
    }

    /// Returns the moment at which the next of code and ticket ends, by the monotonic clock; nil
    /// when both are over.
    package func nextDeadlineUptimeMilliseconds(at moment: Moment) -> Int64? {
        if (try? liveCode(at: moment)) != nil {
            return shownUptimeMilliseconds + Limits.pairingCodeMilliseconds
        }
        if ticketTriesLeft > 0, age(at: moment) < Limits.pairingTicketMilliseconds {
            return shownUptimeMilliseconds + Limits.pairingTicketMilliseconds
        }
        return nil
    }

    private func age(at moment: Moment) -> Int64 {
        moment.uptimeMilliseconds - shownUptimeMilliseconds
    }
}
