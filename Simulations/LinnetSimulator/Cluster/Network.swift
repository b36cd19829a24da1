import LinnetReplication
import LinnetStorage
import LinnetWire

/// Links between devices, and which directions are blocked.
struct Network {
    private(set) var links: [LinkID: NetworkLink] = [:]
    private var nextID: UInt64 = 1
    private var blocked: [Route: Int] = [:]
    /// The messages of earlier links towards a device that accepted them, for replays.
    var recordings: [(to: Int, messages: [[UInt8]])] = []

    subscript(id: LinkID) -> NetworkLink? {
        get { links[id] }
        set { links[id] = newValue }
    }

    /// A fresh pair of link ends.
    mutating func connect(
        _ left: Int, _ right: Int, _ make: (LinkID, LinkID) -> (NetworkLink, NetworkLink)
    ) -> (
        LinkID, LinkID
    ) {
        let ids = (LinkID(rawValue: nextID), LinkID(rawValue: nextID + 1))
        nextID += 2
        (links[ids.0], links[ids.1]) = make(ids.0, ids.1)
        return ids
    }

    func isBlocked(_ from: Int, _ to: Int) -> Bool {
        !blocked.isEmpty && blocked[Route(from: from, to: to)] ?? 0 > 0
    }

    mutating func block(_ routes: [Route]) {
        for route in routes { blocked[route, default: 0] += 1 }
    }

    mutating func unblock(_ routes: [Route]) {
        for route in routes { blocked[route, default: 1] -= 1 }
    }

    mutating func unblockAll() { blocked = [:] }
}

/// One end of a link: what its device sends to the other end.
final class NetworkLink {
    let peerEnd: LinkID
    let from: Int
    let to: Int
    let meeting: Encounter?
    /// The time at which the last byte sent arrives: later bytes arrive later.
    var lastArrival: Int64 = 0
    /// Bytes held back because the direction is blocked.
    var held: [[UInt8]] = []
    /// The other end is gone, and this one was not told.
    var isDead = false
    /// A message waiting to be overtaken by the next one.
    var overtaken: [UInt8]?
    var recorded: [[UInt8]] = []

    init(peerEnd: LinkID, from: Int, to: Int, meeting: Encounter?) {
        self.peerEnd = peerEnd
        self.from = from
        self.to = to
        self.meeting = meeting
    }
}

/// Traffic of a session, both ways.
struct Traffic {
    var bytes = 0
    var messages = 0
    /// Batches that became stored at either device meanwhile, and their bytes.
    var newBatches = 0
    var newBytes = 0
    /// The bytes of files that became kept at either device meanwhile.
    var newFileBytes = 0
    /// The bytes of membership records that both devices held before, and that either one has got
    /// since.
    var memberBytesBefore = 0
    var newMemberBytes = 0
    /// The account of each end, by device.
    var ends: [Int: EndTraffic] = [:]

    /// The bytes that the ends may have got twice, since others brought them the same batches
    /// while they were on their way here.
    var racingBytes: Int { ends.values.reduce(0) { $0 + $1.racingBytes } }

    /// The bytes of chains that came to be known as forked: a whole one is asked for to find where
    /// it divides, and each end sends what the other has under another name.
    var forkedBytes: Int { ends.values.reduce(0) { $0 + $1.forkedBytes } }
}

/// The things that one end of a session got.
struct EndTraffic {
    var bytes = 0
    /// Batches that this session brought first, and their bytes.
    var brought = Totals(count: 0, bytes: 0)
    /// All that the device had got from anybody when the session began, and when it ended.
    var before = Totals(count: 0, bytes: 0)
    var after = Totals(count: 0, bytes: 0)
    /// The branches that the device knew when the session began.
    var branches: Set<AuthorID> = []
    /// The bytes that it holds in the end of the chains of which it has heard since that they
    /// divide.
    var forkedBytes = 0

    /// Notes a message, and what the device had got before and has now.
    mutating func note(_ size: Int, from before: Totals, to after: Totals) {
        bytes += size
        brought.count += after.count - before.count
        brought.bytes += after.bytes - before.bytes
    }

    /// No more than others brought, and no more than came here and brought nothing.
    var racingBytes: Int {
        let count = after.count - before.count - brought.count
        let size = after.bytes - before.bytes - brought.bytes
        return max(0, min(size * 3 / 2 + 512 * count, bytes - brought.bytes))
    }
}

/// Two devices near each other for a while.
final class Encounter {
    let left: Int
    let right: Int
    let weather: Weather
    let lasting: Int64
    let endsAt: Int64
    var random: SeededRandom
    var redialsLeft: Int
    var traffic = Traffic()
    var opened = 0
    /// True when the nodes dial again after a replica said goodbye; a pairing is over then.
    var isKeptUp = false
    /// A replica said goodbye on the current link, or the dial named a key that it does not have.
    var isToBeReopened = false
    /// A fault touched the session: its account of traffic says nothing.
    var wasDisturbed = false
    var isOver = false
    /// The ends of the current link.
    var ends: (LinkID, LinkID)?

    init(
        _ left: Int, _ right: Int, weather: Weather, lasting: Int64, now: Int64,
        random: SeededRandom
    ) {
        self.lasting = lasting
        self.left = left
        self.right = right
        self.weather = weather
        endsAt = now + lasting
        self.random = random
        redialsLeft = weather.redials
    }
}
