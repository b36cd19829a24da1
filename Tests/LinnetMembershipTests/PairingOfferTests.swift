import LinnetCrypto
import LinnetMembership
import LinnetWire
import Testing

struct PairingOfferTests {
    private func at(_ uptime: Int64, wall: Int64 = 0) -> Moment {
        Moment(wallMilliseconds: wall, uptimeMilliseconds: uptime)
    }

    private func offer(withCode: Bool = true) -> PairingOffer {
        var entropy = entropy(21)
        return PairingOffer(
            device: TestDevice(1).device, addresses: [], withCode: withCode, at: at(1_000),
            entropy: &entropy)
    }

    @Test func `a code lives two minutes of the monotonic clock`() throws {
        let offer = offer()
        #expect(try offer.liveCode(at: at(1_000)) == offer.code)
        let end = 1_000 + Limits.pairingCodeMilliseconds
        #expect(try offer.liveCode(at: at(end - 1)) == offer.code)
        for wall in [0, -1_000_000, 1_000_000] as [Int64] {
            #expect(throws: MembershipError.codeExpired) {
                _ = try offer.liveCode(at: at(end, wall: wall))
            }
        }
    }

    @Test func `a ticket lives ten minutes`() throws {
        let offer = offer()
        let end = 1_000 + Limits.pairingTicketMilliseconds
        let psk = try offer.liveTicketPSK(at: at(end - 1)).bytes.exposed()
        #expect(psk == offer.ticket.psk.bytes.exposed())
        #expect(throws: MembershipError.ticketExpired) {
            _ = try offer.liveTicketPSK(at: at(end))
        }
    }

    @Test func `the third failure ends a ticket`() throws {
        var offer = offer()
        for _ in 0..<Limits.pairingTicketTries - 1 { offer.ticketFailed() }
        _ = try offer.liveTicketPSK(at: at(1_000))
        for _ in 0..<2 {
            offer.ticketFailed()
            #expect(throws: MembershipError.ticketSpent) {
                _ = try offer.liveTicketPSK(at: at(1_000))
            }
        }
        _ = try offer.liveCode(at: at(1_000))
    }

    @Test func `the first success ends code and ticket`() {
        var offer = offer()
        offer.handshakeSucceeded()
        #expect(throws: MembershipError.codeExpired) { _ = try offer.liveCode(at: at(1_000)) }
        #expect(throws: MembershipError.ticketSpent) {
            _ = try offer.liveTicketPSK(at: at(1_000))
        }
        #expect(offer.nextDeadlineUptimeMilliseconds(at: at(1_000)) == nil)
    }

    @Test func `a dead code leaves the ticket`() throws {
        var offer = offer()
        offer.codeDied()
        #expect(throws: MembershipError.codeExpired) { _ = try offer.liveCode(at: at(1_000)) }
        _ = try offer.liveTicketPSK(at: at(1_000))
    }

    @Test func `while codes are locked an offer has a ticket only`() throws {
        let offer = offer(withCode: false)
        #expect(offer.code == nil)
        #expect(throws: MembershipError.codeExpired) { _ = try offer.liveCode(at: at(1_000)) }
        _ = try offer.liveTicketPSK(at: at(1_000))
        #expect(offer.nextDeadlineUptimeMilliseconds(at: at(1_000)) == 601_000)
    }

    @Test func `deadlines come in turn`() {
        let offer = offer()
        #expect(offer.nextDeadlineUptimeMilliseconds(at: at(1_000)) == 121_000)
        #expect(offer.nextDeadlineUptimeMilliseconds(at: at(121_000)) == 601_000)
        #expect(offer.nextDeadlineUptimeMilliseconds(at: at(601_000)) == nil)
    }
}
