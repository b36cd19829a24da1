import LinnetCRDT
import LinnetStorage
import LinnetWire

/// The sizes from which on objects are made, or made into others.
struct Packing {
    /// The bytes of batches from which on a pack is made of them.
    var inlineBytes = Limits.mailInlineBytes
    /// The number of own small packs from which on they are made into one; twice as many where
    /// they are of several devices.
    var smallPacks = 16
    /// The bytes of the names of packs in a head from which on they go into a list of their own.
    var shelfBytes = Limits.mailShelfBytes
}

/// The mailboxes of this home, each with its post, and when they are looked into.
struct PostBook {
    /// The time between two looks shortly after news, later on, and when nothing comes.
    private static let soonMilliseconds: Int64 = 30_000
    private static let laterMilliseconds: Int64 = 300_000
    private static let idleMilliseconds: Int64 = 1_800_000
    /// The time for which news count as recent.
    private static let recentMilliseconds: Int64 = 600_000
    private static let dayMilliseconds: Int64 = 86_400_000
    /// The time after a change before it is left, for those that follow at once.
    private static let changeMilliseconds: Int64 = 2_000
    /// The longest pause after a failure.
    private static let pauseMilliseconds: Int64 = 900_000

    private(set) var posts = OrderedTable<MailboxID, Post>()
    /// The accounts and what went over the network.
    private(set) var places = OrderedTable<MailboxID, MailPlace>()
    /// The number of the last head that any mailbox got from this author.
    private var lastHead: UInt64 = 0
    private var lastPlace: UInt64 = 0
    private var saved: [UInt8]?
    /// True while a node looks into its mailboxes by itself.
    var isRunning = false
    var packing = Packing()
    private var due = OrderedTable<MailboxID, Int64>()
    private var failures = OrderedTable<MailboxID, Int>()
    /// The time of the last news, in uptime milliseconds.
    private var lastNews: Int64?
    /// The last round of each mailbox since the opening.
    private(set) var rounds = OrderedTable<MailboxID, MailRound>()

    /// The words of stores that there is news.
    private var news = OrderedTable<MailboxID, MailNews>()

    /// The bridges that follow from the records, as they were made last.
    var bridges = MadeBridges()
    /// The door that follows from the records, as it was made last.
    var door = MadeDoor()
    /// The keys of epochs that this device does not hold, and its recovery phrase opened.
    var lent: [MailKeys] = []

    init() {}

    /// Reads what the store keeps.
    init(kept bytes: [UInt8]?) throws(WireError) {
        guard let bytes else { return }
        var reader = CBORReader(bytes, maxItems: bytes.count)
        try reader.array(exactly: 3)
        lastHead = try reader.unsigned(max: UInt64(Int64.max))
        lastPlace = try reader.unsigned(max: UInt64(Int64.max))
        for _ in 0..<(try reader.array()) {
            let parts = try reader.array()
            let id = MailboxID(rawValue: try reader.unsigned())
            posts[id] = Post(try PostState.read(from: &reader))
            // Homes that had nothing but folders kept two parts.
            guard parts != 2 else { continue }
            guard parts == 4 else { throw .badLength }
            places[id] = try MailPlace.read(from: &reader)
        }
        try reader.finish()
        saved = bytes
    }

    /// Reads what a store keeps.
    init(from store: any Store) throws(StorageError) {
        let kept = try store.value(.mailboxes)
        do throws(WireError) {
            try self.init(kept: kept)
        } catch {
            throw .corrupt(where: "meta: the mailboxes")
        }
    }

    var encoded: [UInt8] {
        var writer = CBORWriter()
        writer.array(3)
        writer.unsigned(lastHead)
        writer.unsigned(lastPlace)
        writer.array(posts.count)
        for (id, post) in posts {
            let place = places[id] ?? MailPlace()
            writer.array(place == MailPlace() ? 2 : 4)
            writer.unsigned(id.rawValue)
            post.durable.write(to: &writer)
            if place != MailPlace() { place.write(to: &writer) }
        }
        return writer.bytes
    }

    /// Writes what changed in the transaction of the call.
    mutating func save(_ turn: inout Turn) throws(StorageError) {
        guard !posts.isEmpty || saved != nil else { return }
        let bytes = encoded
        guard bytes != saved else { return }
        try turn.writing()
        try turn.store.setValue(.mailboxes, bytes)
        saved = bytes
    }

    /// Writes everything anew once, since the last transaction was rolled back; a home that never
    /// had a mailbox stays as it is.
    mutating func reload() {
        if saved != nil || !posts.isEmpty { saved = [] }
    }

    subscript(id: MailboxID) -> Post? {
        get { posts[id] }
        set { posts[id] = newValue }
    }

    func place(_ address: String) -> MailboxID? {
        posts.first { $0.value.state.address == address }?.key
    }

