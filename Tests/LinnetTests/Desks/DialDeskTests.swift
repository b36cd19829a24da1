import LinnetCrypto
import LinnetDiscovery
import LinnetWire
import Testing

@testable import Linnet

struct DialDeskTests {
    private let device = DeviceID(repeating: 1)

    private func desk() -> DialDesk {
        DialDesk(Entropy(seed: SecretBytes(copying: [UInt8](repeating: 7, count: 32))))
    }

    private func moment(_ milliseconds: Int64) -> Moment {
        Moment(wallMilliseconds: 0, uptimeMilliseconds: milliseconds)
    }

    private func address() throws -> SocketAddress {
        SocketAddress(ip: try #require(IPAddress("192.0.2.1")), port: 1)
    }

    private func attempts(_ actions: [DialAction]) -> [AttemptID] {
        actions.compactMap { if case .dial(let attempt, _, _) = $0 { attempt } else { nil } }
    }

    @Test func `a target is dialled when it is due, and after a pause once that failed`() throws {
        var desk = desk()
        #expect(desk.nextDeadline == nil)
        let address = try address()
        desk.change { $0.add(.instance("a"), addresses: [address], at: moment(10)) }
        #expect(desk.nextDeadline == 10)
        #expect(desk.fire(at: moment(9)) == [])
        let attempt = try #require(attempts(desk.fire(at: moment(10))).first)
        desk.failed(attempt, at: moment(20))
        let deadline = desk.nextDeadline
        let next = try #require(deadline)
        #expect((270...520).contains(next))
        #expect(desk.fire(at: moment(next - 1)) == [])
        #expect(attempts(desk.fire(at: moment(next))).count == 1)
    }

    @Test func `a connection belongs to its target, and one that came too late to nobody`() throws {
        var desk = desk()
        let address = try address()
        desk.change { $0.add(.instance("a"), addresses: [address], at: moment(0)) }
        let attempt = try #require(attempts(desk.fire(at: moment(0))).first)
        #expect(desk.connected(attempt) == .instance("a"))
        desk.change { $0.succeeded(attempt, device: device, at: moment(5)) }
        #expect(desk.nextDeadline == nil)
        #expect(desk.connected(attempt) == nil)
        desk.deviceDisconnected(device, at: moment(100))
        let deadline = desk.nextDeadline
        let next = try #require(deadline)
        #expect(next > 100)
    }

    @Test func `pairings are given up alone, and a stopped desk has nobody to dial`() throws {
        var desk = desk()
        let address = try address()
        desk.change { plan in
            plan.add(.pairing("b"), addresses: [address], at: moment(0))
            plan.add(.instance("a"), addresses: [address], at: moment(0))
        }
        desk.stopPairing()
        #expect(desk.plan.targets == [.instance("a")])
        desk.stop()
        #expect(desk.plan.targets == [])
        #expect(desk.nextDeadline == nil)
    }
}
