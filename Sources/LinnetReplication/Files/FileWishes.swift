import LinnetCRDT
import LinnetWire

/// The files that a device fetches by itself: where it looks for them, and which are on their way.
///
/// It walks over all records that may hold one, and looks at each that changes afterwards. A file
/// that nobody gives makes room for the next one, and is come back to on a later walk.
struct FileWishes {
    /// The files that are fetched at one time.
    static let mostAtOnce = 4
    /// The records that one call looks at.
    static let recordsInOneCall = 16
    /// The changed records that are noted; with more of them the walk begins again.
    private static let mostNoted = 256
    /// The time without progress after which a file makes room for others.
    static let patienceMilliseconds: Int64 = 60_000
    /// The time after which a walk that left files behind is repeated.
    static let againMilliseconds: Int64 = 600_000

    /// The place of a walk: the collections that are left, and the last record looked at.
    struct Walk {
        var collections: [UInt32]
        var after: RecordID?
    }

    /// A file that is on its way.
    struct Fetching {
        var doneBytes: UInt64 = 0
        /// The time at which more of it came last, in uptime milliseconds.
        var since: Int64
    }

    private(set) var policy = FilePolicy.onDemand
    private(set) var noted: OrderedSet<RecordKey> = OrderedSet()
    /// The walk that goes on; nil between two walks.
    var walk: Walk?
    private(set) var fetching: OrderedTable<Bytes32, Fetching> = OrderedTable()
    /// True when the walk begins with the next call.
    private(set) var isWalkDue = false
    /// True once a file was left behind that nobody gave.
    private var hasMissed = false
    private var againDue: Int64?
    /// The links over which files may come, as the last call found them; nil before the first call.
    private var links: OrderedSet<LinkID>?
    /// True once there was no room: nothing more is fetched until the next start.
    private(set) var isFull = false

    /// True while there is room for a file more on its way, and somebody who may give one.
    var mayBegin: Bool { fetching.count < Self.mostAtOnce && hasGivers && !isFull }

    private var hasGivers: Bool { links?.isEmpty == false }

    /// True when a call finds records to look at.
    var isLooking: Bool {
        mayBegin && policy != .onDemand && (!noted.isEmpty || walk != nil || isWalkDue)
    }

    /// The time at which there is something to do, in uptime milliseconds; nil for never.
    var nextDeadline: Int64? {
        guard policy != .onDemand else { return nil }
        if isLooking || links == nil { return 0 }
        let silent = fetching.values.map { $0.since + Self.patienceMilliseconds }.min()
        guard let againDue, hasGivers else { return silent }
        return min(silent ?? againDue, againDue)
    }

    /// Follows a policy from now on: all records are looked at anew.
    mutating func follow(_ policy: FilePolicy) {
        self = FileWishes()
        self.policy = policy
        isWalkDue = policy != .onDemand
    }

    /// Notes that a record changed which may hold a file.
    mutating func note(_ key: RecordKey) {
        guard noted.count < Self.mostNoted else {
            noted = OrderedSet()
            isWalkDue = true
            return
        }
        noted.insert(key)
    }

    /// Hands out the records that changed, as many as one call looks at.
    mutating func takeNoted() -> [RecordKey] {
        let keys = Array(noted.prefix(Self.recordsInOneCall))
        for key in keys { noted.remove(key) }
        return keys
    }

    /// Takes over the links over which files may come. A new one may lead to what was missed.
    mutating func meet(_ links: OrderedSet<LinkID>, at now: Moment) {
        let hasNew = links.contains { self.links?.contains($0) != true }
        self.links = links
        if let due = againDue, hasNew || due <= now.uptimeMilliseconds {
            againDue = nil
            isWalkDue = true
        }
    }

    /// Begins a walk that is due over these collections.
    mutating func beginWalk(over collections: [UInt32]) {
        guard isWalkDue, walk == nil else { return }
        (isWalkDue, hasMissed, againDue) = (false, false, nil)
        walk = Walk(collections: collections)
    }

    /// Ends a walk; one that left files behind is repeated.
    mutating func endWalk(at now: Moment) {
        walk = nil
        if hasMissed { againDue = now.uptimeMilliseconds + Self.againMilliseconds }
    }

    /// Notes that a file is on its way.
    mutating func began(_ file: Bytes32, at now: Moment) {
        fetching[file] = Fetching(since: now.uptimeMilliseconds)
    }

    /// Notes how much of a file is here.
    mutating func grew(_ file: Bytes32, to doneBytes: UInt64, at now: Moment) {
        guard let known = fetching[file], known.doneBytes != doneBytes else { return }
        fetching[file] = Fetching(doneBytes: doneBytes, since: now.uptimeMilliseconds)
    }

    /// Notes that a file is here, or why it will not be.
    mutating func ended(_ file: Bytes32, _ fault: FileFault?) {
        guard fetching.removeValue(forKey: file) != nil else { return }
        if fault == .noRoom { isFull = true }
    }

    /// Leaves a file behind that nobody gives.
    mutating func leave(_ file: Bytes32, at now: Moment) {
        if fetching.removeValue(forKey: file) != nil { missed(at: now) }
    }

    /// Notes that a file is left to a later walk.
    mutating func missed(at now: Moment) {
        hasMissed = true
        // The walk that would repeat it may be over already.
        guard walk == nil, !isWalkDue, againDue == nil else { return }
        againDue = now.uptimeMilliseconds + Self.againMilliseconds
    }
}
