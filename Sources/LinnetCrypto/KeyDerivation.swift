/// Derivation of one key from another.
package enum KeyDerivation {
    /// `BLAKE2b(key: key, label || data)`, `count` bytes (16...64); the key has 16...64 bytes.
    package static func derive(
        _ key: borrowing SecretBytes, _ label: Label, _ data: [UInt8] = [], count: Int = 32
    ) -> SecretBytes {
        var hasher = BLAKE2bHasher(key: key, count: count)
        hasher.update(label)
        hasher.update(data)
        return hasher.finishSecret()
    }
}
