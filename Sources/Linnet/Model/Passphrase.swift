package import LinnetCrypto

/// The text that a person types to open a device's key file, kept in protected memory.
public struct Passphrase: Sendable {
    /// The most bytes that a passphrase may have.
    public static let limitBytes = 1024

    /// The bytes of the passphrase.
    package let secret: SharedSecret

    /// Takes a passphrase as text; nil unless it has 1 to 1,024 bytes.
    ///
    /// The text itself stays wherever the caller has it: prefer ``init(bytes:)`` and wipe the
    /// bytes.
    public init?(_ text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// Takes a passphrase as bytes, which it copies; nil unless there are 1 to 1,024.
    public init?(bytes: [UInt8]) {
        self.init(SecretBytes(copying: bytes))
    }

    /// Takes over the bytes of a passphrase; nil unless there are 1 to 1,024.
    package init?(_ bytes: consuming SecretBytes) {
        let count = bytes.count
        guard (1...Self.limitBytes).contains(count) else { return nil }
        secret = SharedSecret(bytes)
    }
}
