import CSodium

/// HKDF (RFC 5869, with empty info) over HMAC-BLAKE2b-512, as the Noise specification defines it in
/// section 4.3; its HMAC (RFC 2104) has blocks of 128 bytes and is not keyed BLAKE2b.
package enum HKDF {
    /// Number of bytes of one output.
    package static let outputBytes = 64
    /// The place of the second output.
    package static let second = outputBytes..<2 * outputBytes
    /// The place of the third output.
    package static let third = 2 * outputBytes..<3 * outputBytes
    private static let blockBytes = 128

    /// Takes the chaining key from the beginning of 192 bytes and writes the outputs over them; the
    /// first one is the next chaining key. They lie together since protected memory is slow to
    /// make.
    ///
    /// - Parameter wanted: the outputs that are written, 2 or 3; without the third its place keeps
    ///   what it held.
    package static func advance(
        _ outputs: inout SecretBytes, input: borrowing SecretBytes, outputs wanted: Int = 3
    ) {
        let count = input.count
        unsafe input.withPointer { unsafe advance(&outputs, $0, count, wanted) }
    }

    /// The same for an input that is public.
    package static func advance(
        _ outputs: inout SecretBytes, input: [UInt8], outputs wanted: Int = 3
    ) {
        unsafe advance(&outputs, input, input.count, wanted)
    }

    private static func advance(
        _ outputs: inout SecretBytes, _ input: UnsafePointer<UInt8>, _ inputCount: Int,
        _ wanted: Int
    ) {
        precondition(outputs.count == third.upperBound, "three outputs of HKDF have 192 bytes")
        precondition((2...3).contains(wanted), "HKDF is asked for two outputs or three")
        unsafe withTemporary(outputBytes) { extracted in
            unsafe outputs.withPointer { first in
                unsafe withKey(first) { inner, outer in
                    unsafe authenticate(inner, outer, into: extracted) {
                        unsafe $0.update(input, count: inputCount)
                    }
                }
                unsafe withKey(extracted) { inner, outer in
                    for number in 1...wanted {
                        let target = unsafe first + (number - 1) * outputBytes
                        unsafe authenticate(inner, outer, into: target) { hasher in
                            if number > 1 {
                                unsafe hasher.update(target - outputBytes, count: outputBytes)
                            }
                            var mark = UInt8(number)
                            unsafe hasher.update(&mark, count: 1)
                        }
                    }
                }
            }
        }
    }

    /// Gives `body` the inner and the outer hash of HMAC with a key of 64 bytes absorbed, from
    /// which each message goes on.
    @inline(__always)
    private static func withKey(
        _ key: UnsafePointer<UInt8>,
        _ body: (borrowing BLAKE2bHasher, borrowing BLAKE2bHasher) -> Void
    ) {
        BLAKE2bHasher.begun(count: outputBytes) { inner in
            unsafe absorb(key, pad: 0x36, into: &inner)
            BLAKE2bHasher.begun(count: outputBytes) { outer in
                unsafe absorb(key, pad: 0x5c, into: &outer)
                body(inner, outer)
            }
        }
    }

    /// HMAC under the key that both hashes absorbed.
    @inline(__always)
    private static func authenticate(
        _ inner: borrowing BLAKE2bHasher, _ outer: borrowing BLAKE2bHasher,
        into target: UnsafeMutablePointer<UInt8>, message: (inout BLAKE2bHasher) -> Void
    ) {
        unsafe withTemporary(outputBytes) { digest in
            unsafe inner.branch(into: digest, message)
            unsafe outer.branch(into: target) {
                unsafe $0.update(digest, count: outputBytes)
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
