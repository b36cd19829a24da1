/// An event that a channel tells its owner.
package enum ChannelEvent: Equatable, Sendable {
    /// Both prefaces are exchanged. The owner answers with `provide(psks:transcript:)`, or when
    /// pairing by code with `sendPake(_:)` if it is the initiator.
    case prefaced(initiator: Preface, responder: Preface)
    /// The peer's PAKE share, 32 bytes. The owner answers with `sendPake(_:)` if it is the
    /// responder, and then with `provide(psks:transcript:)`.
    case pake([UInt8])
    /// The handshake is finished: the peer's static public key, the channel binding, and the place
    /// in the owner's list of the pre-shared key that both sides hold.
    case established(remoteStatic: [UInt8], handshakeHash: [UInt8], pskIndex: Int)
    /// A whole message; its type byte is not judged here.
    case message(type: UInt8, body: [UInt8])
    /// The peer ended the session; the code may be one this version does not know.
    case closed(code: UInt16)
    /// The channel is dead and wiped: close the link. The last event of a channel.
    case failed(ChannelError)
}
