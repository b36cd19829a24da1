import CSodium
import LinnetCrypto
import Testing

struct SealedBoxTests {
    private static func recipient() -> AgreementKey { AgreementKey(secret: countingSecret(32)) }

    @Test(arguments: [0, 1, 32, 64, 1_000])
    func `libsodium opens what a given ephemeral key sealed`(count: Int) throws {
        let recipient = Self.recipient()
        let box = try SealedBox.seal(
            countingSecret(count), to: recipient.publicKey,
            ephemeral: SecretBytes(copying: [UInt8](repeating: 7, count: 32)))
        #expect(box.count == count + SealedBox.overheadBytes)
        var opened = [UInt8](repeating: 0, count: count)
        let status = unsafe crypto_box_seal_open(
            &opened, box, UInt64(box.count), recipient.publicKey, counting(32))
        #expect(status == 0)
        #expect(opened == counting(count))
        #expect(try SealedBox.open(box, with: recipient).exposed() == counting(count))
    }

    @Test func `what libsodium sealed opens`() throws {
        let recipient = Self.recipient()
        var box = [UInt8](repeating: 0, count: 5 + SealedBox.overheadBytes)
        _ = unsafe crypto_box_seal(&box, counting(5), 5, recipient.publicKey)
        #expect(try SealedBox.open(box, with: recipient).exposed() == counting(5))
    }

    @Test func `the same ephemeral key seals the same bytes`() throws {
        let recipient = Self.recipient()
        let boxes = try (0..<2).map { _ in
            try SealedBox.seal(
                countingSecret(9), to: recipient.publicKey, ephemeral: SecretBytes(zeroed: 32))
        }
        #expect(boxes[0] == boxes[1])
    }

    @Test func `a changed box, another key and a short box are refused`() throws {
        let recipient = Self.recipient()
        let box = try SealedBox.seal(
            countingSecret(4), to: recipient.publicKey, ephemeral: SecretBytes(zeroed: 32))
        for index in box.indices {
            var forged = box
            forged[index] ^= 1
            #expect(throws: CryptoError.badTag) {
                _ = try SealedBox.open(forged, with: recipient)
            }
        }
        #expect(throws: CryptoError.badTag) {
            _ = try SealedBox.open(box, with: AgreementKey(secret: SecretBytes(zeroed: 32)))
        }
        #expect(throws: CryptoError.badLength) {
            _ = try SealedBox.open(Array(box.prefix(47)), with: recipient)
        }
    }

    @Test func `nothing is sealed to an unusable key`() {
        for (point, error) in [
            (counting(31), CryptoError.badLength), (hex(lowOrderPoints[2]), .badKey),
        ] {
            #expect(throws: error) {
                try SealedBox.seal(
                    SecretBytes(zeroed: 1), to: point, ephemeral: countingSecret(32))
            }
        }
    }
}
