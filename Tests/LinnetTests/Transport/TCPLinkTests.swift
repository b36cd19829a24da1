import Glibc
import Linnet
import LinnetDiscovery
import Testing

/// Two connected links over loopback, on one loop.
private struct Pair {
    let loop: EventLoop
    let dialled: TCPLink
    let accepted: TCPLink
    let listener: TCPListener

    init(_ loop: EventLoop, host: String = "127.0.0.1") async throws {
        self.loop = loop
        let ip = try #require(IPAddress(host))
        let incoming = Collector<TCPLink>()
        let outcome = await loop.run { () -> Result<TCPListener, ListenFailure> in
            Result { () throws(ListenFailure) in
                try TCPListener(at: SocketAddress(ip: ip, port: 0), loop: loop) { socket, remote in
                    incoming.add(TCPLink(adopting: socket, remote: remote, loop: loop))
                }
            }
        }
        listener = try outcome.get()
        let address = SocketAddress(ip: ip, port: listener.address.port)
        let sockets = Collector<Int32?>()
        _ = await loop.run { TCPDial(address, loop: loop) { sockets.add($0) } }
        let socket = try #require(await sockets.wait(count: 1).first ?? nil)
        dialled = TCPLink(adopting: socket, remote: address, loop: loop)
        accepted = try #require(await incoming.wait(count: 1).first)
    }

    func end() async {
        await loop.run {
            dialled.abort()
            accepted.abort()
            listener.close()
        }
        loop.stop()
    }
}

@Suite(.timeLimit(.minutes(5)))
struct TCPLinkTests {
    private let loop: EventLoop

    init() throws {
        loop = try #require(EventLoop())
    }

    /// Starts a link and collects its bytes; nil stands for the end.
    private func collect(_ link: TCPLink) async -> Collector<[UInt8]?> {
        let events = Collector<[UInt8]?>()
        await loop.run {
            link.start { event in
                switch event {
                case .received(let bytes): events.add(bytes)
                case .ended: events.add(nil)
                }
            }
        }
        return events
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `megabytes arrive unchanged in both directions`(host: String) async throws {
        let pair = try await Pair(loop, host: host)
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ ($0 >> 9)) }
        let atAccepted = await collect(pair.accepted)
        let atDialled = await collect(pair.dialled)
        await loop.run {
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                pair.dialled.send(Array(bytes[start..<start + 100_000]))
            }
            pair.accepted.send(bytes)
        }
        for events in [atAccepted, atDialled] {
            let parts = await events.wait { $0.compactMap(\.?.count).reduce(0, +) >= bytes.count }
            #expect(parts.compactMap { $0 }.flatMap { $0 } == bytes)
        }
        await pair.end()
    }

    @Test func `closing after a flush loses nothing although the peer is still talking`()
        async throws
    {
        let pair = try await Pair(loop)
        let bytes = [UInt8](repeating: 9, count: 2_000_000)
        let atDialled = await collect(pair.dialled)
        _ = await collect(pair.accepted)
        await loop.run {
            pair.dialled.send([1, 2, 3])
            pair.accepted.send(bytes)
            pair.accepted.closeAfterFlush()
            pair.accepted.send([7])
        }
        let parts = await atDialled.wait { $0.contains { $0 == nil } }
        #expect(parts.compactMap { $0 }.flatMap { $0 } == bytes)
        #expect(parts.last == .some(nil))
        await pair.end()
    }

    @Test func `an aborted link ends the other side`() async throws {
        let pair = try await Pair(loop)
        let atDialled = await collect(pair.dialled)
        await loop.run { pair.accepted.abort() }
        #expect(await atDialled.wait(count: 1) == [nil])
        await pair.end()
    }

    @Test func `a peer that never reads ends the link instead of filling memory`() async throws {
        let pair = try await Pair(loop)
        let atDialled = await collect(pair.dialled)
        await loop.run {
            let chunk = [UInt8](repeating: 1, count: 1 << 20)
            for _ in 0..<64 { pair.dialled.send(chunk) }
        }
        #expect(await atDialled.wait(count: 1) == [nil])
        await pair.end()
    }

    @Test func `a link that peers leave closing is closed by its time limit`() async throws {
        let pair = try await Pair(loop)
        let closed = Collector<Int>()
        let stuck = TCPLink(
            adopting: try #require(await pairlessSocket(of: pair)), remote: pair.dialled.remote,
            loop: loop, onClose: { closed.add(1) })
        await loop.run {
            stuck.start { _ in }
            stuck.closeAfterFlush()
        }
        #expect(await closed.wait(count: 1) == [1])
        await pair.end()
    }

    /// A connected socket whose other end stays open and silent.
    private func pairlessSocket(of pair: Pair) async -> Int32? {
        let sockets = Collector<Int32?>()
        let address = pair.listener.address
        _ = await loop.run { [loop] in TCPDial(address, loop: loop) { sockets.add($0) } }
        return await sockets.wait(count: 1).first ?? nil
    }

    @Test func `a refused connection is reported once`() async throws {
        let pair = try await Pair(loop)
        let address = pair.listener.address
        await pair.loop.run { pair.listener.close() }
        let sockets = Collector<Int32?>()
        _ = await loop.run { [loop] in TCPDial(address, loop: loop) { sockets.add($0) } }
        #expect(await sockets.wait(count: 1) == [nil])
        await pair.end()
    }

    @Test func `a cancelled dial reports nothing`() async throws {
        let pair = try await Pair(loop)
        let sockets = Collector<Int32?>()
        let address = pair.listener.address
        await loop.run { [loop] in TCPDial(address, loop: loop) { sockets.add($0) }.cancel() }
        await loop.run {}
        #expect(sockets.elements.isEmpty)
        await pair.end()
    }
}
