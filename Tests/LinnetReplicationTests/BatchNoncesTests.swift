import LinnetCrypto
import Testing

@testable import LinnetReplication

@Suite struct BatchNoncesTests {
    private func nonces(_ seed: UInt8) -> BatchNonces {
        var entropy = Entropy(seed: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
        return BatchNonces(entropy: &entropy)
    }

    @Test func `each nonce is the successor of the one before it`() {
        var nonces = nonces(1)
        var previous = nonces.next()
        #expect(previous.count == BatchMessage.nonceBytes)
        for _ in 0..<600 {
            let nonce = nonces.next()
            #expect(nonce == BatchNonces.successor(of: previous))
            #expect(nonce != previous)
            previous = nonce
        }
    }

    @Test func `another opening shares no nonce, and a peer's last one has a successor`() {
        var (first, second) = (nonces(1), nonces(2))
        let (left, right) = (first.next(), second.next())
        #expect(left.prefix(16) != right.prefix(16))
        let last = [UInt8](repeating: 0xff, count: 24)
        #expect(
            BatchNonces.successor(of: last) == last.prefix(16) + [UInt8](repeating: 0, count: 8))
    }
}
