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

    /// Goes on from the state of another hasher.
    private init(copying other: OpaquePointer, count: Int, memory: UnsafeMutableRawPointer?) {
        isOwner = unsafe memory == nil
        let block =
            unsafe memory
            ?? UnsafeMutableRawPointer.allocate(
                byteCount: Self.stateBytes, alignment: Self.stateAlignment)
        unsafe block.copyMemory(
            from: UnsafeRawPointer(other), byteCount: Self.stateBytes)
        unsafe state = OpaquePointer(block)
        self.count = count
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
        unsafe onStack {
            unsafe BLAKE2bHasher(count: count, key: nil, keyCount: 0, memory: $0)
        } _: { hasher in
            message(&hasher)
            unsafe hasher.finish(into: target)
        }
    }

    /// Gives `body` an unkeyed hash of `count` bytes, whose state is on the stack.
    @inline(__always)
    static func begun(count: Int, _ body: (inout BLAKE2bHasher) -> Void) {
        unsafe onStack(
            { unsafe BLAKE2bHasher(count: count, key: nil, keyCount: 0, memory: $0) }, body)
    }

    /// Writes the hash of what was appended so far and of what `message` appends to `target`; this
    /// hasher stays as it is.
    @inline(__always)
    borrowing func branch(
        into target: UnsafeMutablePointer<UInt8>, _ message: (inout BLAKE2bHasher) -> Void
    ) {
        let (state, count) = unsafe (state, count)
        unsafe Self.onStack {
            unsafe BLAKE2bHasher(copying: state, count: count, memory: $0)
        } _: { hasher in
            message(&hasher)
            unsafe hasher.finish(into: target)
        }
    }

    /// Gives `body` the hasher that `make` begins in memory on the stack.
    @inline(__always)
    private static func onStack(
        _ make: (UnsafeMutableRawPointer?) -> BLAKE2bHasher,
        _ body: (inout BLAKE2bHasher) -> Void
    ) {
        precondition(stateBytes + stateAlignment <= stackBytes, "a state fits its room")
        unsafe withUnsafeTemporaryAllocation(byteCount: stackBytes, alignment: 16) { memory in
            var hasher = unsafe make(
                memory.baseAddress?.alignedUp(toMultipleOf: stateAlignment))
            body(&hasher)
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
