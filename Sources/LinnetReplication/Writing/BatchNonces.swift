import LinnetCrypto

/// The nonces of the batches that this opening of a replica seals.
///
/// A nonce is 16 bytes drawn at the opening and a number that counts the batches that are sealed,
/// kept or not. Under the key of one author no nonce comes twice, even where a database was copied
/// or set back, and a batch that comes right after another needs none on the wire.
struct BatchNonces: Sendable {
    private static let prefixBytes = 16

    private let prefix: [UInt8]
    private var count: UInt64 = 0

    init(entropy: inout Entropy) {
        prefix = entropy.bytes(Self.prefixBytes)
    }

    mutating func next() -> [UInt8] {
        count += 1
        return prefix + count.bytes
    }

    /// Returns the nonce after this one, as `next` counts.
    static func successor(of nonce: [UInt8]) -> [UInt8] {
        let count = nonce.dropFirst(prefixBytes).reduce(0) { $0 << 8 | UInt64($1) }
        return nonce.prefix(prefixBytes) + (count &+ 1).bytes
    }
}
