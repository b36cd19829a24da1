import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The last words of a session in which one side is out: what that side wrote and never sent.
struct LateTalk {
    /// Most batches that are asked for at a time.
    static let batchesAtOnce: UInt64 = 64
    /// The time for which a member waits until the other side lists what it wrote.
    static let patienceMilliseconds: Int64 = 2_000

    /// The side of this device in it.
    private enum Part {
        /// Nobody is known to be out.
        case none
        /// This device is out, and listed what it wrote.
        case offering
        /// The other side is out, and was asked to list what it wrote.
        case awaiting
        /// The other side lists, and sends what is asked for.
        case taking(LateTaking)
    }

    private var part = Part.none
    private var beganAt: Int64 = 0
    /// The batches that this device still sends: each twice at most, as when a chain is asked for
    /// from its beginning, so that nobody makes it send without end.
    private(set) var batchesLeft: UInt64 = 0
    /// The end of it when nothing more is heard, in uptime milliseconds; nil before it began.
    private(set) var deadline: Int64?

    /// True when this device listed what it wrote.
    var hasOffered: Bool {
        if case .offering = part { true } else { false }
    }

    /// True when the other side is known to be out, so that it is told nothing more.
    var isTaking: Bool {
        switch part {
        case .none, .offering: false
        case .awaiting, .taking: true
        }
    }

    /// The batches that are taken from the other side; nil until it listed something.
    var taking: LateTaking? {
        get { if case .taking(let taking) = part { taking } else { nil } }
        set { if let newValue { part = .taking(newValue) } }
    }

    /// Begins to wait for a listing, once.
    mutating func beginTaking(at now: Moment) {
        guard case .none = part else { return }
        (part, beganAt) = (.awaiting, now.uptimeMilliseconds)
        deadline = now.uptimeMilliseconds + Self.patienceMilliseconds
    }

    /// This device lists what it wrote, so many batches.
    mutating func offer(_ batches: UInt64, at now: Moment) {
        (part, beganAt) = (.offering, now.uptimeMilliseconds)
        batchesLeft = 2 * batches
        heard(at: now)
    }

    /// This device sent some batches.
    mutating func sent(_ batches: UInt64) { batchesLeft -= min(batches, batchesLeft) }

    /// The other side said something that belongs to it; a session takes a day at most.
    mutating func heard(at now: Moment) {
        deadline = min(
            now.uptimeMilliseconds + Limits.authorisationMilliseconds,
            beganAt + Limits.sessionLifetimeMilliseconds)
    }
}

/// The batches that a member asks of a device that is out.
struct LateTaking {
    /// The ranges of which not all came; the first one is being taken.
    private var wanted: [NeededRange]
    /// The part of it whose batches come next.
    private var asked: NeededRange?
    /// The batches of that part that came.
    private var came: UInt64 = 0
    private var restarted = OrderedSet<ChainKey>()

    init(_ wanted: [NeededRange]) { self.wanted = wanted }

    /// Goes on to the next part; nil when all came. The rest of a range of which a part did not
    /// come whole is left out.
    mutating func next() -> NeededRange? {
        if let asked, let range = wanted.first {
            if came == asked.last - asked.first + 1, asked.last < range.last {
                wanted[0].first = asked.last + 1
            } else {
                wanted.removeFirst()
            }
        }
        asked = wanted.first
        if let range = asked {
            asked?.last = min(range.last, range.first + LateTalk.batchesAtOnce - 1)
        }
        came = 0
        return asked
    }

    /// Counts a batch; false when another one was to come.
    mutating func take(_ header: BatchHeader) -> Bool {
        guard let asked, header.scope == asked.scope, header.seq == asked.first + came,
            header.seq <= asked.last
        else { return false }
        came += 1
        return true
    }

    /// Asks for the whole of a chain, once, since its batches follow others than those that are
    /// held.
    mutating func takeAll(of chain: ChainKey, upTo last: UInt64) {
        guard restarted.insert(chain) else { return }
        let all = NeededRange(scope: chain.scope, chain: chain.chain, first: 1, last: last)
        wanted.insert(all, at: min(1, wanted.count))
    }
}
