import Linnet
import LinnetDiscovery
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NameResolverTests {
    private func resolve(_ name: String) async throws -> [SocketAddress] {
        let loop = try #require(EventLoop())
        defer { loop.stop() }
        let found = Collector<[SocketAddress]>()
        NameResolver.resolve(name, port: 7, loop: loop) { addresses in
            loop.checkIsolated()
            found.add(addresses)
        }
        return await found.wait(count: 1).first ?? []
    }

    @Test func `a name's addresses come with the port, on the loop's thread`() async throws {
        let addresses = try await resolve("localhost")
        #expect(addresses.contains { $0.ip.isLoopback && $0.port == 7 })
    }

    @Test func `an unknown name has no addresses`() async throws {
        #expect(try await resolve("no such name").isEmpty)
    }
}
