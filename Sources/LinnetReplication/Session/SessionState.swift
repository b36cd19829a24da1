import LinnetCRDT
import LinnetChannel
import LinnetMembership
import LinnetWire

/// Where a session stands; each case holds just what exists there.
enum SessionState {
    /// Prefaces, and for a code the exchange of points, then the Noise handshake.
    case handshaking(HandshakingState)
    /// The peer proved a static key and one side still has to prove its membership.
    case authorising(AuthorisingState)
    /// Both sides are members.
    case open(OpenState)
    /// A newcomer and a member that share a code or a ticket.
    case pairing(PairingState)
    /// Nothing more is read or written.
    case ended
}

/// Before the handshake is complete.
struct HandshakingState {
    /// What the link is for, once both prefaces are known.
    var mode: ChannelMode?
    /// The typer sent its point: an end now is the answer to a guess.
    var guessed = false
    /// The version of the protocol, once both prefaces are known.
    var version: UInt8 = 1
}

/// The static key is proven; membership is not, on one side at least.
struct AuthorisingState {
    let remoteStatic: [UInt8]
    let deadline: Int64
    /// The heads that the peer last announced.
    var peerHeads: [MemberRecordID] = []

    init(_ previous: HandshakingState, remoteStatic: [UInt8], deadline: Int64) {
        self.remoteStatic = remoteStatic
        self.deadline = deadline
    }
}

/// Batches flow.
///
/// A class: there is one for a session, which changes it in place many times.
final class OpenState {
    let device: DeviceID
    let openedAt: Int64
    var peerHeads: [MemberRecordID]
    /// Known once the peer's greeting arrived.
    var incarnation: Incarnation?
    /// The scopes that the peer holds.
    var scopes = ScopeFilter.everything
    /// Those of them of which the peer knows all; nil for every one.
    var known: ScopeFilter?
    /// Whether we greeted the peer and said what we hold.
    var hasGreeted = false
    /// Whether the peer said what it holds.
    var heardHave = false
    /// The lines of both `have`s.
    var listings = Listings()
    /// What the peer says it holds durably.
    var peer: OrderedTable<ChainKey, ListedHead> = OrderedTable()
    var sending = Sending()
    var receiving = Receiving()
    var lastPing: Int64
    var saidInStep = false
    /// The version of the peer's schema, once it greeted us.
    var schemaVersion: UInt64?
    var certificates = CertificateTalk()

    init(_ previous: AuthorisingState, device: DeviceID, now: Int64) {
        self.device = device
        openedAt = now
        peerHeads = previous.peerHeads
        lastPing = now
    }
}

/// What both sides listed in their `have`s, a line each, by whose places chains are named later.
struct Listings {
    /// The chains of ours; nil where the peer said that nothing of the chain is held.
    var own: [NamedHead?] = []
    /// Whether ours listed everything by itself.
    var isWhole = false
    /// The chains of the peer's in the same way.
    var theirs: [NamedHead?] = []
    /// The places of the chains of the peer's, and what it listed there.
    var numbers: OrderedTable<ChainKey, PeerNumber> = OrderedTable()
}

/// What two sides of a session certify to each other.
struct CertificateTalk {
    /// Whether the peer takes certificates.
    var areTaken = false
    /// Whether ours is due, because we ask or because the peer asked.
    var due: CertificateNeed?
    /// Whether we asked and the answer is not here.
    var isAwaited = false
    var own: HoldingStatement?
    var theirs: HoldingStatement?
}

/// Why a certificate is due.
enum CertificateNeed {
    case asking
    case answering
}

/// A line of a `have`.
struct NamedHead {
    let key: ChainKey
    let head: ListedHead
}

/// A line of a peer's `have` and its place.
struct PeerNumber {
    let number: Int
    let head: ListedHead
}

/// What a continued batch takes over from the one before it.
struct BatchHeaderLink {
    let header: BatchHeader
    let id: BatchID
}
