package import LinnetCrypto

/// Six decimal digits that one device shows and a person types on the other.
package struct PairingCode: Equatable, Sendable {
    /// Number of digits.
    package static let digitCount = 6
    private static let codeCount: UInt32 = 1_000_000

    private let number: UInt32

    /// Draws a code, all equally likely.
    package init(entropy: inout Entropy) {
        number = entropy.uniform(below: Self.codeCount)
    }

    /// Reads what a person typed: six digits, with spaces and hyphens anywhere.
    package init(parsing text: String) throws(MembershipError) {
        var number: UInt32 = 0
        var count = 0
        for character in text.unicodeScalars {
            switch character {
            case "0"..."9":
                count += 1
                guard count <= Self.digitCount else { throw .codeNotSixDigits }
                number = number * 10 + (character.value - 48)
            case " ", "-", "\u{a0}", "\t", "\n", "\r":
                continue
            default:
                throw .codeNotSixDigits
            }
        }
        guard count == Self.digitCount else { throw .codeNotSixDigits }
        self.number = number
    }

    /// The digits, as they are shown and as they enter the key exchange.
    package var digits: String {
        let text = String(number)
        return String(repeating: "0", count: Self.digitCount - text.count) + text
    }
}
