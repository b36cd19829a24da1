import LinnetDiscovery
import LinnetReplication
import LinnetWire
import Testing

@testable import Linnet

@Suite(.timeLimit(.minutes(5)))
struct EntranceTests {
    private let now = Moment(wallMilliseconds: 0, uptimeMilliseconds: 0)

    @Test func `the stranger who has waited longest gives way`() throws {
        var entrance = Entrance()
        let source = AdmissionControl.Source(try #require(IPAddress("192.0.2.1")))
        #expect(entrance.longestWaiting == nil)
        for number: UInt64 in [7, 3, 5] {
            #expect(entrance.admit(source, at: now) == nil)
            entrance.hold(LinkID(rawValue: number), FrameCarrier.pair().0)
        }
        #expect(entrance.longestWaiting?.link == LinkID(rawValue: 3))
        entrance.authenticated(LinkID(rawValue: 3), from: source, at: now)
        #expect(entrance.longestWaiting?.link == LinkID(rawValue: 5))
    }

    @Test func `a place is given back once, by whoever held it`() throws {
        var entrance = Entrance()
        let source = AdmissionControl.Source(try #require(IPAddress("192.0.2.1")))
        var taken = 0
        while entrance.admit(source, at: now) == nil {
            taken += 1
            entrance.hold(LinkID(rawValue: UInt64(taken)), FrameCarrier.pair().0)
        }
        #expect(taken == Limits.unauthenticatedLinksPerSource)
        entrance.closed(LinkID(rawValue: 1), from: source, at: now)
        entrance.closed(LinkID(rawValue: 1), from: source, at: now)
        #expect(entrance.admit(source, at: now) == nil)
        #expect(entrance.admit(source, at: now) == .sourceFull)
    }

    @Test func `the port of a closed listener is known until another one opens`() async throws {
        let loop = try #require(EventLoop())
        let localhost = try #require(IPAddress("127.0.0.1"))
        let ports = await loop.run { () -> [UInt16?] in
            var entrance = Entrance()
            var ports = [entrance.lastPort]
            let listener = try? TCPListener(
                at: SocketAddress(ip: localhost, port: 0), loop: loop
            ) { socket, _ in SystemCall.close(socket) }
            guard let listener else { return [] }
            entrance.open(listener)
            ports.append(entrance.lastPort)
            entrance.close()
            return ports + [entrance.lastPort, entrance.address?.port]
        }
        loop.stop()
        try #require(ports.count == 4)
        #expect(ports[0] == nil && ports[1] != nil)
        #expect(ports[2] == ports[1] && ports[3] == nil)
    }
}
