import CSodium

/// HKDF (RFC 5869, with empty info) over HMAC-BLAKE2b-512, as the Noise specification defines it in
/// section 4.3; its HMAC (RFC 2104) has blocks of 128 bytes and is not keyed BLAKE2b.
package enum HKDF {
    /// Number of bytes of one output.
    package static let outputBytes = 64
    private static let blockBytes = 128

    /// `outputs` (2 or 3) outputs of 64 bytes, joined, from a salt of at most 128 bytes.
    package static func derive(
        salt: borrowing SecretBytes, input: borrowing SecretBytes, outputs: Int
    ) -> SecretBytes {
        precondition((2...3).contains(outputs), "Noise asks HKDF for two or three outputs")
        precondition(salt.count <= blockBytes, "a longer HMAC key would have to be hashed first")
        let extracted = unsafe SecretBytes(count: outputBytes) { target in
            unsafe authenticate(key: salt, into: target) { $0.update(input) }
        }
        return unsafe SecretBytes(count: outputs * outputBytes) { target in
            for index in 0..<outputs {
                let start = unsafe target + index * outputBytes
                unsafe authenticate(key: extracted, into: start) { hasher in
                    if index > 0 {
                        unsafe hasher.update(start - outputBytes, count: outputBytes)
                    }
                    hasher.update([UInt8(index + 1)])
                }
            }
        }
    }

    private static func authenticate(
        key: borrowing SecretBytes, into target: UnsafeMutablePointer<UInt8>,
        message: (inout BLAKE2bHasher) -> Void
    ) {
        var inner = BLAKE2bHasher(count: outputBytes)
        absorb(key, pad: 0x36, into: &inner)
        message(&inner)
        unsafe inner.finish(into: target)
        var outer = BLAKE2bHasher(count: outputBytes)
        absorb(key, pad: 0x5c, into: &outer)
        unsafe outer.update(target, count: outputBytes)
        unsafe outer.finish(into: target)
    }

    private static func absorb(
        _ key: borrowing SecretBytes, pad: UInt8, into hasher: inout BLAKE2bHasher
    ) {
        let count = key.count
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: blockBytes) { block in
            unsafe block.initialize(repeating: pad)
            unsafe key.withPointer { source in
                for index in 0..<count {
                    unsafe block[index] ^= source[index]
                }
            }
            guard let base = block.baseAddress else { return }
            unsafe hasher.update(base, count: blockBytes)
            unsafe sodium_memzero(base, blockBytes)
        }
    }
}
