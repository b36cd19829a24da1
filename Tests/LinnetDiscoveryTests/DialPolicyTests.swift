import LinnetDiscovery
import Testing

struct DialPolicyTests {
    private let loopback = NetworkInterface(
        index: 1, isLoopback: true, carriesMulticast: false, prefixes: [])
    private let wireless: NetworkInterface

    init() throws {
        wireless = NetworkInterface(
            index: 2, isLoopback: false, carriesMulticast: true,
            prefixes: [
                NetworkPrefix(address: try #require(IPAddress("203.0.113.77")), bits: 25),
                NetworkPrefix(address: try #require(IPAddress("2001:db8:1:2::9")), bits: 64),
            ])
    }

    @Test(arguments: ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
    func `a loopback address is dialled only when the answer came on loopback`(
        text: String
    ) throws {
        let address = try #require(IPAddress(text))
        for policy in [DialPolicy.localOnly, .anywhere] {
            #expect(policy.allows(address: address, answeredOn: loopback))
            #expect(!policy.allows(address: address, answeredOn: wireless))
            #expect(!policy.allows(address: address, answeredOn: .unknown(index: 1)))
        }
    }

    @Test(arguments: [
        "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.9", "169.254.7.7", "fe80::1",
        "febf::1", "fc00::1", "fdff::1", "203.0.113.1", "203.0.113.127", "2001:db8:1:2:ffff::1",
        "::ffff:192.168.0.1",
    ])
    func `link-local, private and on-link addresses are dialled`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(DialPolicy.localOnly.allows(address: address, answeredOn: wireless))
    }

    @Test(arguments: [
        "8.8.8.8", "172.15.0.1", "172.32.0.1", "192.167.0.1", "100.64.0.1", "203.0.113.128",
        "2001:db8:1:3::1", "2606:4700::1", "fec0::1", "::ffff:8.8.8.8",
    ])
    func `addresses elsewhere are dialled only when configured`(text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(!DialPolicy.localOnly.allows(address: address, answeredOn: wireless))
        #expect(!DialPolicy.localOnly.allows(address: address, answeredOn: .unknown(index: 9)))
        #expect(DialPolicy.anywhere.allows(address: address, answeredOn: wireless))
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "224.0.0.251", "255.255.255.255", "240.0.0.1", "::", "ff02::fb",
    ])
    func `addresses that name no host are never dialled`(text: String) throws {
        let address = try #require(IPAddress(text))
        for policy in [DialPolicy.localOnly, .anywhere] {
            #expect(!policy.allows(address: address, answeredOn: wireless))
            #expect(!policy.allows(address: address, answeredOn: loopback))
        }
    }

    @Test(arguments: [0, -1, 33, 129, 1_000])
    func `a prefix of impossible length holds nothing`(bits: Int) throws {
        let address = try #require(IPAddress("203.0.113.77"))
        #expect(!NetworkPrefix(address: address, bits: bits).contains(address))
    }

    @Test func `a prefix holds its own family alone`() throws {
        let four = try #require(IPAddress("1.2.3.4"))
        let six = try #require(IPAddress("102:304::"))
        #expect(NetworkPrefix(address: four, bits: 32).contains(four))
        #expect(!NetworkPrefix(address: four, bits: 1).contains(six))
    }
}
