import CSodium

/// SHA-256 and its HMAC, which stores of others ask for; nothing of Linnet's own is hashed by them.
package enum SHA256 {
    /// Number of bytes of a hash.
    package static let count = 32

    /// Returns the hash (FIPS 180-4) of public bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        Sodium.require()
        return unsafe [UInt8](count: count) {
            _ = unsafe crypto_hash_sha256($0, bytes, UInt64(bytes.count))
        }
    }

    /// Returns HMAC-SHA-256 (RFC 2104) of a public message under a key of any length.
    package static func authenticate(
        _ message: [UInt8], by key: borrowing SecretBytes
    ) -> SecretBytes {
        var state = crypto_auth_hmacsha256_state()
        let length = key.count
        unsafe key.withPointer {
            _ = unsafe crypto_auth_hmacsha256_init(&state, $0, length)
        }
        _ = unsafe crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
        let code = unsafe SecretBytes(count: count) {
            _ = unsafe crypto_auth_hmacsha256_final(&state, $0)
        }
        unsafe sodium_memzero(&state, MemoryLayout<crypto_auth_hmacsha256_state>.size)
        return code
    }
}
