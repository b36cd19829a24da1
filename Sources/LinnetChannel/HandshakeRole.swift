/// A party of a handshake.
package enum HandshakeRole: Equatable, Sendable {
    /// Sends the first message.
    case initiator
    /// Answers it.
    case responder
}
