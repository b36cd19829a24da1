import LinnetDiscovery
import Testing

struct IPAddressTests {
    @Test(arguments: ["127.0.0.1", "192.168.1.20", "fe80::1", "2001:db8::8:800:200c:417a", "::1"])
    func `text and bytes agree`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.text == text)
        #expect(IPAddress(bytes: address.bytes) == address)
    }

    @Test(arguments: [
        "", "localhost", "1.2.3", "1.2.3.4.5", "256.1.1.1", "fe80::1%eth0", "1.2.3.4\u{0}", ":::",
        String(repeating: "1", count: 5_000),
    ])
    func `other text is refused`(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test(arguments: [0, 3, 5, 15, 17])
    func `other lengths are refused`(count: Int) {
        #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func `an IPv4-mapped address is the IPv4 address`() throws {
        #expect(IPAddress("::ffff:1.2.3.4") == IPAddress("1.2.3.4"))
        #expect(try #require(IPAddress("::1.2.3.4")).isIPv6)
    }
}
