/// The reason for which a channel failed; told to the owner, never to the peer.
package enum ChannelError: Error, Equatable, Sendable {
    /// The peer's first bytes are not a preface.
    case badMagic
    /// There is no protocol version that both sides speak.
    case version
    /// The peer asks for a mode that is not accepted here.
    case mode
    /// A frame's length is not the one that its place asks for.
    case badFrame
    /// The peer did not speak in time.
    case timeout
    /// The first handshake message was made with none of the pre-shared keys.
    case pskMismatch
    /// A public key gives an all-zero Diffie-Hellman result.
    case badKey
    /// A message does not authenticate.
    case badTag
    /// A cipher state has used all its nonces.
    case nonceExhausted
    /// The stream ended without CLOSE.
    case truncated
    /// The peer sent what the protocol does not allow at this point.
    case protocolViolation
    /// A message is larger than the protocol allows.
    case tooLarge
    /// Messages can be sent only between establishment and the end.
    case notEstablished
}
