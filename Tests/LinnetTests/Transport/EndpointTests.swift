import Linnet
import LinnetDiscovery
import Testing

struct EndpointTests {
    @Test(arguments: [
        ("127.0.0.1:7000", "127.0.0.1:7000"),
        ("[::1]:7000", "[::1]:7000"),
        ("[::ffff:192.0.2.7]:1", "192.0.2.7:1"),
        ("[fe80::1%3]:65535", "[fe80::1%3]:65535"),
        ("laptop.local:80", "laptop.local:80"),
        ("laptop.local.:80", "laptop.local.:80"),
        ("0.0.0.0:0", "0.0.0.0:0"),
    ])
    func `an endpoint reads back as it was written`(text: String, canonical: String) {
        #expect(Endpoint(parsing: text)?.description == canonical)
    }

    @Test(arguments: [
        "", ":", ":7000", "host", "host:", "host:65536", "host:-1", "host:+1", "host:\u{ff17}",
        "::1:7000",
        "[::1]", "[::1]:", "[]:1", "[127.0.0.1]:1", "[::1%]:1", "[::1%no-such-interface]:1",
        "[fe80::1%0]:1", "999.1.1.1:1", "1.2.3:1", "a..b:1", ".a:1", "a b:1", "a\0b:1", "é:1",
        "[::1]x:1", String(repeating: "a", count: 64) + ".b:1", String(repeating: "a.", count: 200),
    ])
    func `anything else is refused`(text: String) {
        #expect(Endpoint(parsing: text) == nil)
    }

    @Test func `an interface name becomes its number`() throws {
        let endpoint = try #require(Endpoint(parsing: "[fe80::1%lo]:5"))
        #expect(endpoint.socketAddress?.scope == 1)
    }

    @Test func `a scope is kept only where it means something`() throws {
        let address = try #require(IPAddress("2001:db8::1"))
        #expect(SocketAddress(ip: address, port: 1, scope: 4).scope == 0)
    }
}
