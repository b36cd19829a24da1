import CSodium

/// An Ed25519 key pair (RFC 8032) that signs labelled messages only.
package struct SigningKey: ~Copyable, Sendable {
    /// Number of bytes of a seed and of a public key.
    package static let keyBytes = 32
    /// Number of bytes of a signature.
    package static let signatureBytes = 64

    private let secret: SecretBytes

    /// The public half, 32 bytes.
    package let publicKey: [UInt8]

    /// Derives the pair from a 32-byte seed.
    package init(seed: borrowing SecretBytes) {
        precondition(seed.count == Self.keyBytes, "an Ed25519 seed has 32 bytes")
        var publicKey = [UInt8](repeating: 0, count: Self.keyBytes)
        secret = unsafe seed.withPointer { seed in
            unsafe SecretBytes(count: 64) { secret in
                _ = unsafe crypto_sign_seed_keypair(
                    &publicKey, secret, seed)
            }
        }
        self.publicKey = publicKey
    }

    /// The 64-byte signature over `label || message`.
    package borrowing func sign(_ label: Label, _ message: [UInt8]) -> [UInt8] {
        let labelled = label.bytes + message
        return unsafe [UInt8](count: Self.signatureBytes) { signature in
            unsafe secret.withPointer { secret in
                _ = unsafe crypto_sign_detached(
                    signature, nil, labelled, UInt64(labelled.count), secret)
            }
        }
    }

    /// Returns true when the owner of `publicKey` made `signature` over `label || message`; wrong
    /// lengths and keys of low order count as no.
    package static func isValid(
        _ signature: [UInt8], _ label: Label, _ message: [UInt8], publicKey: [UInt8]
    ) -> Bool {
        Sodium.require()
        guard signature.count == signatureBytes, publicKey.count == keyBytes else { return false }
        let labelled = label.bytes + message
        return unsafe crypto_sign_verify_detached(
            signature, labelled, UInt64(labelled.count), publicKey) == 0
    }
}
