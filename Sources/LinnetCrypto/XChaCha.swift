import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha-03): its nonces may be drawn at random.
package enum XChaCha {
    /// Number of bytes of a key.
    package static let keyBytes = 32
    /// Number of bytes of a nonce; a nonce must never serve twice under one key.
    package static let nonceBytes = 24
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

    /// Encrypts `plaintext` and puts the nonce before the ciphertext.
    package static func sealWithNonce(
        key: borrowing SecretBytes, nonce: [UInt8], plaintext: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        precondition(nonce.count == nonceBytes, "the nonce has \(nonceBytes) bytes")
        return unsafe [UInt8](count: nonceBytes + plaintext.count + tagBytes) { target in
            unsafe target.update(from: nonce, count: nonceBytes)
            unsafe key.withPointer { key in
                _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
                    target + nonceBytes, nil, plaintext, UInt64(plaintext.count),
                    associatedData, UInt64(associatedData.count), nil, nonce, key)
            }
        }
    }

    /// Decrypts what ``sealWithNonce(key:nonce:plaintext:associatedData:)`` made; throws
    /// ``CryptoError/badLength`` or ``CryptoError/badTag``.
    package static func openWithNonce(
        key: borrowing SecretBytes, box: [UInt8], associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        guard box.count >= nonceBytes + tagBytes else { throw .badLength }
        var status: CInt = 0
        let plaintext = unsafe [UInt8](count: box.count - nonceBytes - tagBytes) { target in
            status = unsafe box.withUnsafeBufferPointer { box in
                guard let start = box.baseAddress else { return -1 }
                return unsafe key.withPointer { key in
                    unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
                        target, nil, nil, start + nonceBytes, UInt64(box.count - nonceBytes),
                        associatedData, UInt64(associatedData.count), start, key)
                }
            }
        }
        guard status == 0 else { throw .badTag }
        return plaintext
    }

    /// Encrypts a secret.
    package static func seal(
        key: borrowing SecretBytes, nonce: [UInt8], secret: borrowing SecretBytes,
        associatedData: [UInt8]
    ) -> [UInt8] {
        let count = secret.count
        return unsafe secret.withPointer { plaintext in
            unsafe seal(
                key: key, nonce: nonce, plaintext: plaintext, count: count,
                associatedData: associatedData)
        }
    }

    /// Decrypts a secret into protected memory; errors as in
    /// ``open(key:nonce:ciphertext:associatedData:)``.
    package static func openSecret(
        key: borrowing SecretBytes, nonce: [UInt8], ciphertext: [UInt8], associatedData: [UInt8]
    ) throws(CryptoError) -> SecretBytes {
        try checkLengths(key: key, nonce: nonce, ciphertext: ciphertext)
        var status: CInt = 0
        let secret = unsafe SecretBytes(count: ciphertext.count - tagBytes) { target in
            status = unsafe open(
                into: target, key: key, nonce: nonce, ciphertext: ciphertext,
                associatedData: associatedData)
        }
        guard status == 0 else { throw .badTag }
        return secret
    }

    private static func seal(
        key: borrowing SecretBytes, nonce: [UInt8], plaintext: UnsafePointer<UInt8>,
        count: Int, associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        precondition(nonce.count == nonceBytes, "the nonce has \(nonceBytes) bytes")
        return unsafe [UInt8](count: count + tagBytes) { target in
            unsafe key.withPointer { key in
                _ = unsafe crypto_aead_xchacha20poly1305_ietf_encrypt(
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
            unsafe crypto_aead_xchacha20poly1305_ietf_decrypt(
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
