import LinnetCrypto
import LinnetDiscovery
import LinnetWire
import Testing

struct DiscoveryTagTests {
    let name = Samples.name(1)

    @Test func `a tag is the start of the keyed hash of name, port and hour`() {
        // Recomputed from the definition, with the hash alone.
        let networkKey = SecretBytes(copying: [UInt8](repeating: 3, count: 32))
        let key = KeyDerivation.derive(networkKey, .disc)
        let message = Array(name.text.utf8) + [0x0f, 0xa0] + [0, 0, 0, 0, 0, 7, 0x79, 0xa0]
        let digest = Hash.keyed(by: key, nil, message, count: 32)
        let tag = DiscoveryTag.tag(
            key: Samples.key(3), name: name, port: 4_000, hour: Samples.hour)
        #expect(tag.array == Array(digest.prefix(8)))
    }

    @Test func `a tag changes with the key, the name, the port and the hour`() {
        let tag = { (key: UInt8, name: UInt64, port: UInt16, hour: UInt64) in
            DiscoveryTag.tag(
                key: Samples.key(key), name: Samples.name(name), port: port, hour: hour)
        }
        let tags = [
            tag(1, 1, 1, 1), tag(2, 1, 1, 1), tag(1, 2, 1, 1), tag(1, 1, 2, 1), tag(1, 1, 1, 2),
        ]
        #expect(OrderedSet(tags).count == tags.count)
        #expect(tag(1, 1, 1, 1) == tag(1, 1, 1, 1))
    }

    @Test(arguments: [
        (Int64.min, UInt64(0)), (-1, 0), (0, 0), (3_599_999, 0), (3_600_000, 1),
        (Int64.max, UInt64(Int64.max) / 3_600_000),
    ])
    func `the hour is counted from 1970 and never negative`(milliseconds: Int64, hour: UInt64) {
        #expect(DiscoveryTag.hour(wallMilliseconds: milliseconds) == hour)
    }
}
