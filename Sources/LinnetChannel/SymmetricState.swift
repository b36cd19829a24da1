package import LinnetCrypto

/// The chaining key, the handshake hash and a cipher state: the SymmetricState object of the Noise
/// specification, section 5.2, with BLAKE2b.
package struct SymmetricState: ~Copyable {
    private static let hashBytes = 64

    /// The last output of HKDF; the chaining key comes first.
    private var outputs: SecretBytes
    private var cipher: CipherState

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
        let others = [UInt8](repeating: 0, count: HKDF.third.upperBound - Self.hashBytes)
        outputs = SecretBytes(copying: handshakeHash + others)
        cipher = CipherState()
    }

    private init(
        outputs: consuming SecretBytes, cipher: consuming CipherState, handshakeHash: [UInt8]
    ) {
        self.outputs = outputs
        self.cipher = cipher
        self.handshakeHash = handshakeHash
    }

    /// An independent state that goes on from the same point.
    package borrowing func copy() -> SymmetricState {
        SymmetricState(
            outputs: outputs.copy(), cipher: cipher.copy(), handshakeHash: handshakeHash)
    }

    /// Goes back to the point at which `earlier` was copied.
    mutating func restore(from earlier: borrowing SymmetricState) {
        outputs.overwrite(with: earlier.outputs)
        cipher = earlier.cipher.copy()
        handshakeHash = earlier.handshakeHash
    }

    /// MixKey.
    package mutating func mixKey(_ input: borrowing SecretBytes) {
        HKDF.advance(&outputs, input: input, outputs: 2)
        cipher.initialize(from: outputs, at: HKDF.second.lowerBound)
    }

    /// MixKey with an ephemeral public key.
    package mutating func mixKey(_ publicKey: [UInt8]) {
        HKDF.advance(&outputs, input: publicKey, outputs: 2)
        cipher.initialize(from: outputs, at: HKDF.second.lowerBound)
    }

    /// MixHash.
    package mutating func mixHash(_ data: [UInt8]) {
        handshakeHash = Hash.blake2b(nil, handshakeHash, data, count: Self.hashBytes)
    }

    /// MixKeyAndHash, for pre-shared keys.
    package mutating func mixKeyAndHash(_ input: borrowing SecretBytes) {
        HKDF.advance(&outputs, input: input)
        var hasher = BLAKE2bHasher(count: Self.hashBytes)
        hasher.update(handshakeHash)
        hasher.update(outputs, HKDF.second)
        handshakeHash = hasher.finish()
        cipher.initialize(from: outputs, at: HKDF.third.lowerBound)
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

    /// True when a public key in a message is encrypted, and so 16 bytes longer.
    package var hasKey: Bool { cipher.hasKey }

    /// Split: the transport state of `role`, whose first cipher state is the initiator's. The
    /// second key is written over 32 bytes that nobody needs any more.
    package consuming func split(
        role: HandshakeRole, over room: consuming SecretBytes, rekeyIntervalMessages: UInt64
    ) -> TransportState {
        HKDF.advance(&outputs, input: [], outputs: 2)
        cipher.initialize(from: outputs, at: 0)
        room.overwrite(with: outputs, from: HKDF.second.lowerBound)
        let responder = CipherState(key: room)
        switch role {
        case .initiator:
            return TransportState(
                sending: cipher, receiving: responder,
                rekeyIntervalMessages: rekeyIntervalMessages)
        case .responder:
            return TransportState(
                sending: responder, receiving: cipher,
                rekeyIntervalMessages: rekeyIntervalMessages)
        }
    }
}
