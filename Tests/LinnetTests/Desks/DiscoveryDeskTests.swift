import LinnetCrypto
import LinnetDiscovery
import LinnetWire
import Testing

@testable import Linnet

struct DiscoveryDeskTests {
    private func desk() throws -> DiscoveryDesk {
        DiscoveryDesk(service: try DNSSDService { _ in }, announces: false)
    }

    private func name(_ number: UInt8) -> InstanceName {
        InstanceName(entropy: [UInt8](repeating: number, count: InstanceName.entropyBytes))
    }

    @Test func `a desk that keeps quiet waits for nothing and gives no name`() throws {
        var desk = try desk()
        let now = Moment(wallMilliseconds: 0, uptimeMilliseconds: 0)
        desk.announce(at: 4_711, with: nil, now)
        #expect(desk.nextDeadline == nil)
        #expect(desk.fire(at: Moment(wallMilliseconds: 0, uptimeMilliseconds: 9_000_000)) == false)
        #expect(desk.announceOffer(at: 4_711) == nil)
        #expect(desk.ownNames.isEmpty)
        #expect(desk.use([]) == false)
    }

    @Test func `the sixty-four newest names of its own are known`() throws {
        var desk = try desk()
        for number: UInt8 in 0..<70 { desk.own(name(number)) }
        #expect(desk.ownNames == (6..<70).map(name))
    }

    @Test func `a name without a tag of ours is not dialled until it is announced anew`() throws {
        var desk = try desk()
        let stranger = name(1)
        #expect(desk.mayDial(stranger.text) == false)
        #expect(desk.isFalse(stranger))
        #expect(desk.isFalse(stranger.text))
        let mayDialAgain = desk.roundFailed(stranger.text)
        #expect(!mayDialAgain)
        #expect(desk.epoch(of: stranger.text) == nil)
        desk.lost(stranger)
        #expect(!desk.isFalse(stranger))
    }
}
