import LinnetCrypto
import Testing

let sunscreen = Array(
    ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
        + "sunscreen would be it.").utf8)

struct ChaChaPolyTests {
    let key = SharedSecret(SecretBytes(copying: (0x80...0x9f).map { $0 }))
    let nonce: ChaChaPoly.Nonce
    let associatedData = hex("50515253c0c1c2c3c4c5c6c7")

    init() throws { nonce = try #require(ChaChaPoly.Nonce(hex("070000004041424344454647"))) }

    @Test func `a nonce has twelve bytes, and a number stands in the last eight of them`() {
        #expect(ChaChaPoly.Nonce(counting(11)) == nil)
        #expect(ChaChaPoly.Nonce(counting(24)) == nil)
        #expect(
            ChaChaPoly.Nonce(number: 0x0102)
                == ChaChaPoly.Nonce([0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0]))
    }

    @Test func `a ciphertext is that of RFC 8439`() throws {
        let expected = hex(
            "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6"
                + "3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36"
                + "92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                + "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691")
        let ciphertext = ChaChaPoly.seal(
            key: key.bytes, nonce: nonce, plaintext: sunscreen, associatedData: associatedData)
        #expect(ciphertext == expected)
        #expect(
            try ChaChaPoly.open(
                key: key.bytes, nonce: nonce, ciphertext: ciphertext,
                associatedData: associatedData) == sunscreen)
    }

    @Test func `any change of any byte is noticed, in an empty message too`() {
        for plaintext in [[], sunscreen] {
            let ciphertext = ChaChaPoly.seal(
                key: key.bytes, nonce: nonce, plaintext: plaintext, associatedData: associatedData)
            for index in ciphertext.indices {
                var forged = ciphertext
                forged[index] ^= 1
                #expect(throws: CryptoError.badTag) {
                    try ChaChaPoly.open(
                        key: key.bytes, nonce: nonce, ciphertext: forged,
                        associatedData: associatedData)
                }
            }
            #expect(throws: CryptoError.badTag) {
                try ChaChaPoly.open(
                    key: key.bytes, nonce: nonce, ciphertext: ciphertext, associatedData: [])
            }
        }
    }

    @Test func `a next key is the head of an encryption of zeros`() {
        let next = ChaChaPoly.nextKey(after: key.bytes, nonce: nonce)
        let zeros = ChaChaPoly.seal(
            key: key.bytes, nonce: nonce, plaintext: [UInt8](repeating: 0, count: 32),
            associatedData: [])
        #expect(next.exposed() == Array(zeros.prefix(32)))
    }

    @Test func `what cannot be a ciphertext is refused by its length`() {
        for count in [0, 15] {
            #expect(throws: CryptoError.badLength) {
                try ChaChaPoly.open(
                    key: key.bytes, nonce: nonce, ciphertext: counting(count), associatedData: [])
            }
        }
    }
}
