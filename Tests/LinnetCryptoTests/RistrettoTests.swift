import LinnetCrypto
import Testing

// Expected values: RFC 9496, appendix A.
struct RistrettoTests {
    private let base = hex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")

    private func scalar(_ value: UInt8) -> SecretBytes {
        Ristretto.scalar(
            reducing: SecretBytes(copying: [value] + [UInt8](repeating: 0, count: 63)))
    }

    @Test func `multiples of the generator are those of the RFC`() throws {
        #expect(try Ristretto.multiply(scalar(1), base).exposed() == base)
        #expect(
            try Ristretto.multiply(scalar(2), base).exposed()
                == hex("6a493210f7499cd17fecb510ae0cea23a110e8d5b901f8acadd3095c73a3b919"))
    }

    @Test func `an element made from a hash is that of the RFC`() {
        var hasher = SHA512Hasher()
        hasher.update(
            Array("Ristretto is traditionally a short shot of espresso coffee".utf8))
        #expect(
            Ristretto.element(from: hasher.finishSecret())
                == hex("3066f82a1a747d45120d1740f14358531a8f04bbffe6a819f86dfe50f44a0a46"))
    }

    @Test func `scalars are reduced modulo the group order`() {
        let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let reduced = Ristretto.scalar(
            reducing: SecretBytes(copying: order + [UInt8](repeating: 0, count: 32)))
        #expect(reduced.exposed() == [UInt8](repeating: 0, count: 32))
    }

    @Test func `invalid encodings, the identity and wrong lengths are refused`() {
        let invalid = [
            String(repeating: "00", count: 32),
            "00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371",
        ]
        for point in invalid {
            #expect(throws: CryptoError.badKey) {
                _ = try Ristretto.multiply(scalar(3), hex(point))
            }
        }
        #expect(throws: CryptoError.badKey) { _ = try Ristretto.multiply(scalar(0), base) }
        for count in [0, 31, 33] {
            #expect(throws: CryptoError.badLength) {
                _ = try Ristretto.multiply(scalar(3), counting(count))
            }
        }
    }
}
