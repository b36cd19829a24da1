import CSodium

/// The anonymous public-key box of libsodium's `crypto_box_seal`, made from a given ephemeral key
/// so that a seed replays it; `crypto_box_seal_open` opens it.
package enum SealedBox {
    /// Number of bytes by which a box is longer than its content.
    package static let overheadBytes = 48

    /// Seals `plaintext` to the owner of the 32-byte `publicKey`; `ephemeral` is a fresh 32-byte
    /// secret.
    ///
    /// Throws ``CryptoError/badLength`` or ``CryptoError/badKey`` for an unusable public key.
    package static func seal(
        _ plaintext: borrowing SecretBytes, to publicKey: [UInt8],
        ephemeral: consuming SecretBytes
    ) throws(CryptoError) -> [UInt8] {
        guard publicKey.count == AgreementKey.keyBytes else { throw .badLength }
        let pair = AgreementKey(secret: ephemeral)
        let nonce = Hash.blake2b(nil, pair.publicKey, publicKey, count: 24)
        var status: CInt = 0
        let count = plaintext.count
        let box = unsafe [UInt8](count: count + 16) { target in
            unsafe plaintext.withPointer { plaintext in
                unsafe pair.secret.bytes.withPointer { secret in
                    status = unsafe crypto_box_easy(
                        target, plaintext, UInt64(count), nonce,
                        publicKey, secret)
                }
            }
        }
        guard status == 0 else { throw .badKey }
        return pair.publicKey + box
    }

    /// Opens a box that was sealed to `pair`; throws ``CryptoError/badLength`` when it is too short
    /// to be one, ``CryptoError/badTag`` when it was sealed to another key or changed.
    package static func open(
        _ box: [UInt8], with pair: borrowing AgreementKey
    ) throws(CryptoError) -> SecretBytes {
        guard box.count >= overheadBytes else { throw .badLength }
        let publicKey = pair.publicKey
        var status: CInt = 0
        let plaintext = unsafe pair.secret.bytes.withPointer { secret in
            unsafe SecretBytes(count: box.count - overheadBytes) { target in
                status = unsafe crypto_box_seal_open(
                    target, box, UInt64(box.count), publicKey, secret)
            }
        }
        guard status == 0 else { throw .badTag }
        return plaintext
    }
}
