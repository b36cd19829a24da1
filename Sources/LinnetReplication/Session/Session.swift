import LinnetChannel
import LinnetMembership
import LinnetWire

/// One link with its channel and state.
///
/// A class, because the channel and an exchange of shares hold keys: they can be neither copied nor
/// kept in an array.
final class Session {
    let link: LinkID
    let origin: LinkOrigin
    let openedAt: Int64
    var channel: ChannelMachine
    /// What both ends said first, the initiator's before the responder's; empty until both did.
    var prefaces: [UInt8] = []
    /// The exchange of a pairing by code, between the prefaces and the handshake.
    var exchange: PairingExchange?
    var state: SessionState
    var lastHeard: Int64
    /// False once the end was said.
    var isLive = true
    /// The member at the other end, once it is known.
    var device: DeviceID?
    /// What was said since the session is open; it stays when it ends.
    var talk: OpenState?

    init(link: LinkID, origin: LinkOrigin, channel: consuming ChannelMachine, now: Int64) {
        self.link = link
        self.origin = origin
        self.channel = channel
        openedAt = now
        lastHeard = now
        state = .handshaking(HandshakingState())
    }

    /// Encrypts a message; it leaves when the call has committed.
    ///
    /// Nothing is sent after the peer's goodbye, which was read together with what is answered.
    func send(_ type: MessageType, _ body: [UInt8]) throws(SessionFault) {
        guard channel.isOpen else { return }
        do {
            try channel.send(type: type, body: body)
        } catch {
            throw .violation
        }
    }

    /// Whether this side dialled.
    var isInitiator: Bool { origin != .accepted }
}
