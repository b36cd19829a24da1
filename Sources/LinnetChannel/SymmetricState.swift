package import LinnetCrypto

/// The chaining key, the handshake hash and a cipher state: the SymmetricState object of the Noise
/// specification, section 5.2, with BLAKE2b.
package struct SymmetricState: ~Copyable {
    private static let hashBytes = 64

    private var chainingKey: SecretBytes
    private var cipher: CipherState
    // What HKDF puts out beside the chaining key; kept because protected memory is slow to make.
    private var second = SecretBytes(zeroed: HKDF.outputBytes)
    private var third = SecretBytes(zeroed: HKDF.outputBytes)

    /// The hash of everything that was exchanged so far.
    package private(set) var handshakeHash: [UInt8]

    /// InitializeSymmetric; a name of at most 64 bytes is padded instead of hashed.
    package init(protocolName: String) {
        let name = Array(protocolName.utf8)
        if name.count <= Self.hashBytes {
            handshakeHash = name + [UInt8](repeating: 0, count: Self.hashBytes - name.count)
        } else {
            handshakeHash = Hash.blake2b(nil, name, count: Self.hashBytes)
        }
        chainingKey = SecretBytes(copying: handshakeHash)
        cipher = CipherState()
    }

    private init(
        chainingKey: consuming SecretBytes, cipher: consuming CipherState, handshakeHash: [UInt8]
    ) {
        self.chainingKey = chainingKey
        self.cipher = cipher
        self.handshakeHash = handshakeHash
    }

    /// An independent state that goes on from the same point.
    package borrowing func copy() -> SymmetricState {
        SymmetricState(
            chainingKey: chainingKey.copy(), cipher: cipher.copy(), handshakeHash: handshakeHash)
    }

    /// Goes back to the point at which `earlier` was copied.
    mutating func restore(from earlier: borrowing SymmetricState) {
        chainingKey.overwrite(withPrefixOf: earlier.chainingKey)
        cipher = earlier.cipher.copy()
        handshakeHash = earlier.handshakeHash
    }

    /// MixKey.
    package mutating func mixKey(_ input: borrowing SecretBytes) {
        HKDF.advance(chainingKey: &chainingKey, input: input, second: &second, third: &third)
        cipher.initialize(from: second)
    }

    /// MixKey with an ephemeral public key.
    package mutating func mixKey(_ publicKey: [UInt8]) {
        HKDF.advance(chainingKey: &chainingKey, input: publicKey, second: &second, third: &third)
        cipher.initialize(from: second)
    }

    /// MixHash.
    package mutating func mixHash(_ data: [UInt8]) {
        handshakeHash = Hash.blake2b(nil, handshakeHash, data, count: Self.hashBytes)
    }

    /// MixKeyAndHash, for pre-shared keys.
    package mutating func mixKeyAndHash(_ input: borrowing SecretBytes) {
        HKDF.advance(chainingKey: &chainingKey, input: input, second: &second, third: &third)
        var hasher = BLAKE2bHasher(count: Self.hashBytes)
        hasher.update(handshakeHash)
        hasher.update(second)
        handshakeHash = hasher.finish()
        cipher.initialize(from: third)
    }

    /// EncryptAndHash.
    package mutating func encryptAndHash(_ plaintext: [UInt8]) throws(ChannelError) -> [UInt8] {
        let ciphertext = try cipher.encrypt(plaintext, associatedData: handshakeHash)
        mixHash(ciphertext)
        return ciphertext
    }

    /// DecryptAndHash.
    package mutating func decryptAndHash(_ ciphertext: [UInt8]) throws(ChannelError) -> [UInt8] {
        let plaintext = try cipher.decrypt(ciphertext, associatedData: handshakeHash)
        mixHash(ciphertext)
        return plaintext
    }

    /// Whether a public key in a message is encrypted, and so 16 bytes longer.
    package var hasKey: Bool { cipher.hasKey }

    /// Split: the transport state of `role`, whose first cipher state is the initiator's.
    package consuming func split(
        role: HandshakeRole, rekeyIntervalMessages: UInt64
    ) -> TransportState {
        HKDF.advance(chainingKey: &chainingKey, input: [], second: &second, third: &third)
        let initiator = CipherState(key: chainingKey.slice(0..<ChaChaPoly.keyBytes))
        let responder = CipherState(key: second.slice(0..<ChaChaPoly.keyBytes))
        switch role {
        case .initiator:
            return TransportState(
                sending: initiator, receiving: responder,
                rekeyIntervalMessages: rekeyIntervalMessages)
        case .responder:
            return TransportState(
                sending: responder, receiving: initiator,
                rekeyIntervalMessages: rekeyIntervalMessages)
        }
    }
}
