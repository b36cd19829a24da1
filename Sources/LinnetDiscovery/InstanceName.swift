internal import LinnetWire

/// A DNS-SD instance name that says nothing: 12 random base32 characters.
package struct InstanceName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Characters in a name.
    package static let characterCount = 12
    /// Random bytes that make one name.
    package static let entropyBytes = 8

    /// The name as it stands on the network, lower case.
    package let text: String

    /// A fresh name from at least `entropyBytes` random bytes.
    package init(entropy: [UInt8]) {
        precondition(
            entropy.count >= Self.entropyBytes, "an instance name needs 8 random bytes")
        let encoded = TextAlphabet.base32.encode(Array(entropy.prefix(Self.entropyBytes)))
        text = String(encoded.prefix(Self.characterCount))
    }

    /// A name heard on the network; nil unless it is exactly 12 lower-case base32 characters.
    package init?(heard bytes: [UInt8]) {
        guard bytes.count == Self.characterCount, bytes.allSatisfy(Self.isBase32) else {
            return nil
        }
        text = String(decoding: bytes, as: UTF8.self)
    }

    /// The three characters both screens show while pairing.
    package var shortForm: String { String(text.prefix(3)) }

    package var description: String { text }

    package static func < (left: InstanceName, right: InstanceName) -> Bool {
        left.text < right.text
    }

    private static func isBase32(_ byte: UInt8) -> Bool {
        (0x61...0x7a).contains(byte) || (0x32...0x37).contains(byte)
    }
}
