import LinnetCrypto
import Testing

struct EntropyTests {
    // ChaCha20 (RFC 8439) with the nonce "LibsodiumDRG", computed by another implementation: bytes
    // 32... of the first block of 512, and of the block keyed by bytes 0..<32 of the first.
    @Test func `the bytes are those of the documented construction`() {
        var entropy = Entropy(seed: countingSecret(32))
        #expect(
            entropy.bytes(32)
                == hex("f346ba50723a68ae283524a6bded09f83be6b80595856f72e25b86918e8b114b"))
        _ = entropy.bytes(448)
        #expect(entropy.bytes(8) == hex("9eda865749e52c74"))
    }

    @Test func `the same seed gives the same bytes however they are drawn`() {
        var whole = Entropy(seed: countingSecret(32))
        var pieces = Entropy(seed: countingSecret(32))
        let expected = whole.bytes(3_000)
        var drawn: [UInt8] = []
        for count in [1, 0, 478, 2, 3, 1_000, 516, 1_000] {
            drawn += count.isMultiple(of: 2) ? pieces.bytes(count) : pieces.secret(count).exposed()
        }
        #expect(drawn == expected)
    }

    @Test func `different seeds give different bytes`() {
        var first = Entropy(seed: SystemEntropy.seed())
        var second = Entropy(seed: SystemEntropy.seed())
        #expect(first.bytes(32) != second.bytes(32))
    }

    @Test func `uniform numbers stay below the bound and reach every value`() {
        var entropy = Entropy(seed: countingSecret(32))
        var seen = [Int](repeating: 0, count: 6)
        for _ in 0..<6_000 { seen[Int(entropy.uniform(below: 6))] += 1 }
        #expect(seen.allSatisfy { (850...1_150).contains($0) })
        #expect(entropy.uniform(below: 1) == 0)
        let half: UInt32 = 1 << 31
        let large = (0..<64).filter { _ in entropy.uniform(below: half + 1) > half / 2 }
        #expect(!large.isEmpty && large.count < 64)
    }

    @Test func `a seed of another length is refused`() async {
        await #expect(processExitsWith: .failure) { _ = Entropy(seed: SecretBytes(zeroed: 31)) }
        await #expect(processExitsWith: .failure) {
            var entropy = Entropy(seed: SecretBytes(zeroed: 32))
            _ = entropy.uniform(below: 0)
        }
    }
}
