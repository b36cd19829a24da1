import CSodium

/// Secret bytes in one guarded, locked heap block that is wiped when the value ends.
///
/// A move copies only the pointer, so no stale copy of the secret stays behind. The type is neither
/// `Equatable` nor printable on purpose: compare with ``equals(_:)``.
@safe
package struct SecretBytes: ~Copyable, @unchecked Sendable {
    private let base: UnsafeMutablePointer<UInt8>

    /// Number of bytes.
    package let count: Int

    /// Allocates `count` zero bytes.
    package init(zeroed count: Int) {
        Sodium.require()
        precondition(count >= 0, "a secret cannot have a negative length")
        guard let block = unsafe sodium_malloc(count) else {
            preconditionFailure("no memory for \(count) secret bytes")
        }
        unsafe sodium_memzero(block, count)
        unsafe base = block.bindMemory(to: UInt8.self, capacity: count)
        self.count = count
    }

    /// Allocates `count` bytes and lets `body` write them; they are zero before that.
    init(count: Int, writing body: (UnsafeMutablePointer<UInt8>) -> Void) {
        self.init(zeroed: count)
        unsafe body(base)
    }

    /// Copies `bytes` into protected memory; the caller's array is not wiped.
    package init(copying bytes: [UInt8]) {
        self.init(zeroed: bytes.count)
        unsafe base.update(from: bytes, count: bytes.count)
    }

    /// Joins two secrets into a new one.
    package init(joining first: borrowing SecretBytes, _ second: borrowing SecretBytes) {
        self.init(zeroed: first.count + second.count)
        unsafe base.update(from: first.base, count: first.count)
        unsafe (base + first.count).update(from: second.base, count: second.count)
    }

    /// As many secret bytes, at most `capacity`, as `body` says that it wrote to the room it gets.
    package static func filled(
        upTo capacity: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int
    ) -> SecretBytes {
        let room = SecretBytes(zeroed: capacity)
        let count = unsafe body(UnsafeMutableRawBufferPointer(start: room.base, count: capacity))
        return room.slice(0..<max(0, min(count, capacity)))
    }

    deinit {
        unsafe sodium_free(base)
    }

    /// Gives `body` the address of the bytes, valid during the call.
    borrowing func withPointer<R: ~Copyable>(_ body: (UnsafeMutablePointer<UInt8>) -> R) -> R {
        unsafe body(base)
    }

    /// Gives `body` the bytes in place; they must not be copied out of it.
    package borrowing func withBytes<R: ~Copyable, E: Error>(
        _ body: (Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        try body(unsafe Span(_unsafeStart: base, count: count))
    }

    /// A second, independent copy in protected memory.
    package borrowing func copy() -> SecretBytes {
        slice(0..<count)
    }

    /// A copy of the bytes in `range`, which must lie within `0..<count`.
    package borrowing func slice(_ range: Range<Int>) -> SecretBytes {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= count,
            "a slice of a secret must lie within it")
        let result = SecretBytes(zeroed: range.count)
        unsafe result.base.update(from: base + range.lowerBound, count: range.count)
        return result
    }

    /// Overwrites all bytes with those of `source` from `offset` on, which must be as many.
    package mutating func overwrite(with source: borrowing SecretBytes, from offset: Int = 0) {
        precondition(
            offset >= 0 && count <= source.count - offset,
            "a secret is overwritten by as many bytes as it has")
        unsafe base.update(from: source.base + offset, count: count)
    }

    /// True when both have the same length and bytes; takes time that depends on the length only.
    package borrowing func equals(_ other: borrowing SecretBytes) -> Bool {
        guard count == other.count else { return false }
        return unsafe sodium_memcmp(base, other.base, count) == 0
    }

    /// The bytes in ordinary memory, for the few places where a secret must leave the process: a
    /// ticket shown to its user, a key file.
    package borrowing func exposed() -> [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: base, count: count))
    }
}

/// A secret with shared ownership, for lists of secrets.
package final class SharedSecret: Sendable {
    /// The secret itself.
    package let bytes: SecretBytes

    /// Takes over `bytes`.
    package init(_ bytes: consuming SecretBytes) {
        self.bytes = bytes
    }
}

/// Overwrites bytes of an array that held a secret for a moment.
package func wipe(_ bytes: inout [UInt8]) {
    Sodium.require()
    unsafe bytes.withUnsafeMutableBytes { buffer in
        guard let base = buffer.baseAddress else { return }
        unsafe sodium_memzero(base, buffer.count)
    }
}

/// Returns true when both arrays have the same length and bytes, in time that depends on the length
/// only.
package func constantTimeEquals(_ first: [UInt8], _ second: [UInt8]) -> Bool {
    Sodium.require()
    guard first.count == second.count else { return false }
    return unsafe sodium_memcmp(first, second, first.count) == 0
}
