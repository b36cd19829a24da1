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

    /// Takes the chaining key from the beginning of 192 bytes and writes the three outputs over
    /// them; the first one is the next chaining key. They lie together since protected memory is
    /// slow to make.
    package static func advance(
        _ outputs: inout SecretBytes, input: borrowing SecretBytes
    ) {
        let count = input.count
        unsafe input.withPointer { unsafe advance(&outputs, $0, count) }
    }

    /// The same for an input that is public.
    package static func advance(_ outputs: inout SecretBytes, input: [UInt8]) {
        unsafe advance(&outputs, input, input.count)
    }

    private static func advance(
        _ outputs: inout SecretBytes, _ input: UnsafePointer<UInt8>, _ inputCount: Int
    ) {
        precondition(outputs.count == third.upperBound, "three outputs of HKDF have 192 bytes")
        unsafe withTemporary(outputBytes) { extracted in
            unsafe outputs.withPointer { first in
                let (second, third) = unsafe (first + second.lowerBound, first + third.lowerBound)
                unsafe authenticate(key: first, into: extracted) {
                    unsafe $0.update(input, count: inputCount)
                }
                unsafe authenticate(key: extracted, into: first) { $0.update([1]) }
                unsafe authenticate(key: extracted, into: second) {
                    unsafe $0.update(first, count: outputBytes)
                    $0.update([2])
                }
                unsafe authenticate(key: extracted, into: third) {
                    unsafe $0.update(second, count: outputBytes)
                    $0.update([3])
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
