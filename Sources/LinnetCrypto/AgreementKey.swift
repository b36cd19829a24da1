import CSodium

/// An X25519 key pair (RFC 7748).
package struct AgreementKey: ~Copyable, Sendable {
    /// Number of bytes of a secret, a public key and a shared secret.
    package static let keyBytes = 32

    /// The copies of a pair share it.
    let secret: SharedSecret

    /// The public half, 32 bytes.
    package let publicKey: [UInt8]

    /// Takes over a 32-byte secret scalar.
    package init(secret: consuming SecretBytes) {
        precondition(secret.count == Self.keyBytes, "an X25519 secret has 32 bytes")
        publicKey = unsafe [UInt8](count: Self.keyBytes) { target in
            unsafe secret.withPointer { secret in
                _ = unsafe crypto_scalarmult_base(target, secret)
            }
        }
        self.secret = SharedSecret(secret)
    }

    private init(secret: SharedSecret, publicKey: [UInt8]) {
        self.secret = secret
        self.publicKey = publicKey
    }

    /// The 32-byte shared secret with the owner of `publicKey`.
    ///
    /// Throws ``CryptoError/badLength`` for a key that is not 32 bytes, and ``CryptoError/badKey``
    /// for one of low order (the all-zero check of RFC 7748 section 6.1).
    package borrowing func agree(
        with publicKey: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        var shared = SecretBytes(zeroed: Self.keyBytes)
        try agree(with: publicKey, into: &shared)
        return shared
    }

    /// The same over the 32 bytes of `shared`, since protected memory is slow to make.
    package borrowing func agree(
        with publicKey: [UInt8], into shared: inout SecretBytes
    ) throws(CryptoError) {
        precondition(shared.count == Self.keyBytes, "an X25519 shared secret has 32 bytes")
        guard publicKey.count == Self.keyBytes else { throw .badLength }
        let status = unsafe secret.bytes.withPointer { secret in
            unsafe shared.withPointer { unsafe crypto_scalarmult($0, secret, publicKey) }
        }
        guard status == 0 else { throw .badKey }
    }

    /// A second pair with the same secret.
    package borrowing func copy() -> AgreementKey {
        AgreementKey(secret: secret, publicKey: publicKey)
    }
}
