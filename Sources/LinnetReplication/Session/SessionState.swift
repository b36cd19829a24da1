import LinnetCRDT
import LinnetChannel
import LinnetWire

/// The state of a session; each case holds only what exists in it.
enum SessionState {
    /// The prefaces are exchanged, and for a code the points, and then the Noise handshake follows.
    case handshaking(HandshakingState)
    /// The peer proved a static key, and one side still has to prove its membership.
    case authorising(AuthorisingState)
    /// Both sides are members.
    case open(OpenState)
    /// A newcomer and a member share a code or a ticket.
    case pairing(PairingState)
    /// Nothing more is read or written.
    case ended
}

/// The state before the handshake is complete.
struct HandshakingState {
    /// The purpose of the link, once both prefaces are known.
    var mode: ChannelMode?
    /// True when the typer sent its point, after which an end is the answer to a guess.
    var guessed = false
    /// The version of the protocol, once both prefaces are known.
    var version: UInt8 = 1
    /// The highest version that the other side speaks.
    var peerVersion: UInt8 = 1
}

/// The state in which the static key is proven and membership is not, on one side at least.
struct AuthorisingState {
    /// The largest number of pages of records for which one side waits.
    private static let mostPages = 1_024

    let remoteStatic: [UInt8]
    private(set) var deadline: Int64
    private var pages = 0
    /// The heads that the peer last announced.
    var peerHeads: [MemberRecordID] = []
    /// True when the peer greeted while one side was out by the records here: all that is no
    /// record is passed over from then on, until the records of both have been told.
    var passesOver = false

    init(_ previous: HandshakingState, remoteStatic: [UInt8], deadline: Int64) {
        self.remoteStatic = remoteStatic
        self.deadline = deadline
    }

    /// A page of records came or went: the proof may need another one.
    mutating func pagePassed(at now: Moment) {
        guard pages < Self.mostPages else { return }
        pages += 1
        deadline = now.uptimeMilliseconds + Limits.authorisationMilliseconds
    }
}

/// The state in which batches flow.
///
/// It is a class because there is one for a session, which changes it in place many times.
final class OpenState {
    let device: DeviceID
    let openedAt: Int64
    var peerHeads: [MemberRecordID]
    /// The peer's greeting, or what is assumed before it comes.
    var greeting = PeerGreeting()
    /// The scopes that the peer may read; nothing of others is said to it.
    let grant: ScopeFilter
    /// The keys that were asked of the peer.
    var askedKeys = AskedKeys()
    /// True when we greeted the peer and said what we hold.
    var hasGreeted = false
    /// True when the peer said what it holds.
    var heardHave = false
    /// The lines of both `have`s.
    var listings = Listings()
    /// The last batch of each chain that the peer says it holds durably.
    var peer: OrderedTable<ChainKey, ListedHead> = OrderedTable()
    var sending = Sending()
    var receiving = Receiving()
    var lastPing: Int64
    var saidInStep = false
    var certificates = CertificateTalk()

    init(
        _ previous: AuthorisingState, device: DeviceID, grant: ScopeFilter = .everything,
        now: Int64
    ) {
        self.grant = grant
        greeting.scopes = grant
        self.device = device
        openedAt = now
        peerHeads = previous.peerHeads
        lastPing = now
    }
}

/// The facts that a peer tells of itself in its greeting.
struct PeerGreeting {
    /// The peer's life; nil before it greeted us.
    var incarnation: Incarnation?
    /// The scopes that the peer holds.
    var scopes = ScopeFilter.everything
    /// The scopes of which the peer knows all; nil when these are all that it holds.
    var known: ScopeFilter?
    /// True when the peer reads batches that are sealed by scope.
    var readsScoped = false
    /// True when the peer gives blocks of chunks.
    var givesBlocks = false
    /// The version of the peer's schema; nil before it greeted us.
    var schemaVersion: UInt64?
}

/// The lines of both sides' `have`s, by whose places chains are named later.
struct Listings {
    /// The chains of our listing; nil where the peer said that nothing of the chain is held.
    var own: [NamedHead?] = []
    /// True when our `have` listed everything by itself, as far as one listing goes.
    var isWhole = false
    /// The chains that did not fit into ours; they follow in acknowledgements.
    var rest: [ChainKey] = []
    /// The chains of the peer's listing in the same way.
    var theirs: [NamedHead?] = []
    /// The places of the chains in the peer's listing, with the heads that it listed there.
    var numbers: OrderedTable<ChainKey, PeerNumber> = OrderedTable()
}

/// The statements that two sides of a session exchange.
struct CertificateTalk {
    /// True when the peer takes certificates.
    var areTaken = false
    /// The digest that the peer's statements have, and ours to it.
    var form = HoldingStatement.Form.whole
    /// The reason why our statement is due; nil when it is not.
    var due: CertificateNeed?
    /// True while the digest of our statement is being made, which takes several calls.
    var isBeingMade = false
    /// True when we asked and the answer is not here.
    var isAwaited = false
    var own: HoldingStatement?
    var theirs: HoldingStatement?
}

/// The reason why a certificate is due.
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

/// The parts that a continued batch takes over from the one before it.
struct BatchHeaderLink {
    let header: BatchHeader
    let id: BatchID
}

extension MessageType {
    /// True for messages of open sessions.
    var isOfOpenSessions: Bool {
        switch self {
        case .pairHello, .pairWelcome, .pairDone, .pairSchema, .pairMore, .close: false
        default: true
        }
    }
}