    /// Keeps the account of a place, which is asked anew with it.
    mutating func setAccess(_ access: [UInt8], of id: MailboxID) {
        places[id, default: MailPlace()].access = access
        (due[id], failures[id], news[id]) = (nil, nil, nil)
    }

    /// Notes what an answer took.
    mutating func note(_ traffic: MailTraffic, of id: MailboxID) {
        guard traffic != MailTraffic(), posts[id] != nil else { return }
        places[id, default: MailPlace()].note(traffic)
    }

    mutating func add(_ address: String) -> MailboxID {
        lastPlace += 1
        let id = MailboxID(rawValue: lastPlace)
        posts[id] = Post(PostState(address: address))
        return id
    }

    mutating func remove(_ id: MailboxID) {
        posts[id] = nil
        places[id] = nil
        due[id] = nil
        failures[id] = nil
        rounds[id] = nil
        news[id] = nil
    }

    /// Returns the number of the next head; it is kept before the head is put. A dry run puts
    /// none, and uses up no number.
    mutating func nextHead(isDry: Bool) -> UInt64 {
        guard !isDry else { return lastHead + 1 }
        lastHead += 1
        return lastHead
    }

    /// True when a head of this author has a number that this home never gave.
    func neverWrote(_ number: UInt64) -> Bool { number > lastHead }

    // MARK: Times

    var nextDeadline: Int64? {
        guard isRunning else { return nil }
        return posts.compactMap { $0.value.isIdle ? due[$0.key] ?? 0 : nil }.min()
            .flatMap { $0 < .max ? $0 : nil }
    }

    func dueNow(at now: Moment) -> [MailboxID] {
        guard isRunning else { return [] }
        return posts.filter {
            $0.value.isIdle && due[$0.key] ?? 0 <= now.uptimeMilliseconds
        }.map(\.key)
    }

    /// Notes that something changed here: it is left soon.
    mutating func changed(at now: Moment) {
        for id in posts.keys { posts[id]?.othersCame() }
        guard isRunning, !posts.isEmpty else { return }
        lastNews = now.uptimeMilliseconds
        for id in posts.keys where failures[id] == nil {
            due[id] = min(due[id] ?? .max, now.uptimeMilliseconds + Self.changeMilliseconds)
        }
    }

    /// Notes that a store says that there is something new: a round begins as soon as it may.
    mutating func heardNews(of id: MailboxID, at now: Moment) {
        guard isRunning, posts[id] != nil else { return }
        news[id, default: MailNews()].heard()
        hasten(id, at: now)
    }

    /// Notes that a round begins.
    mutating func began(_ id: MailboxID, at now: Moment) {
        news[id]?.began(at: now.uptimeMilliseconds)
    }

    private mutating func hasten(_ id: MailboxID, at now: Moment) {
        guard let earliest = news[id]?.due(at: now.uptimeMilliseconds) else { return }
        due[id] = min(due[id] ?? .max, earliest)
    }

    /// Notes the end of a round and when the next one begins; `random` spreads the devices. A dry
    /// run counts for nothing.
    mutating func ended(
        _ id: MailboxID, _ round: MailRound, random: UInt32, at now: Moment
    ) {
        guard !round.isDry else { return }
        places[id]?.count(at: now.wallMilliseconds)
        rounds[id] = round
        if round.batches + round.records > 0 { lastNews = now.uptimeMilliseconds }
        if round.failure == nil {
            failures[id] = nil
            posts[id]?.state.lastRound = UInt64(clamping: now.wallMilliseconds)
        } else {
            failures[id, default: 0] += 1
        }
        var (wait, least) = (
            round.isRepeated ? 0 : pause(of: id, random: random, at: now), Int64(0)
        )
        if case .atLeast(let milliseconds) = round.pause { least = milliseconds }
        wait = max(wait, least)
        let isStopped = round.pause == .stopped
        news[id]?.ended(
            hasBrought: round.batches + round.records > 0,
            notBefore: isStopped ? .max : now.uptimeMilliseconds + least)
        due[id] = isStopped ? .max : now.uptimeMilliseconds + wait
        hasten(id, at: now)
    }

    /// Returns the time until the next look: an interval more or less a fifth, or after failures
    /// any time up to a bound that doubles.
    private func pause(of id: MailboxID, random: UInt32, at now: Moment) -> Int64 {
        if let failures = failures[id] {
            let most = min(Self.pauseMilliseconds, 1_000 << Int64(min(failures, 10)))
            return Int64(random) % most + 1
        }
        let age = lastNews.map { now.uptimeMilliseconds - $0 } ?? Self.dayMilliseconds
        let interval =
            age < Self.recentMilliseconds
            ? Self.soonMilliseconds
            : age < Self.dayMilliseconds ? Self.laterMilliseconds : Self.idleMilliseconds
        return interval * 4 / 5 + Int64(random) % (interval * 2 / 5)
    }
}
