import CSodium

/// BLAKE2b (RFC 7693), fed piece by piece; its state is wiped when the value ends.
@safe
package struct BLAKE2bHasher: ~Copyable {
    // The C type is aligned more strictly than Swift imports: it is handled by address only.
    private let state: OpaquePointer
    /// True when the state is the hasher's own, and not borrowed from the stack.
    private let isOwner: Bool
    private let count: Int

    private static let stateBytes = crypto_generichash_statebytes()
    private static let stateAlignment = 64
    /// The size of a state on the stack, with room to align it; the compiler has to know it.
    private static var stackBytes: Int { 512 }

    /// An unkeyed hash of `count` bytes, 16...64.
    package init(count: Int = 32) {
        unsafe self.init(count: count, key: nil, keyCount: 0, memory: nil)
    }

    /// A keyed hash of `count` bytes, 16...64; the key has 16...64 bytes.
    package init(key: borrowing SecretBytes, count: Int = 32) {
        precondition((16...64).contains(key.count), "a BLAKE2b key has 16 to 64 bytes")
        let keyCount = key.count
        self = unsafe key.withPointer {
            unsafe BLAKE2bHasher(count: count, key: $0, keyCount: keyCount, memory: nil)
        }
    }

    private init(
        count: Int, key: UnsafePointer<UInt8>?, keyCount: Int, memory: UnsafeMutableRawPointer?
    ) {
        Sodium.require()
        precondition((16...64).contains(count), "a BLAKE2b hash has 16 to 64 bytes")
        isOwner = unsafe memory == nil
        unsafe state = OpaquePointer(
            memory
                ?? UnsafeMutableRawPointer.allocate(
                    byteCount: Self.stateBytes, alignment: Self.stateAlignment))
        self.count = count
        _ = unsafe crypto_generichash_init(state, key, keyCount, count)
    }

    deinit {
        let block = unsafe UnsafeMutableRawPointer(state)
        unsafe sodium_memzero(block, Self.stateBytes)
        if isOwner { unsafe block.deallocate() }
    }

    /// Writes the unkeyed hash of what `message` appends to `target`, with a state on the stack,
    /// which is wiped as any other.
    @inline(__always)
    static func hash(
        count: Int, into target: UnsafeMutablePointer<UInt8>,
        _ message: (inout BLAKE2bHasher) -> Void
    ) {
        precondition(stateBytes + stateAlignment <= stackBytes, "a state fits its room")
        unsafe withUnsafeTemporaryAllocation(byteCount: stackBytes, alignment: 16) { memory in
            let start = unsafe memory.baseAddress?.alignedUp(toMultipleOf: stateAlignment)
            var hasher = unsafe BLAKE2bHasher(
                count: count, key: nil, keyCount: 0, memory: start)
            message(&hasher)
            unsafe hasher.finish(into: target)
        }
    }

    /// Appends a label.
    mutating func update(_ label: Label) {
        var text = label.rawValue
        text.withUTF8 { text in
            guard let base = text.baseAddress else { return }
            unsafe update(base, count: text.count)
        }
    }

    /// Appends public bytes.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe update(bytes, count: bytes.count)
    }

    /// Appends secret bytes.
    package mutating func update(_ secret: borrowing SecretBytes) {
        update(secret, 0..<secret.count)
    }

    /// Appends a part of secret bytes.
    package mutating func update(_ secret: borrowing SecretBytes, _ range: Range<Int>) {
        precondition(range.upperBound <= secret.count, "a part of a secret must lie within it")
        let state = unsafe state
        unsafe secret.withPointer {
            _ = unsafe crypto_generichash_update(
                state, $0 + range.lowerBound, UInt64(range.count))
        }
    }

    /// Appends `count` bytes from `source`.
    mutating func update(_ source: UnsafePointer<UInt8>, count: Int) {
        _ = unsafe crypto_generichash_update(state, source, UInt64(count))
    }

    /// The hash as a public value.
    package consuming func finish() -> [UInt8] {
        unsafe [UInt8](count: count) { unsafe finish(into: $0) }
    }

    /// The hash in protected memory.
    package consuming func finishSecret() -> SecretBytes {
        unsafe SecretBytes(count: count) { unsafe finish(into: $0) }
    }

    /// Writes the hash to `target`; the hasher has no further use.
    borrowing func finish(into target: UnsafeMutablePointer<UInt8>) {
        _ = unsafe crypto_generichash_final(state, target, count)
    }
}
