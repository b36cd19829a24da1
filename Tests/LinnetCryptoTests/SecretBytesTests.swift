import LinnetCrypto
import Testing

struct SecretBytesTests {
    @Test func `a secret holds the bytes it was given`() {
        let secret = countingSecret(5)
        #expect(secret.count == 5)
        #expect(secret.exposed() == [0, 1, 2, 3, 4])
        #expect(secret.withBytes { $0[4] } == 4)
        #expect(SecretBytes(zeroed: 3).exposed() == [0, 0, 0])
        #expect(SecretBytes(zeroed: 0).exposed().isEmpty)
    }

    @Test func `copies, slices and joins are independent of their source`() {
        let joined: SecretBytes
        do {
            let secret = countingSecret(8)
            let copy = secret.copy()
            let slice = secret.slice(2..<5)
            joined = SecretBytes(joining: copy, slice)
        }
        #expect(joined.exposed() == [0, 1, 2, 3, 4, 5, 6, 7, 2, 3, 4])
        #expect(joined.slice(11..<11).count == 0)
    }

    @Test func `a secret is overwritten by as many bytes as it has`() async {
        var secret = SecretBytes(zeroed: 4)
        secret.overwrite(with: countingSecret(9))
        #expect(secret.exposed() == [0, 1, 2, 3])
        await #expect(processExitsWith: .failure) {
            var secret = SecretBytes(zeroed: 4)
            secret.overwrite(with: SecretBytes(zeroed: 3))
        }
    }

    @Test func `equality needs the same length and every byte`() {
        let secret = countingSecret(32)
        #expect(secret.equals(countingSecret(32)) == true)
        #expect(secret.equals(countingSecret(31)) == false)
        for index in 0..<32 {
            var bytes = counting(32)
            bytes[index] ^= 0x80
            #expect(secret.equals(SecretBytes(copying: bytes)) == false)
            #expect(!constantTimeEquals(counting(32), bytes))
        }
        #expect(constantTimeEquals([], []))
        #expect(!constantTimeEquals([0], []))
    }

    @Test func `a shared secret keeps its bytes`() {
        let list = [SharedSecret(countingSecret(3)), SharedSecret(SecretBytes(zeroed: 1))]
        #expect(list.map { $0.bytes.exposed() } == [[0, 1, 2], [0]])
    }

    @Test func `a slice outside the secret is refused`() async {
        await #expect(processExitsWith: .failure) { _ = SecretBytes(zeroed: 4).slice(2..<5) }
        await #expect(processExitsWith: .failure) { _ = SecretBytes(zeroed: -1) }
    }
}
