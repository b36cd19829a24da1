package import LinnetCrypto

/// A cipher key and its nonce counter: the CipherState object of the Noise specification,
/// section 5.1.
package struct CipherState: ~Copyable {
    /// The nonce that is reserved for ``rekey()`` and never encrypts a message.
    private static let reservedNonce = UInt64.max

    private var key: SecretBytes?

    /// The next message's number.
    package private(set) var nonce: UInt64

    /// A state without a key, which passes messages through.
    package init() {
        key = nil
        nonce = 0
    }

    /// A state with a 32-byte key; the nonce is not zero only in tests.
    package init(key: consuming SecretBytes, nonce: UInt64 = 0) {
        precondition(key.count == ChaChaPoly.keyBytes, "a cipher key has 32 bytes")
        self.key = consume key
        self.nonce = nonce
    }

    /// True when messages are encrypted.
    package var hasKey: Bool {
        switch key {
        case .some: true
        case .none: false
        }
    }

    /// InitializeKey with the 32 bytes of `secret` from `offset` on.
    mutating func initialize(from secret: borrowing SecretBytes, at offset: Int) {
        switch key.take() {
        case .some(var old):
            old.overwrite(with: secret, from: offset)
            key = consume old
        case .none:
            key = secret.slice(offset..<offset + ChaChaPoly.keyBytes)
        }
        nonce = 0
    }

    /// An independent state with the same key and nonce.
    package borrowing func copy() -> CipherState {
        switch key {
        case .some(let key): CipherState(key: key.copy(), nonce: nonce)
        case .none: CipherState()
        }
    }

    /// EncryptWithAd; throws ``ChannelError/nonceExhausted`` before the reserved nonce is used.
    package mutating func encrypt(
        _ plaintext: [UInt8], associatedData: [UInt8] = []
    ) throws(ChannelError) -> [UInt8] {
        switch key {
        case .none: return plaintext
        case .some(let key):
            guard nonce < Self.reservedNonce else { throw .nonceExhausted }
            let ciphertext = ChaChaPoly.seal(
                key: key, nonce: ChaChaPoly.Nonce(number: nonce), plaintext: plaintext,
                associatedData: associatedData)
            nonce += 1
            return ciphertext
        }
    }

    /// DecryptWithAd; after ``ChannelError/badTag`` the nonce stands where it was.
    package mutating func decrypt(
        _ ciphertext: [UInt8], associatedData: [UInt8] = []
    ) throws(ChannelError) -> [UInt8] {
        switch key {
        case .none: return ciphertext
        case .some(let key):
            guard nonce < Self.reservedNonce else { throw .nonceExhausted }
            let plaintext: [UInt8]
            do {
                plaintext = try ChaChaPoly.open(
                    key: key, nonce: ChaChaPoly.Nonce(number: nonce), ciphertext: ciphertext,
                    associatedData: associatedData)
            } catch {
                throw .badTag
            }
            nonce += 1
            return plaintext
        }
    }

    /// Rekey (sections 4.2 and 11.3): the key becomes the first 32 bytes of the encryption of 32
    /// zero bytes under the reserved nonce; the nonce counter goes on.
    package mutating func rekey() {
        switch key.take() {
        case .none: return
        case .some(let old):
            key = ChaChaPoly.nextKey(
                after: old, nonce: ChaChaPoly.Nonce(number: Self.reservedNonce))
        }
    }
}
