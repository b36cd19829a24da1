public import LinnetCard
import LinnetCrypto
import LinnetMembership
import LinnetSystem

extension EmergencyCard {
    /// Seals the card for a file under a passphrase, in which capitals and the kind of gaps between
    /// words do not matter.
    public func sealed(by passphrase: Passphrase) throws(CardError) -> [UInt8] {
        var entropy = Entropy(seed: SystemEntropy.seed())
        return try CardBox.seal(self, phrase: passphrase.card(), entropy: &entropy)
    }

    /// Returns the card as texts, of which each fits into one QR code. They carry their own key:
    /// whoever has all of them can read the card.
    public func parts() throws(CardError) -> [String] {
        var entropy = Entropy(seed: SystemEntropy.seed())
        return try CardParts.split(try CardBox.seal(self, phrase: nil, entropy: &entropy))
    }

    /// Reads a card and checks its signature; this needs no home, no group and no network.
    ///
    /// - Parameters:
    ///   - bytes: a sealed file, or text that holds all parts of one card in any order.
    ///   - passphrase: the passphrase of a file that was sealed by one.
    public init(reading bytes: [UInt8], passphrase: Passphrase? = nil) throws(CardError) {
        let box = CardBox.isBegun(by: bytes) ? bytes : try CardParts.join(bytes)
        guard try CardBox.needsPhrase(box) else {
            self = try CardBox.open(box, phrase: nil)
            return
        }
        guard let passphrase else { throw .passphraseNeeded }
        self = try CardBox.open(box, phrase: passphrase.card())
    }

    /// Returns true for bytes that begin as a sealed file does.
    public static func isSealed(_ bytes: [UInt8]) -> Bool { CardBox.isBegun(by: bytes) }

    /// Draws the seven words of a passphrase that nobody has seen.
    public static func drawPassphrase() throws(CardError) -> [String] {
        var entropy = Entropy(seed: SystemEntropy.seed())
        do {
            return try RecoveryPhrase.drawn(&entropy).words
        } catch {
            throw .passphraseTooShort
        }
    }
}

extension Passphrase {
    /// The same text as the phrase of a card.
    func card() throws(CardError) -> RecoveryPhrase {
        do {
            return try RecoveryPhrase(typed: secret.bytes)
        } catch {
            throw error == .recoveryPhraseTooLong ? .passphraseTooLong : .passphraseTooShort
        }
    }
}
