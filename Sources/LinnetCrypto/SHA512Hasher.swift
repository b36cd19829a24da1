import CSodium

/// SHA-512 (FIPS 180-4), fed piece by piece; its state is wiped when the value ends.
@safe
package struct SHA512Hasher: ~Copyable {
    private let state: UnsafeMutablePointer<crypto_hash_sha512_state>

    /// Number of bytes of the hash.
    package static let count = 64

    /// An empty hash.
    package init() {
        Sodium.require()
        unsafe state = .allocate(capacity: 1)
        _ = unsafe crypto_hash_sha512_init(state)
    }

    deinit {
        unsafe sodium_memzero(state, MemoryLayout<crypto_hash_sha512_state>.size)
        unsafe state.deallocate()
    }

    /// Appends public bytes.
    package mutating func update(_ bytes: [UInt8]) {
        _ = unsafe crypto_hash_sha512_update(state, bytes, UInt64(bytes.count))
    }

    /// Appends secret bytes.
    package mutating func update(_ secret: borrowing SecretBytes) {
        let (state, count) = unsafe (state, UInt64(secret.count))
        unsafe secret.withPointer {
            _ = unsafe crypto_hash_sha512_update(state, $0, count)
        }
    }

    /// The 64-byte hash as a public value.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](count: Self.count) {
            _ = unsafe crypto_hash_sha512_final(state, $0)
        }
    }

    /// The 64-byte hash in protected memory.
    package consuming func finishSecret() -> SecretBytes {
        unsafe SecretBytes(count: Self.count) {
            _ = unsafe crypto_hash_sha512_final(state, $0)
        }
    }
}
