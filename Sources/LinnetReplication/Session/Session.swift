import LinnetChannel
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The session of one link, with its channel and state.
///
/// It is a class because the channel and an exchange of shares hold keys, which can be neither
/// copied nor kept in an array.
final class Session {
    let link: LinkID
    let origin: LinkOrigin
    let openedAt: Int64
    var channel: ChannelMachine
    /// The prefaces of both ends, the initiator's before the responder's; empty until both are
    /// known.
    var prefaces: [UInt8] = []
    /// The exchange of a pairing by code, between the prefaces and the handshake.
    var exchange: PairingExchange?
    var state: SessionState
    var lastHeard: Int64
    /// False once the session was ended.
    var isLive = true
    /// The member at the other end, once it is known.
    var device: DeviceID?
    /// The membership records up to which the peer was sent all that it asked for.
    var sentHeads: [MemberRecordID] = []
    /// The hand-over with which it ends where one side is out.
    var late = LateTalk()
    /// The state of the open session; it stays here when the session ends.
    var talk: OpenState?

    init(link: LinkID, origin: LinkOrigin, channel: consuming ChannelMachine, now: Int64) {
        self.link = link
        self.origin = origin
        self.channel = channel
        openedAt = now
        lastHeard = now
        state = .handshaking(HandshakingState())
    }

    /// Encrypts a message, which leaves when the call has committed.
    ///
    /// Nothing is sent after the peer's goodbye, which may have been read together with a message
    /// that is answered.
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

    /// True when this side dialled.
    var isInitiator: Bool { origin != .accepted }
}
