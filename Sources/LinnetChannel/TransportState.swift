/// The two cipher states of an established channel, each replaced after a fixed number of messages
/// (Noise specification, sections 5.2 and 11.3).
package struct TransportState: ~Copyable {
    private var sending: CipherState
    private var receiving: CipherState
    private let rekeyIntervalMessages: UInt64

    /// Starts from fresh cipher states; the interval is positive.
    package init(
        sending: consuming CipherState, receiving: consuming CipherState,
        rekeyIntervalMessages: UInt64
    ) {
        precondition(rekeyIntervalMessages > 0, "keys are replaced after a positive number")
        self.sending = sending
        self.receiving = receiving
        self.rekeyIntervalMessages = rekeyIntervalMessages
    }

    /// Encrypts the next message; throws ``ChannelError/nonceExhausted`` at the end of the nonces.
    package mutating func encrypt(_ plaintext: [UInt8]) throws(ChannelError) -> [UInt8] {
        let ciphertext = try sending.encrypt(plaintext)
        if sending.nonce.isMultiple(of: rekeyIntervalMessages) { sending.rekey() }
        return ciphertext
    }

    /// Decrypts the next message; throws ``ChannelError/badTag``, then nothing has moved.
    package mutating func decrypt(_ ciphertext: [UInt8]) throws(ChannelError) -> [UInt8] {
        let plaintext = try receiving.decrypt(ciphertext)
        if receiving.nonce.isMultiple(of: rekeyIntervalMessages) { receiving.rekey() }
        return plaintext
    }
}
