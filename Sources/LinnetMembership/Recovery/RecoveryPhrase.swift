package import LinnetCrypto
import LinnetWire

/// The text from which a group's recovery key is derived, in the form in which it is hashed: ASCII
/// letters are small, and every run of spaces, tabs, line breaks and hyphens is one space.
package struct RecoveryPhrase: Sendable {
    /// The number of words of a phrase that is drawn: 90 bits.
    package static let wordCount = 7
    /// The fewest characters of a phrase that a person chooses.
    package static let fewestCharacters = 12
    /// The most bytes of a phrase.
    package static let limitBytes = 1024

    /// The bytes that are hashed.
    package let secret: SharedSecret

    /// Takes a phrase as it was typed. Throws ``MembershipError/recoveryPhraseTooShort`` and
    /// ``MembershipError/recoveryPhraseTooLong``.
    package init(typed bytes: borrowing SecretBytes) throws(MembershipError) {
        guard bytes.count <= Self.limitBytes else { throw .recoveryPhraseTooLong }
        let form = unsafe SecretBytes.filled(upTo: Self.limitBytes) { target in
            bytes.withBytes { unsafe Self.write($0, to: target) }
        }
        let characters = form.withBytes { span in
            span.indices.count { span[$0] & 0xc0 != 0x80 }
        }
        guard characters >= Self.fewestCharacters else { throw .recoveryPhraseTooShort }
        secret = SharedSecret(form)
    }

    /// Draws seven words.
    package static func drawn(
        _ entropy: inout Entropy
    ) throws(MembershipError) -> (phrase: RecoveryPhrase, words: [String]) {
        let all = RecoveryWords.all
        let words = (0..<wordCount).map { _ in
            String(all[Int(entropy.uniform(below: UInt32(all.count)))])
        }
        let text = Array(words.joined(separator: " ").utf8)
        return (try RecoveryPhrase(typed: SecretBytes(copying: text)), words)
    }

    /// True for seven words of the list from which phrases are drawn: 90 bits that nobody guesses.
    package var isDrawn: Bool {
        let parts = String(decoding: secret.bytes.exposed(), as: UTF8.self).split(
            separator: " ", omittingEmptySubsequences: false
        ).map(String.init)
        // A few words of the list have a hyphen, which is a gap here.
        guard (Self.wordCount...2 * Self.wordCount).contains(parts.count) else { return false }
        let words = OrderedSet(
            RecoveryWords.all.map { $0.split(separator: "-").joined(separator: " ") })
        var ends = OrderedSet([0])
        for _ in 0..<Self.wordCount {
            var next = OrderedSet<Int>()
            for start in ends {
                for end in start + 1...start + 2 where end <= parts.count {
                    if words.contains(parts[start..<end].joined(separator: " ")) {
                        next.insert(end)
                    }
                }
            }
            ends = next
        }
        return ends.contains(parts.count)
    }

    /// Writes the form of a phrase; returns its number of bytes.
    private static func write(
        _ typed: Span<UInt8>, to target: UnsafeMutableRawBufferPointer
    ) -> Int {
        var (count, isGap) = (0, false)
        for index in typed.indices {
            let byte = typed[index]
            if [0x20, 0x09, 0x0a, 0x0d, 0x2d].contains(byte) {
                isGap = count > 0
                continue
            }
            if isGap {
                unsafe target[count] = 0x20
                count += 1
                isGap = false
            }
            unsafe target[count] = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
            count += 1
        }
        return count
    }
}
