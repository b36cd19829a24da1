import LinnetCrypto
import Testing

/// Points of small order and their non-canonical encodings, for which X25519 gives zero.
let lowOrderPoints = [
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]

struct AgreementKeyTests {
    @Test func `a shared secret is that of RFC 7748`() throws {
        let key = AgreementKey(
            secret: SecretBytes(
                copying: hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")))
        #expect(
            try key.agree(
                with: hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
            ).exposed()
                == hex("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"))
        let bob = AgreementKey(
            secret: SecretBytes(
                copying: hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")))
        #expect(
            bob.publicKey
                == hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        #expect(
            try bob.agree(
                with: hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
            ).exposed()
                == hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"))
    }

    @Test(arguments: lowOrderPoints) func `a point of low order is refused`(point: String) {
        let key = AgreementKey(secret: countingSecret(32))
        #expect(throws: CryptoError.badKey) { _ = try key.agree(with: hex(point)) }
        var highBit = hex(point)
        highBit[31] |= 0x80
        #expect(throws: CryptoError.badKey) { _ = try key.agree(with: highBit) }
    }

    @Test func `a public key of another length is refused`() {
        let key = AgreementKey(secret: countingSecret(32))
        for count in [0, 31, 33] {
            #expect(throws: CryptoError.badLength) { _ = try key.agree(with: counting(count)) }
        }
    }

    @Test func `a copy agrees alike`() throws {
        let key = AgreementKey(secret: countingSecret(32))
        let peer = AgreementKey(secret: SecretBytes(copying: [UInt8](repeating: 9, count: 32)))
        let copy = key.copy()
        #expect(copy.publicKey == key.publicKey)
        #expect(
            try copy.agree(with: peer.publicKey).exposed()
                == peer.agree(with: key.publicKey).exposed())
    }
}
