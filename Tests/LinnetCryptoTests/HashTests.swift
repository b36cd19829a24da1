import LinnetCrypto
import Testing

struct HashTests {
    @Test func `BLAKE2b gives the result of RFC 7693`() {
        let expected =
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923"
        #expect(Hash.blake2b(nil, Array("abc".utf8), count: 64) == hex(expected))
        #expect(Hash.blake2b(nil, Array("a".utf8), Array("bc".utf8), count: 64) == hex(expected))
    }

    // Expected values of the next two: Python's hashlib.
    @Test func `a label comes before the parts`() {
        #expect(
            Hash.blake2b(.author, [UInt8](repeating: 0, count: 40), count: 16)
                == hex("aea9bf894fa5ff8756bc0ebafbd71d9b"))
    }

    @Test func `a keyed hash gives the result of another implementation`() {
        let expected = hex("a3bf431215cdfb178777b85f64514f22ee53cbbcd6aa5157adfe48887e7553f8")
        #expect(Hash.keyed(by: countingSecret(32), .psk, Array("group".utf8)) == expected)
        #expect(
            KeyDerivation.derive(countingSecret(32), .psk, Array("group".utf8)).exposed()
                == expected)
    }

    @Test func `SHA-512 gives the result of FIPS 180-4`() {
        let expected = hex(
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
        #expect(Hash.sha512(Array("ab".utf8), Array("c".utf8)) == expected)
        var hasher = SHA512Hasher()
        hasher.update(SecretBytes(copying: Array("ab".utf8)))
        hasher.update(Array("c".utf8))
        #expect(hasher.finishSecret().exposed() == expected)
    }

    @Test func `public and secret bytes hash alike, piece by piece`() {
        var hasher = BLAKE2bHasher(key: countingSecret(64), count: 16)
        hasher.update(counting(200))
        hasher.update(SecretBytes(copying: counting(200)))
        hasher.update([])
        #expect(
            hasher.finishSecret().exposed()
                == Hash.keyed(by: countingSecret(64), nil, counting(200) + counting(200), count: 16)
        )
    }

    @Test func `unusable lengths are refused`() async {
        await #expect(processExitsWith: .failure) { _ = Hash.blake2b(nil, count: 65) }
        await #expect(processExitsWith: .failure) {
            _ = Hash.keyed(by: SecretBytes(zeroed: 15), nil)
        }
    }
}
