import LinnetChannel
import LinnetMembership
import LinnetStorage
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

    /// Asks the peer for batches.
    func ask(_ ranges: [NeededRange]) throws(SessionFault) {
        var rest = ranges[...]
        while !rest.isEmpty {
            let some = rest.prefix(NeedMessage.rangesMaximum)
            rest = rest.dropFirst(some.count)
            try send(.need, NeedMessage(ranges: Array(some)).encode())
        }
    }

    /// Looks ahead at batches that came together, so that one signature is checked for all.
    func expectRun(
        _ events: ArraySlice<ChannelEvent>, of chains: ChainBook, _ group: GroupState,
        in store: any Store
    ) {
        guard events.count > 1, case .open(let state) = state, state.receiving.run.isEmpty,
            state.heardHave
        else { return }
        state.receiving.run = BatchRun(events, group: group.log.group) { message in
            try? state.predecessor(of: message, chains, group, in: store)
        }
    }

    /// Whether this side dialled.
    var isInitiator: Bool { origin != .accepted }
}
