import LinnetCrypto
import Testing

struct XChaChaTests {
    let key = SharedSecret(SecretBytes(copying: (0x80...0x9f).map { $0 }))
    let nonce = (0x40...0x57).map { UInt8($0) }
    let associatedData = hex("50515253c0c1c2c3c4c5c6c7")

    @Test func `a ciphertext is that of the draft`() throws {
        let expected = hex(
            "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb"
                + "731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b72e1213b452"
                + "2f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
                + "21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49")
        let ciphertext = XChaCha.seal(
            key: key.bytes, nonce: nonce, plaintext: sunscreen, associatedData: associatedData)
        #expect(ciphertext == expected)
        #expect(
            try XChaCha.open(
                key: key.bytes, nonce: nonce, ciphertext: ciphertext,
                associatedData: associatedData) == sunscreen)
    }

    @Test func `a secret is sealed and opened like public bytes`() throws {
        let sealed = XChaCha.seal(
            key: key.bytes, nonce: nonce, secret: SecretBytes(copying: sunscreen),
            associatedData: associatedData)
        #expect(
            try XChaCha.open(
                key: key.bytes, nonce: nonce, ciphertext: sealed, associatedData: associatedData)
                == sunscreen)
        #expect(
            try XChaCha.openSecret(
                key: key.bytes, nonce: nonce, ciphertext: sealed, associatedData: associatedData
            ).exposed() == sunscreen)
    }

    @Test func `any change of any byte is noticed, in an empty message too`() {
        for plaintext in [[], sunscreen] {
            let ciphertext = XChaCha.seal(
                key: key.bytes, nonce: nonce, plaintext: plaintext, associatedData: [])
            for index in ciphertext.indices {
                var forged = ciphertext
                forged[index] ^= 0x80
                #expect(throws: CryptoError.badTag) {
                    try XChaCha.open(
                        key: key.bytes, nonce: nonce, ciphertext: forged, associatedData: [])
                }
                #expect(throws: CryptoError.badTag) {
                    _ = try XChaCha.openSecret(
                        key: key.bytes, nonce: nonce, ciphertext: forged, associatedData: [])
                }
            }
        }
    }

    @Test func `what cannot be a ciphertext is refused by its length`() {
        #expect(throws: CryptoError.badLength) {
            try XChaCha.open(
                key: key.bytes, nonce: nonce, ciphertext: counting(15), associatedData: [])
        }
        #expect(throws: CryptoError.badLength) {
            _ = try XChaCha.openSecret(
                key: key.bytes, nonce: counting(25), ciphertext: counting(16), associatedData: [])
        }
    }
}
