import LinnetCrypto
import LinnetDiscovery
import LinnetMembership
import LinnetWire

/// Tags and TXT records.
enum DiscoveryVectors {
    static func make() throws -> JSON {
        let ring = try Kit.ring()
        let hour = DiscoveryTag.hour(wallMilliseconds: Kit.wall)
        var tags: [JSON] = []
        var newest: Bytes8?
        for epoch in ring.epochs {
            guard let network = epoch.networkKey else { continue }
            let key = DiscoveryKey(epoch: epoch.id, networkKey: network.bytes)
            for (text, port, hour) in [
                ("abcdefghijkl", 4_711, hour), ("abcdefghijkl", 4_712, hour),
                ("abcdefghijkm", 4_711, hour), ("abcdefghijkl", 4_711, hour + 1),
            ] as [(String, UInt16, UInt64)] {
                guard let name = InstanceName(heard: Array(text.utf8)) else { continue }
                let tag = DiscoveryTag.tag(key: key, name: name, port: port, hour: hour)
                if newest == nil { newest = tag }
                tags.append([
                    "epoch": .hex(epoch.id.array), "networkKey": .hex(network.bytes.exposed()),
                    "key": .hex(KeyDerivation.derive(network.bytes, .disc).exposed()),
                    "instance": .text(text), "port": .number(Int64(port)), "hour": JSON(hour),
                    "tag": .hex(tag.array),
                ])
            }
        }
        var entropy = Kit.entropy(90)
        let record = TXTRecord(tags: newest.map { [$0] } ?? [], hour: hour, entropy: &entropy)
        return [
            "about":
                "docs/protocol.md, Discovery: tags of both epochs of the kit, and a TXT record.",
            "tags": .array(tags),
            "record": [
                "tags": .array(record.tags.map { .hex($0.array) }), "hour": JSON(record.hour),
                "bytes": .hex(record.encoded),
            ],
            "pairingRecord": .hex(TXTRecord.pairing),
        ]
    }
}
