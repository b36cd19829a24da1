/// A Noise handshake pattern as data: the pre-messages and the tokens of each message (Noise
/// specification, sections 7 and 9).
package struct HandshakePattern: Equatable, Sendable {
    /// One step of a handshake message.
    package enum Token: Equatable, Sendable {
        /// An ephemeral or a static public key.
        case e, s
        /// A Diffie-Hellman result; the initiator's key is named first.
        case ee, es, se, ss
        /// The next pre-shared key.
        case psk
    }

    /// The name with its modifiers, such as `XXpsk0`.
    package let name: String
    /// Keys of the initiator that the responder knows before the handshake.
    package let initiatorPreMessage: [Token]
    /// Keys of the responder that the initiator knows before the handshake.
    package let responderPreMessage: [Token]
    /// The messages, beginning with the initiator's, the two sides in turn.
    package let messages: [[Token]]

    /// A pattern from its parts.
    package init(
        name: String, initiatorPreMessage: [Token] = [], responderPreMessage: [Token] = [],
        messages: [[Token]]
    ) {
        self.name = name
        self.initiatorPreMessage = initiatorPreMessage
        self.responderPreMessage = responderPreMessage
        self.messages = messages
        protocolName = "Noise_\(name)_25519_ChaChaPoly_BLAKE2b"
        usesPSK = messages.contains { $0.contains(.psk) }
    }

    /// The one pattern of Linnet's channel: `-> psk, e`, `<- e, ee, s, es`, `-> s, se`.
    package static let xxpsk0 = HandshakePattern(
        name: "XXpsk0", messages: [[.psk, .e], [.e, .ee, .s, .es], [.s, .se]])

    /// The full name that starts the handshake hash.
    package let protocolName: String

    /// True when pre-shared keys take part, so that ephemeral keys are mixed into the chaining key.
    package let usesPSK: Bool
}
