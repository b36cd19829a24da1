import CSodium

/// A deterministic source of random bytes: the same seed gives the same bytes for ever.
///
/// A fast-key-erasure generator: each refill replaces the key by the first 32 bytes of its own
/// ChaCha20 output, and what is handed out is wiped, so earlier output cannot be recovered.
package struct Entropy: ~Copyable, Sendable {
    private static let keyBytes = 32
    private static let poolBytes = 512

    private var key: SecretBytes
    private var pool: SecretBytes
    private var used: Int

    /// Starts from a 32-byte seed.
    package init(seed: consuming SecretBytes) {
        precondition(seed.count == Self.keyBytes, "a seed has 32 bytes")
        key = seed
        pool = SecretBytes(zeroed: Self.poolBytes)
        used = Self.poolBytes
    }

    /// The next `count` random bytes as a public value (nonces, identifiers).
    package mutating func bytes(_ count: Int) -> [UInt8] {
        unsafe [UInt8](count: count) {
            unsafe draw(count, into: $0)
        }
    }

    /// The next `count` random bytes in protected memory (keys, scalars, seeds).
    package mutating func secret(_ count: Int) -> SecretBytes {
        unsafe SecretBytes(count: count) {
            unsafe draw(count, into: $0)
        }
    }

    /// A uniform number below `bound`, which must be positive; unbiased, by rejection.
    package mutating func uniform(below bound: UInt32) -> UInt32 {
        precondition(bound > 0, "no number lies below zero")
        let threshold = (0 &- bound) % bound
        while true {
            let candidate = bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
            if candidate >= threshold { return candidate % bound }
        }
    }

    private mutating func draw(_ count: Int, into target: UnsafeMutablePointer<UInt8>) {
        var written = 0
        while written < count {
            if used == Self.poolBytes { refill() }
            let length = min(Self.poolBytes - used, count - written)
            let (from, to) = (used, written)
            unsafe pool.withPointer { source in
                unsafe (target + to).update(from: source + from, count: length)
                unsafe sodium_memzero(source + from, length)
            }
            used += length
            written += length
        }
    }

    private mutating func refill() {
        unsafe key.withPointer { key in
            unsafe pool.withPointer { pool in
                unsafe randombytes_buf_deterministic(pool, Self.poolBytes, key)
                unsafe key.update(from: pool, count: Self.keyBytes)
                unsafe sodium_memzero(pool, Self.keyBytes)
            }
        }
        used = Self.keyBytes
    }
}

/// The operating system's randomness: used by the shell to seed ``Entropy``, never by pure code.
package enum SystemEntropy {
    /// A fresh 32-byte seed.
    package static func seed() -> SecretBytes {
        unsafe SecretBytes(count: 32) {
            unsafe randombytes_buf($0, 32)
        }
    }
}
