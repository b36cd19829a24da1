/// One-shot hashes of public bytes.
package enum Hash {
    /// BLAKE2b (RFC 7693) of the label and the parts, one after the other; 16...64 bytes.
    ///
    /// Parts are joined without lengths: at most one of them may vary in length.
    package static func blake2b(
        _ label: Label?, _ parts: [UInt8]..., count: Int = 32
    ) -> [UInt8] {
        unsafe [UInt8](count: count) { target in
            unsafe BLAKE2bHasher.hash(count: count, into: target) { hasher in
                if let label { hasher.update(label) }
                for part in parts { hasher.update(part) }
            }
        }
    }

    /// BLAKE2b keyed by a secret, as a public value: a tag or an identifier; 16...64 bytes.
    package static func keyed(
        by key: borrowing SecretBytes, _ label: Label?, _ parts: [UInt8]..., count: Int = 32
    ) -> [UInt8] {
        var hasher = BLAKE2bHasher(key: key, count: count)
        if let label { hasher.update(label) }
        for part in parts { hasher.update(part) }
        return hasher.finish()
    }

    /// SHA-512 (FIPS 180-4) of the parts, one after the other; 64 bytes.
    package static func sha512(_ parts: [UInt8]...) -> [UInt8] {
        var hasher = SHA512Hasher()
        for part in parts { hasher.update(part) }
        return hasher.finish()
    }
}
