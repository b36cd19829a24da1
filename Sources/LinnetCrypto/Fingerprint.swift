/// A public key as a few English words that two people can compare aloud.
package enum Fingerprint {
    /// Number of words; eight bits each, so 48 bits.
    package static let wordCount = 6

    /// The words of a public key, always the same six.
    package static func words(of publicKey: [UInt8]) -> [String] {
        Hash.blake2b(.fingerprint, publicKey).prefix(wordCount).map {
            FingerprintWords.all[Int($0)]
        }
    }
}
