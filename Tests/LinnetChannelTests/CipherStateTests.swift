import LinnetChannel
import LinnetCrypto
import Testing

struct CipherStateTests {
    private func state(nonce: UInt64 = 0) -> CipherState {
        CipherState(key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)), nonce: nonce)
    }

    @Test func `a failed decryption leaves the nonce where it was`() throws {
        var sender = state()
        var receiver = state()
        let ciphertext = try sender.encrypt([1, 2, 3], associatedData: [9])
        for index in ciphertext.indices {
            var forged = ciphertext
            forged[index] ^= 0x10
            #expect(throws: ChannelError.badTag) {
                try receiver.decrypt(forged, associatedData: [9])
            }
        }
        #expect(throws: ChannelError.badTag) { try receiver.decrypt(ciphertext) }
        #expect(throws: ChannelError.badTag) { try receiver.decrypt([], associatedData: [9]) }
        #expect((receiver.nonce) == 0)
        #expect((try receiver.decrypt(ciphertext, associatedData: [9])) == [1, 2, 3])
        #expect((receiver.nonce) == 1)
    }

    @Test func `the last nonce works, the reserved one never`() throws {
        var sender = state(nonce: .max - 1)
        var receiver = state(nonce: .max - 1)
        let ciphertext = try sender.encrypt([1])
        #expect((try receiver.decrypt(ciphertext)) == [1])
        for _ in 0..<2 {
            #expect(throws: ChannelError.nonceExhausted) { try sender.encrypt([2]) }
            #expect(throws: ChannelError.nonceExhausted) { try receiver.decrypt(ciphertext) }
        }
        #expect((sender.nonce) == .max && (receiver.nonce) == .max)
    }

    @Test func `the counter goes on over the 32-bit boundary`() throws {
        let boundary = UInt64(UInt32.max)
        var sender = state(nonce: boundary)
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let nonces: [[UInt8]] = [
            [0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0],
        ]
        for bytes in nonces {
            let nonce = try #require(ChaChaPoly.Nonce(bytes))
            let ciphertext = try sender.encrypt([5])
            #expect(
                ciphertext
                    == ChaChaPoly.seal(
                        key: key, nonce: nonce, plaintext: [5], associatedData: []))
        }
        #expect((sender.nonce) == boundary + 2)
    }

    @Test func `replacing the key keeps the counter and follows the specification`() throws {
        var sender = state()
        _ = try sender.encrypt([1])
        sender.rekey()
        #expect((sender.nonce) == 1)
        let next = ChaChaPoly.seal(
            key: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            nonce: try #require(
                ChaChaPoly.Nonce([0, 0, 0, 0] + [UInt8](repeating: 255, count: 8))),
            plaintext: [UInt8](repeating: 0, count: 32), associatedData: [])
        var expected = CipherState(key: SecretBytes(copying: Array(next.prefix(32))), nonce: 1)
        #expect((try sender.encrypt([2])) == (try expected.encrypt([2])))
    }

    @Test func `a state without a key passes messages through`() throws {
        var state = CipherState()
        state.rekey()
        #expect((try state.encrypt([1], associatedData: [2])) == [1])
        #expect((try state.decrypt([3])) == [3])
        #expect((state.nonce) == 0 && (state.hasKey) == false)
    }
}
