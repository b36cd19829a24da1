package import LinnetCrypto
package import LinnetMembership
import LinnetWire

/// A card sealed under a key that stands beside it, or that is made of a passphrase.
///
/// "LNTC", version u8 (1), lock u8 (0 key, 1 passphrase), key 32 or salt 16, nonce 24, ciphertext.
/// The plaintext is the size of the card (u32) and its raw deflate stream. The costs of the
/// passphrase are fixed, so that nobody's card makes a reader work or allocate more.
package enum CardBox {
    /// Number of bytes of a salt.
    package static let saltBytes = 16

    private static let magic = Array("LNTC".utf8)
    private static let version: UInt8 = 1
    private static let keyLock: UInt8 = 0
    private static let phraseLock: UInt8 = 1
    private static let lockOffset = 5
    private static let headBytes = 6

    /// Seals a card; without a phrase its key stands in the box.
    package static func seal(
        _ card: EmergencyCard, phrase: RecoveryPhrase?, entropy: inout Entropy
    ) throws(CardError) -> [UInt8] {
        var box = magic + [version, phrase == nil ? keyLock : phraseLock]
        let key: SharedSecret
        if let phrase {
            let salt = entropy.bytes(saltBytes)
            key = try self.key(of: phrase, salt: salt)
            box += salt
        } else {
            key = SharedSecret(entropy.secret(XChaCha.keyBytes))
            box += key.bytes.exposed()
        }
        let nonce = entropy.bytes(XChaCha.nonceBytes)
        box += nonce
        var plaintext: [UInt8] = []
        BigEndian.append(UInt32(card.bytes.count), to: &plaintext)
        plaintext += Deflate.compress(card.bytes)
        box += XChaCha.seal(
            key: key.bytes, nonce: nonce, plaintext: plaintext, associatedData: box)
        guard box.count <= Limits.cardBoxBytes else { throw .tooLarge }
        return box
    }

    /// Returns true for bytes that begin as a box does.
    package static func isBegun(by bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

    /// Returns true when a box asks for a passphrase.
    package static func needsPhrase(_ box: [UInt8]) throws(CardError) -> Bool {
        guard isBegun(by: box) else { throw .notACard }
        guard box.count <= Limits.cardBoxBytes else { throw .tooLarge }
        guard box.count > lockOffset else { throw .truncated }
        guard box[magic.count] == version, box[lockOffset] <= phraseLock else {
            throw .fromTheFuture
        }
        return box[lockOffset] == phraseLock
    }

    /// Opens a box and checks the card in it; a phrase that is not asked for is not used.
    package static func open(
        _ box: [UInt8], phrase: RecoveryPhrase?
    ) throws(CardError) -> EmergencyCard {
        let isLocked = try needsPhrase(box)
        let nonceOffset = headBytes + (isLocked ? saltBytes : XChaCha.keyBytes)
        let start = nonceOffset + XChaCha.nonceBytes
        guard box.count >= start + XChaCha.tagBytes + 4 else { throw .truncated }
        let secret = Array(box[headBytes..<nonceOffset])
        let key: SharedSecret
        if isLocked {
            guard let phrase else { throw .passphraseNeeded }
            key = try self.key(of: phrase, salt: secret)
        } else {
            key = SharedSecret(SecretBytes(copying: secret))
        }
        let plaintext: [UInt8]
        do throws(CryptoError) {
            plaintext = try XChaCha.open(
                key: key.bytes, nonce: Array(box[nonceOffset..<start]),
                ciphertext: Array(box[start...]), associatedData: Array(box[..<start]))
        } catch {
            throw isLocked ? .wrongPassphrase : .damaged
        }
        return try EmergencyCard(decoding: expand(plaintext))
    }

    /// The stream must yield exactly the size that stands before it, which is bounded.
    private static func expand(_ plaintext: [UInt8]) throws(CardError) -> [UInt8] {
        let count = plaintext.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard count <= Limits.cardBytes else { throw .tooLarge }
        let stream = Array(plaintext.dropFirst(4))
        do throws(WireError) {
            let (output, consumed) = try Deflate.decompress(stream, exactly: count)
            guard consumed == stream.count else { throw .trailingBytes }
            return output
        } catch {
            throw .damaged
        }
    }

    private static func key(
        of phrase: RecoveryPhrase, salt: [UInt8]
    ) throws(CardError) -> SharedSecret {
        do throws(CryptoError) {
            return SharedSecret(
                try PasswordHash.argon2id(
                    password: phrase.secret.bytes, salt: salt, cost: .standard,
                    count: XChaCha.keyBytes))
        } catch {
            throw error == .outOfMemory ? .outOfMemory : .damaged
        }
    }
}
