package import LinnetCrypto
package import LinnetWire

/// The TXT record of a member: `v=1`, `t=` four tags in base64url, `h=` the Unix hour.
///
/// Encoded as RFC 6763, section 6: strings of `key=value`, each after its length.
package struct TXTRecord: Equatable, Sendable {
    /// Tags in every record; those that no group needs are random.
    package static let tagCount = 4
    /// The record of a device that is being paired: the version alone.
    package static let pairing = encode([("v", "1")])

    /// Exactly `tagCount` tags.
    package let tags: [Bytes8]
    /// The hour of the announcer's clock, in clear, below 2^40.
    package let hour: UInt64

    /// Our announcement: at most `tagCount` true tags among random ones, in random order.
    package init(tags: [Bytes8], hour: UInt64, entropy: inout Entropy) {
        precondition(tags.count <= Self.tagCount, "a record has four tags")
        var shuffled = tags
        while shuffled.count < Self.tagCount {
            shuffled.append(Bytes8(entropy.bytes(8)) ?? .zero)
        }
        for index in (1..<Self.tagCount).reversed() {
            shuffled.swapAt(index, Int(entropy.uniform(below: UInt32(index + 1))))
        }
        self.tags = shuffled
        self.hour = hour
    }

    /// A record from the network; nil unless all three keys are there and well formed.
    ///
    /// More than 256 bytes are not read; unknown keys are ignored, and so is every occurrence of
    /// a key but its first.
    package init?(heard bytes: [UInt8]) {
        guard let values = Self.values(bytes), values["v"] == Array("1".utf8),
            let encoded = values["t"], let decimal = values["h"],
            let hour = Self.hour(decimal),
            let all = TextAlphabet.base64URL.decode(String(decoding: encoded, as: UTF8.self)),
            all.count == Self.tagCount * 8
        else { return nil }
        tags = stride(from: 0, to: all.count, by: 8).compactMap { Bytes8(Array(all[$0..<$0 + 8])) }
        self.hour = hour
    }

    /// The record's bytes.
    package var encoded: [UInt8] {
        let tagText = TextAlphabet.base64URL.encode(tags.flatMap(\.array))
        return Self.encode([("v", "1"), ("t", tagText), ("h", String(hour))])
    }

    /// Returns true when bytes from the network are the record of a device that is being paired.
    package static func isPairing(heard bytes: [UInt8]) -> Bool {
        values(bytes)?["v"] == Array("1".utf8)
    }

    private static func encode(_ pairs: [(key: String, value: String)]) -> [UInt8] {
        pairs.flatMap { pair in
            let text = Array("\(pair.key)=\(pair.value)".utf8)
            return [UInt8(truncatingIfNeeded: text.count)] + text
        }
    }

    /// The values of our three keys; nil when a length points past the end.
    private static func values(_ bytes: [UInt8]) -> OrderedTable<String, [UInt8]>? {
        guard bytes.count <= Limits.discoveryTextBytes else { return nil }
        var values = OrderedTable<String, [UInt8]>()
        var rest = bytes[...]
        while let length = rest.popFirst() {
            guard rest.count >= Int(length) else { return nil }
            let text = rest.prefix(Int(length))
            rest = rest.dropFirst(Int(length))
            for key in ["v", "t", "h"] where values[key] == nil {
                let prefix = Array("\(key)=".utf8)
                let folded = text.prefix(1).map { $0 | 0x20 } + text.dropFirst().prefix(1)
                if folded == prefix { values[key] = Array(text.dropFirst(2)) }
            }
        }
        return values
    }

    /// A decimal number without leading zeros, below 2^40.
    private static func hour(_ decimal: [UInt8]) -> UInt64? {
        guard (1...13).contains(decimal.count), decimal.count == 1 || decimal.first != 0x30,
            decimal.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        let value = decimal.reduce(UInt64(0)) { $0 * 10 + UInt64($1 - 0x30) }
        return value < 1 << 40 ? value : nil
    }
}
