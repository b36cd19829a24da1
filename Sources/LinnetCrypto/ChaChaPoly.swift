import CSodium

/// ChaCha20-Poly1305 (RFC 8439), the cipher of the Noise channel.
package enum ChaChaPoly {
    /// Number of bytes of a key.
    package static let keyBytes = 32
    /// Number of bytes of a nonce; a nonce must never serve twice under one key.
    package static let nonceBytes = 12
    /// Number of bytes by which a ciphertext is longer than its plaintext.
    package static let tagBytes = 16

    /// Encrypts `plaintext` and authenticates it together with `associatedData`.
    package static func seal(
        key: borrowing SecretBytes, nonce: [UInt8], plaintext: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        unsafe seal(
            key: key, nonce: nonce, plaintext: plaintext, count: plaintext.count,
            associatedData: associatedData)
    }

    /// Decrypts what ``seal(key:nonce:plaintext:associatedData:)`` made; throws
    /// ``CryptoError/badLength`` for a nonce or ciphertext that cannot be one, and
    /// ``CryptoError/badTag`` when anything was changed.
    package static func open(
        key: borrowing SecretBytes, nonce: [UInt8], ciphertext: [UInt8], associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try checkLengths(key: key, nonce: nonce, ciphertext: ciphertext)
        var status: CInt = 0
        let plaintext = unsafe [UInt8](count: ciphertext.count - tagBytes) { target in
            status = unsafe open(
                into: target, key: key, nonce: nonce, ciphertext: ciphertext,
                associatedData: associatedData)
        }
        guard status == 0 else { throw .badTag }
        return plaintext
    }

    /// A key made from another: the first 32 bytes of the encryption of 32 zero bytes, which is the
    /// REKEY function of the Noise specification, section 4.2.
    package static func nextKey(
        after key: borrowing SecretBytes, nonce: [UInt8]
    ) -> SecretBytes {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        precondition(nonce.count == nonceBytes, "the nonce has \(nonceBytes) bytes")
        let zeros = [UInt8](repeating: 0, count: keyBytes)
        return unsafe SecretBytes(count: keyBytes + tagBytes) { target in
            unsafe key.withPointer { key in
                _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                    target, nil, zeros, UInt64(keyBytes), nil, 0, nil, nonce, key)
            }
        }.slice(0..<keyBytes)
    }

    private static func seal(
        key: borrowing SecretBytes, nonce: [UInt8], plaintext: UnsafePointer<UInt8>,
        count: Int, associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        precondition(nonce.count == nonceBytes, "the nonce has \(nonceBytes) bytes")
        return unsafe [UInt8](count: count + tagBytes) { target in
            unsafe key.withPointer { key in
                _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                    target, nil, plaintext, UInt64(count),
                    associatedData, UInt64(associatedData.count), nil, nonce, key)
            }
        }
    }

    private static func open(
        into target: UnsafeMutablePointer<UInt8>, key: borrowing SecretBytes, nonce: [UInt8],
        ciphertext: [UInt8], associatedData: [UInt8]
    ) -> CInt {
        unsafe key.withPointer { key in
            unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
                target, nil, nil, ciphertext, UInt64(ciphertext.count),
                associatedData, UInt64(associatedData.count), nonce, key)
        }
    }

    private static func checkLengths(
        key: borrowing SecretBytes, nonce: [UInt8], ciphertext: [UInt8]
    ) throws(CryptoError) {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        guard nonce.count == nonceBytes, ciphertext.count >= tagBytes else { throw .badLength }
    }
}
