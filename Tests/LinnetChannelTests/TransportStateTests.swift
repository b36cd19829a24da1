import LinnetChannel
import LinnetCrypto
import LinnetWire
import Testing

struct TransportStateTests {
    private func cipher(_ byte: UInt8) -> CipherState {
        CipherState(key: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
    }

    private func transport(_ sending: UInt8, _ receiving: UInt8, _ interval: UInt64)
        -> TransportState
    {
        TransportState(
            sending: cipher(sending), receiving: cipher(receiving),
            rekeyIntervalMessages: interval)
    }

    @Test func `each direction replaces its key by its own count`() throws {
        var first = transport(1, 2, 3)
        var second = transport(2, 1, 3)
        var reference = cipher(1)
        for number in 1...10 {
            let ciphertext = try first.encrypt([UInt8(number)])
            #expect(ciphertext == (try reference.encrypt([UInt8(number)])))
            #expect((try second.decrypt(ciphertext)) == [UInt8(number)])
            if number.isMultiple(of: 3) { reference.rekey() }
            if number.isMultiple(of: 5) {
                #expect((try first.decrypt(second.encrypt([]))) == [])
            }
        }
    }

    @Test func `the key is replaced after 65,536 messages, not before`() throws {
        #expect(Limits.rekeyIntervalMessages == 65_536)
        var first = transport(1, 2, Limits.rekeyIntervalMessages)
        var second = transport(2, 1, Limits.rekeyIntervalMessages)
        var reference = cipher(1)
        for _ in 0..<65_536 {
            let ciphertext = try first.encrypt([])
            let expected = try reference.encrypt([])
            let plaintext = try second.decrypt(ciphertext)
            if ciphertext != expected || !plaintext.isEmpty {
                Issue.record("a message before the interval differs")
                return
            }
        }
        let ciphertext = try first.encrypt([1])
        var withoutRekey = reference.copy()
        reference.rekey()
        #expect(ciphertext == (try reference.encrypt([1])))
        #expect(ciphertext != (try withoutRekey.encrypt([1])))
        #expect((try second.decrypt(ciphertext)) == [1])
    }
}
