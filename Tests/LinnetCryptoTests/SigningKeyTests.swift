import LinnetCrypto
import Testing

struct SigningKeyTests {
    @Test func `the public key of a seed is that of RFC 8032`() {
        let seed = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
        #expect(
            SigningKey(seed: SecretBytes(copying: seed)).publicKey
                == hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"))
    }

    // Expected signature: the Python package cryptography, over "linnet/batch/1hello".
    @Test func `a signature is Ed25519 over the label and the message`() {
        let key = SigningKey(seed: countingSecret(32))
        let signature = key.sign(.batch, Array("hello".utf8))
        #expect(
            signature
                == hex(
                    "72822cb8f19cc936d03c89a1235cc3b609398056c42b2646132043e254bed1b1"
                        + "4db333ca63c0beb12932d8aaa39cca82522bcd78db911ceef1e3572b2e22e30f"))
        #expect(
            SigningKey.isValid(
                signature, .batch, Array("hello".utf8), publicKey: key.publicKey))
    }

    @Test func `a signature holds for its label, message, key and bytes only`() {
        let key = SigningKey(seed: countingSecret(32))
        let other = SigningKey(seed: SecretBytes(zeroed: 32))
        let signature = key.sign(.batch, [1, 2, 3])
        let publicKey = key.publicKey
        func holds(
            _ signature: [UInt8], _ label: Label = .batch, _ message: [UInt8] = [1, 2, 3],
            by key: [UInt8]? = nil
        ) -> Bool {
            SigningKey.isValid(signature, label, message, publicKey: key ?? publicKey)
        }
        #expect(holds(signature))
        #expect(!holds(signature, .member))
        #expect(!holds(signature, .batch, [1, 2, 3, 4]))
        #expect(!holds(signature, by: other.publicKey))
        for bit in 0..<512 {
            var forged = signature
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!holds(forged))
        }
    }

    @Test func `hostile lengths and keys of low order count as no`() {
        let key = SigningKey(seed: countingSecret(32))
        let signature = key.sign(.batch, [])
        for publicKey in [[], counting(31), counting(33), [UInt8](repeating: 0, count: 32)] {
            #expect(!SigningKey.isValid(signature, .batch, [], publicKey: publicKey))
        }
        // The identity as key and as R, with S = 0, satisfies the bare equation for every message.
        let identity = [1] + [UInt8](repeating: 0, count: 31)
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(!SigningKey.isValid(identity + zero, .batch, [], publicKey: identity))
        for count in [0, 63, 65] {
            #expect(
                !SigningKey.isValid(
                    Array((signature + [0]).prefix(count)), .batch, [], publicKey: key.publicKey))
        }
    }
}
