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
    /// The chains of our `have`, by whose places the peer may name them, with what it listed; nil
    /// where it said that nothing of the chain is held.
    var named: [NamedHead?] = []
    /// Whether our `have` listed everything by itself.
    var isListedWhole = false
    /// The chains of the peer's `have` in the same way.
    var peerNamed: [NamedHead?] = []
    /// The places of the chains of the peer's `have`, and what it listed there.
    var peerNumbers: OrderedTable<ChainKey, PeerNumber> = OrderedTable()
    /// What the peer says it holds durably.
    var peer: OrderedTable<ChainKey, ListedHead> = OrderedTable()
    /// How far each chain was sent in this session.
    var sentUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// What the peer needs and was not sent.
    var queue: OrderedTable<ChainKey, ClosedRange<UInt64>> = OrderedTable()
    /// The chain that was sent last, and how many of its batches at a stretch.
    var turn = (key: ChainKey(scope: .zero, chain: .zero), sent: 0)
    /// How far each chain was asked for in this session.
    var askedUpTo: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// Chains asked for from their beginning, which is done once.
    var askedFromStart: OrderedSet<ChainKey> = OrderedSet([])
    /// Where the chains divide of which the proof was sent or came.
    var provenForks: OrderedTable<ChainKey, UInt64> = OrderedTable()
    /// Running totals of bytes of batch bodies.
    var sentBytes: UInt64 = 0
    var sendLimit: UInt64 = 0
    var receivedBytes: UInt64 = 0
    var grantedLimit: UInt64
    /// The last header of each direction, for batches that continue it.
    var lastSent: BatchHeaderLink?
    var lastReceived: BatchHeaderLink?
    /// What was checked of the messages that come next.
    var run = BatchRun()
    var lastPing: Int64
    var saidInStep = false
    /// The version of the peer's schema, once it greeted us.
    var schemaVersion: UInt64?
    /// Whether the peer takes certificates, and what was said with them in this session.
    var takesCertificates = false
    var certificates = CertificateTalk()

    init(_ previous: AuthorisingState, device: DeviceID, now: Int64) {
        self.device = device
        openedAt = now
        peerHeads = previous.peerHeads
        lastPing = now
        grantedLimit = UInt64(Limits.unacknowledgedBytes)
    }

    /// The chain to send from, and what of it: each has its turn, so that what one builds on does
    /// not wait in the peer's store until the whole of another one has come.
    var nextQueued: (key: ChainKey, range: ClosedRange<UInt64>)? {
        let isOver = turn.sent >= BatchRun.most
        if !isOver, let range = queue[turn.key] { return (turn.key, range) }
        let next = queue.first { $0.key > turn.key } ?? queue.first
        return next.map { ($0.key, $0.value) }
    }
}

/// What two sides of a session certify to each other.
struct CertificateTalk {
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
