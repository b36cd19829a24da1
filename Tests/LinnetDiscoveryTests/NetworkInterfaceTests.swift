import LinnetDiscovery
import Testing

struct NetworkInterfaceTests {
    @Test func `the loopback interface is among those that are up`() throws {
        let interfaces = NetworkInterface.current()
        let loopback = try #require(interfaces.first { $0.isLoopback })
        let address = try #require(IPAddress("127.0.0.1"))
        #expect(loopback.index > 0)
        #expect(loopback.prefixes.contains(NetworkPrefix(address: address, bits: 8)))
        #expect(!loopback.carriesMulticast)
    }

    @Test func `each interface is listed once, in order`() {
        let indices = NetworkInterface.current().map(\.index)
        #expect(zip(indices, indices.dropFirst()).allSatisfy { $0 < $1 })
    }
}
