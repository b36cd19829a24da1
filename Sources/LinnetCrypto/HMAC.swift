/// HMAC (RFC 2104) over BLAKE2b-512 with its block of 128 bytes, as Noise asks; keyed BLAKE2b
/// is a different function.
package enum HMAC {
    /// Number of bytes of the result.
    package static let count = 64
    private static let blockBytes = 128

    /// The 64-byte code of `secret || suffix` under `key`, which has at most 128 bytes.
    package static func authenticate(
        key: borrowing SecretBytes, _ secret: borrowing SecretBytes, suffix: [UInt8] = []
    ) -> SecretBytes {
        precondition(key.count <= blockBytes, "a longer HMAC key would have to be hashed first")
        var inner = BLAKE2bHasher(count: count)
        inner.update(padded(key, with: 0x36))
        inner.update(secret)
        inner.update(suffix)
        var outer = BLAKE2bHasher(count: count)
        outer.update(padded(key, with: 0x5c))
        outer.update(inner.finishSecret())
        return outer.finishSecret()
    }

    private static func padded(_ key: borrowing SecretBytes, with pad: UInt8) -> SecretBytes {
        let count = key.count
        return unsafe SecretBytes(count: blockBytes) { target in
            unsafe target.update(repeating: pad, count: blockBytes)
            unsafe key.withPointer { source in
                for index in 0..<count {
                    unsafe target[index] ^= source[index]
                }
            }
        }
    }
}
