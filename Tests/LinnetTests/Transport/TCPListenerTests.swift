import Glibc
import Linnet
import LinnetDiscovery
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TCPListenerTests {
    @Test func `an unspecified IPv6 address takes IPv4 connections, seen as IPv4`() async throws {
        let loop = try #require(EventLoop())
        let any = try #require(IPAddress("::"))
        let localhost = try #require(IPAddress("127.0.0.1"))
        let remotes = Collector<SocketAddress>()
        let listener = try await loop.run {
            Result { () throws(ListenFailure) in
                try TCPListener(at: SocketAddress(ip: any, port: 0), loop: loop) { socket, remote in
                    close(socket)
                    remotes.add(remote)
                }
            }
        }.get()
        let address = SocketAddress(ip: localhost, port: listener.address.port)
        let dial = await loop.run {
            TCPDial(address, loop: loop) { if let socket = $0 { close(socket) } }
        }
        #expect(await remotes.wait(count: 1).first?.ip == localhost)
        await loop.run {
            dial.cancel()
            listener.close()
        }
        loop.stop()
    }

    @Test func `a taken port is refused with the system's reason`() async throws {
        let loop = try #require(EventLoop())
        let localhost = try #require(IPAddress("127.0.0.1"))
        let outcome = await loop.run { () -> Result<Int, ListenFailure> in
            Result { () throws(ListenFailure) in
                let any = SocketAddress(ip: localhost, port: 0)
                let first = try TCPListener(at: any, loop: loop) { socket, _ in close(socket) }
                defer { first.close() }
                return try Int(
                    TCPListener(at: first.address, loop: loop) { socket, _ in close(socket) }
                        .address.port)
            }
        }
        #expect(outcome == .failure(ListenFailure(code: EADDRINUSE)))
        #expect(ListenFailure(code: EADDRINUSE).reason == "Address already in use")
        loop.stop()
    }

    @Test func `running out of descriptors delays a connection and loses none`() async {
        await #expect(processExitsWith: .success) {
            let loop = try #require(EventLoop())
            let localhost = try #require(IPAddress("127.0.0.1"))
            let accepted = Collector<Int32>()
            let listener = try await loop.run {
                Result { () throws(ListenFailure) in
                    try TCPListener(at: SocketAddress(ip: localhost, port: 0), loop: loop) {
                        socket, _ in accepted.add(socket)
                    }
                }
            }.get()
            let client = await loop.run { () -> Int32 in
                let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                var taken: [Int32] = []
                var limit = rlimit(rlim_cur: 64, rlim_max: 64)
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
                while case let copy = dup(0), copy >= 0 { taken.append(copy) }
                unsafe listener.address.withSocketAddress { _ = unsafe connect(client, $0, $1) }
                let release = taken
                // The first attempt to accept happens before this timer and fails.
                _ = loop.schedule(at: SystemClock.uptimeMilliseconds() + 50) {
                    release.forEach { close($0) }
                }
                return client
            }
            #expect(client >= 0)
            #expect(await accepted.wait(count: 1).count == 1)
            exit(0)
        }
    }
}
