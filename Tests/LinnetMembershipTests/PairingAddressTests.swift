import LinnetMembership
import Testing

struct PairingAddressTests {
    @Test(arguments: [
        "192.168.1.20:47001", "0.0.0.0:1", "255.255.255.255:65535", "[::1]:80", "[::]:9",
        "[fe80::1:2]:47001", "[2001:db8:0:1:2:3:4:5]:443", "[1::]:7", "[FE80::A]:7",
    ])
    func `numeric addresses read back as written`(text: String) throws {
        let address = try #require(PairingAddress(parsing: text[...]))
        #expect(address.text == text)
        #expect(PairingAddress(host: address.host, port: address.port) == address)
    }

    @Test(arguments: [
        "", ":", "1.2.3.4", "1.2.3.4:", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:+5",
        "1.2.3.4:000080",
        "1.2.3:5", "1.2.3.4.5:6", "256.1.1.1:5", "01.2.3.4:5", "1.2.3.-4:5", "host:5", "[]:5",
        "[::1:5",
        "::1:5", "[1.2.3.4]:5", "[:::]:5", "[1::2::3]:5", "[1:2:3:4:5:6:7]:5",
        "[1:2:3:4:5:6:7:8:9]:5",
        "[1:2:3:4:5:6:7::8]:5", "[12345::]:5", "[g::]:5", "[fe80::1%eth0]:5", "[:1::]:5",
        "[1::2:]:5",
        "[::1]:５", "١.2.3.4:5",
    ])
    func `anything else is refused`(text: String) {
        #expect(PairingAddress(parsing: text[...]) == nil)
    }

    @Test func `a port is not zero, a host is numeric`() {
        #expect(PairingAddress(host: "1.2.3.4", port: 0) == nil)
        #expect(PairingAddress(host: "[::1]", port: 1) == nil)
        #expect(PairingAddress(host: "localhost", port: 1) == nil)
    }
}
