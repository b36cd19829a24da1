import CSodium

/// ChaCha20-Poly1305 (RFC 8439), the cipher of the Noise channel.
package enum ChaChaPoly {
    /// Number of bytes of a key.
    package static let keyBytes = 32
    /// Number of bytes by which a ciphertext is longer than its plaintext.
    package static let tagBytes = 16

    /// Twelve bytes that must never serve twice under one key. A type of its own: what ``XChaCha``
    /// sealed cannot be handed to this cipher by mistake, nor the other way round.
    package struct Nonce: Equatable, Sendable {
        // In place, since one is made for each message.
        private let first: UInt32
        private let second: UInt32
        private let third: UInt32

        /// Takes 12 bytes; nil for any other number of them.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == 12 else { return nil }
            self = unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: Self.self) }
        }

        /// Four zero bytes and a number in little-endian order, as section 12.3 of the Noise
        /// specification has it.
        package init(number: UInt64) {
            first = 0
            second = UInt32(truncatingIfNeeded: number).littleEndian
            third = UInt32(truncatingIfNeeded: number >> 32).littleEndian
        }

        fileprivate func withPointer<Result>(
            _ body: (UnsafePointer<UInt8>) -> Result
        ) -> Result {
            unsafe withUnsafePointer(to: self) { nonce in
                unsafe nonce.withMemoryRebound(to: UInt8.self, capacity: 12, body)
            }
        }
    }

    /// Encrypts `plaintext` and authenticates it together with `associatedData`.
    package static func seal(
        key: borrowing SecretBytes, nonce: Nonce, plaintext: [UInt8], associatedData: [UInt8]
    ) -> [UInt8] {
        unsafe seal(
            key: key, nonce: nonce, plaintext: plaintext, count: plaintext.count,
            associatedData: associatedData)
    }

    /// Decrypts what ``seal(key:nonce:plaintext:associatedData:)`` made; throws
    /// ``CryptoError/badLength`` for what is too short to be a ciphertext, and
    /// ``CryptoError/badTag`` when anything was changed.
    package static func open(
        key: borrowing SecretBytes, nonce: Nonce, ciphertext: [UInt8], associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        guard ciphertext.count >= tagBytes else { throw .badLength }
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
        after key: borrowing SecretBytes, nonce: Nonce
    ) -> SecretBytes {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        let zeros = [UInt8](repeating: 0, count: keyBytes)
        return unsafe SecretBytes(count: keyBytes + tagBytes) { target in
            unsafe key.withPointer { key in
                unsafe nonce.withPointer { nonce in
                    _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                        target, nil, zeros, UInt64(keyBytes), nil, 0, nil, nonce, key)
                }
            }
        }.slice(0..<keyBytes)
    }

    private static func seal(
        key: borrowing SecretBytes, nonce: Nonce, plaintext: UnsafePointer<UInt8>,
        count: Int, associatedData: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == keyBytes, "the key has \(keyBytes) bytes")
        return unsafe [UInt8](count: count + tagBytes) { target in
            unsafe key.withPointer { key in
                unsafe nonce.withPointer { nonce in
                    _ = unsafe crypto_aead_chacha20poly1305_ietf_encrypt(
                        target, nil, plaintext, UInt64(count),
                        associatedData, UInt64(associatedData.count), nil, nonce, key)
                }
            }
        }
    }

    private static func open(
        into target: UnsafeMutablePointer<UInt8>, key: borrowing SecretBytes, nonce: Nonce,
        ciphertext: [UInt8], associatedData: [UInt8]
    ) -> CInt {
        unsafe key.withPointer { key in
            unsafe nonce.withPointer { nonce in
                unsafe crypto_aead_chacha20poly1305_ietf_decrypt(
                    target, nil, nil, ciphertext, UInt64(ciphertext.count),
                    associatedData, UInt64(associatedData.count), nonce, key)
            }
        }
    }
}
