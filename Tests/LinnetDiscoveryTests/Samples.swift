import LinnetCrypto
import LinnetDiscovery
import LinnetWire

/// Values that several tests start from.
enum Samples {
    static let hour: UInt64 = 489_888
    static let now = Moment(
        wallMilliseconds: Int64(hour) * 3_600_000 + 1_234, uptimeMilliseconds: 50_000)

    static func entropy(_ seed: UInt8 = 7) -> Entropy {
        Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    static func key(_ seed: UInt8) -> DiscoveryKey {
        DiscoveryKey(
            epoch: Bytes32(repeating: seed),
            networkKey: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
    }

    static func name(_ number: UInt64) -> InstanceName {
        var bytes: [UInt8] = []
        BigEndian.append(number &* 0x9e37_79b9_7f4a_7c15, to: &bytes)
        return InstanceName(entropy: bytes)
    }

    static func instance(
        _ name: InstanceName, port: UInt16 = 4_000, txt: [UInt8], type: ServiceType = .member
    ) -> Instance {
        Instance(
            name: name, type: type, host: "host.local.", port: port, txt: txt, addresses: [])
    }

    /// What a member announces at an hour.
    static func announcement(
        _ name: InstanceName, port: UInt16 = 4_000, keys: [DiscoveryKey], hour: UInt64 = hour
    ) -> Instance {
        var entropy = entropy()
        let tags = keys.map { DiscoveryTag.tag(key: $0, name: name, port: port, hour: hour) }
        return instance(
            name, port: port, txt: TXTRecord(tags: tags, hour: hour, entropy: &entropy).encoded)
    }
}
