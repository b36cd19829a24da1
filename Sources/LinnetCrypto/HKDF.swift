import CSodium

/// HKDF (RFC 5869, with empty info) over HMAC-BLAKE2b-512, as the Noise specification defines it in
/// section 4.3; its HMAC (RFC 2104) has blocks of 128 bytes and is not keyed BLAKE2b.
package enum HKDF {
    /// Number of bytes of one output.
    package static let outputBytes = 64
    private static let blockBytes = 128

    /// Replaces a chaining key by the first output and fills `second` and `third` with the other
    /// two; all three have 64 bytes. Whoever needs only two outputs leaves the third.
    package static func advance(
        chainingKey: inout SecretBytes, input: borrowing SecretBytes, second: inout SecretBytes,
        third: inout SecretBytes
    ) {
        let count = input.count
        unsafe input.withPointer {
            unsafe advance(&chainingKey, $0, count, &second, &third)
        }
    }

    /// The same for an input that is public.
    package static func advance(
        chainingKey: inout SecretBytes, input: [UInt8], second: inout SecretBytes,
        third: inout SecretBytes
    ) {
        unsafe advance(&chainingKey, input, input.count, &second, &third)
    }

    private static func advance(
        _ chainingKey: inout SecretBytes, _ input: UnsafePointer<UInt8>, _ inputCount: Int,
        _ second: inout SecretBytes, _ third: inout SecretBytes
    ) {
        precondition(
            chainingKey.count == outputBytes && second.count == outputBytes
                && third.count == outputBytes, "an output of HKDF has 64 bytes")
        unsafe withTemporary(outputBytes) { extracted in
            unsafe chainingKey.withPointer { first in
                unsafe authenticate(key: first, into: extracted) {
                    unsafe $0.update(input, count: inputCount)
                }
                unsafe authenticate(key: extracted, into: first) { $0.update([1]) }
                unsafe second.withPointer { second in
                    unsafe authenticate(key: extracted, into: second) {
                        unsafe $0.update(first, count: outputBytes)
                        $0.update([2])
                    }
                    unsafe third.withPointer { third in
                        unsafe authenticate(key: extracted, into: third) {
                            unsafe $0.update(second, count: outputBytes)
                            $0.update([3])
                        }
                    }
                }
            }
        }
    }

    /// HMAC under a key of 64 bytes.
    private static func authenticate(
        key: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>,
        message: (inout BLAKE2bHasher) -> Void
    ) {
        unsafe withTemporary(outputBytes) { digest in
            unsafe BLAKE2bHasher.hash(count: outputBytes, into: digest) { inner in
                unsafe absorb(key, pad: 0x36, into: &inner)
                message(&inner)
            }
            unsafe BLAKE2bHasher.hash(count: outputBytes, into: target) { outer in
                unsafe absorb(key, pad: 0x5c, into: &outer)
                unsafe outer.update(digest, count: outputBytes)
            }
        }
    }

    private static func absorb(
        _ key: UnsafePointer<UInt8>, pad: UInt8, into hasher: inout BLAKE2bHasher
    ) {
        unsafe withTemporary(blockBytes) { block in
            unsafe block.update(repeating: pad, count: blockBytes)
            for index in 0..<outputBytes {
                unsafe block[index] ^= key[index]
            }
            unsafe hasher.update(block, count: blockBytes)
        }
    }

    /// Gives `body` memory on the stack that is wiped afterwards.
    @inline(__always)
    private static func withTemporary(
        _ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void
    ) {
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { buffer in
            guard let base = buffer.baseAddress else { return }
            unsafe body(base)
            unsafe sodium_memzero(base, count)
        }
    }
}
