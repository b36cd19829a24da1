import LinnetWire

/// The names that a store showed, this time and the time before, and what is known of them. All of
/// it is a hint.
struct MailListing {
    /// The most packs of one round that are asked for without hope: that are not listed, or were
    /// damaged before.
    static let guesses = 16
    /// The most objects of one round that open under no key, and the most bytes of them: what is
    /// beyond waits for the next one.
    static let strangers = 1_024
    static let strangerBytes = 64 << 20
    /// The most rounds after which an object that did not open is got again.
    private static let longestPause = 16

    private struct Retry {
        let pause: Int
        /// The round in which it is got again.
        let due: Int
    }

    /// The names that were read and need not be read again.
    var read = OrderedSet<MailName>()
    /// The objects that opened under no key: they are of another group, or not there whole yet.
    private var unreadable = OrderedTable<MailName, Retry>()
    /// The packs that were taken in since the opening.
    var taken = OrderedSet<Bytes16>()
    /// The objects that the store did not give in this round, and the packs that it gave damaged.
    var late = OrderedSet<MailName>()
    /// The objects of which some batches came too early to be kept: they are read again after
    /// others came.
    private var early = OrderedSet<MailName>()
    /// The objects that were damaged when they were got last.
    private var damaged = OrderedSet<MailName>()
    private var nextGuess = 0
    /// The objects of this round that opened under no key, and their bytes.
    private var strangers = MailAmount()
    /// The names in this round that are none.
    private(set) var strange = 0
    private var shown = OrderedSet<MailName>()
    private var before = OrderedSet<MailName>()
    private var assumed = OrderedSet<MailName>()
    /// The rounds in succession in which somebody had seen a newer head of a device.
    private var withheldRounds = OrderedTable<DeviceID, Int>()
    private(set) var rounds = 0

    /// Begins a round.
    mutating func begin() {
        before = shown
        (shown, late, assumed) = (OrderedSet(), OrderedSet(), OrderedSet())
        (strange, strangers) = (0, MailAmount())
        rounds += 1
    }

    /// Takes the names of a kind.
    mutating func take(_ names: [String], of kind: MailKind) {
        for text in names.prefix(Limits.mailNames) {
            if let name = MailName(text: text), name.kind == kind {
                shown.insert(name)
            } else {
                strange += 1
            }
        }
        guard kind == .pack else { return }
        // Nothing is remembered of what is not there any more.
        read = OrderedSet(read.elements.filter { shown.contains($0) || before.contains($0) })
        for name in unreadable.keys where !shown.contains(name) { unreadable[name] = nil }
        early = OrderedSet(early.elements.filter(shown.contains))
        damaged = OrderedSet(damaged.elements.filter(shown.contains))
        taken = OrderedSet(
            taken.elements.filter {
                let name = MailName(.pack, $0)
                return shown.contains(name) || before.contains(name)
            })
    }

    mutating func add(_ name: MailName) { shown.insert(name) }

    /// Takes a name as shown for the rest of a round in which nothing is put.
    mutating func assume(_ name: MailName) { assumed.insert(name) }

    func shows(_ name: MailName) -> Bool { shown.contains(name) || assumed.contains(name) }

    // MARK: What was read

    /// Notes that an object opened under no key, or is none. It is got again after one round, then
    /// after twice as many each time, up to 16.
    mutating func noteUnreadable(_ name: MailName, bytes: Int) {
        let pause = min(2 * (unreadable[name]?.pause ?? 0), Self.longestPause)
        let next = Retry(pause: max(1, pause), due: rounds + max(1, pause))
        unreadable[name] = next
        strangers.add(bytes)
    }

    /// Notes that an object was read.
    mutating func noteRead(_ name: MailName) {
        read.insert(name)
        unreadable[name] = nil
    }

    /// Has all that opened under no key read again: there are new keys, or a person asks.
    mutating func retryUnreadable() { unreadable = OrderedTable() }

    /// The number of objects that are shown and opened under no key.
    var unreadableCount: Int { unreadable.keys.count(where: shows) }

    /// False when this round got enough that opens under no key.
    var mayReadOn: Bool {
        strangers.objects < Self.strangers && strangers.bytes < Self.strangerBytes
    }

    /// Notes that a pack was got: all of it was taken in, or some of it came too early, or it is
    /// damaged.
    mutating func note(_ pack: MailName, _ taking: MailTaking) {
        switch taking {
        case .wrong:
            noteDamaged(pack)
            return
        case .early: early.insert(pack)
        case .whole: break
        }
        damaged.remove(pack)
        taken.insert(pack.hash)
    }

    /// Notes that an object is listed and is not given as it was left.
    mutating func noteDamaged(_ name: MailName) {
        late.insert(name)
        damaged.insert(name)
    }

    /// Notes that an object was given as it was left.
    mutating func noteWhole(_ name: MailName) {
        damaged.remove(name)
        unreadable[name] = nil
    }

    /// True for an object that did not open when it was got last.
    func isDamaged(_ name: MailName) -> Bool {
        damaged.contains(name) || unreadable[name] != nil
    }

    /// True for an object that is not listed, or was damaged when it was got last.
    func lacks(_ name: MailName) -> Bool { !shows(name) || isDamaged(name) }

    /// Notes that a head has batches that came too early.
    mutating func noteEarly(_ head: MailName) { early.insert(head) }

    /// Notes that batches or records came, upon which others may have waited.
    mutating func othersCame() {
        for name in early.elements {
            read.remove(name)
            taken.remove(name.hash)
        }
        early = OrderedSet()
    }

    /// Forgets what was read, since this device holds other scopes than then.
    mutating func readAnew() {
        (read, taken, early) = (OrderedSet(), OrderedSet(), OrderedSet())
    }

    /// Puts the packs that are wanted in the order in which they are got: first batches first. Of
    /// those that are not listed, or were damaged before, some are tried, and others next time.
    mutating func choose(_ wanted: [Post.WantedPack]) -> [Post.WantedPack] {
        func isHopeful(_ wanted: Post.WantedPack) -> Bool {
            shows(wanted.pack.name) && !damaged.contains(wanted.pack.name)
        }
        var chosen = wanted.filter(isHopeful)
        let others = wanted.filter { !isHopeful($0) }
        for other in others { late.insert(other.pack.name) }
        let start = others.isEmpty ? 0 : nextGuess % others.count
        let guesses = min(Self.guesses, others.count)
        chosen += (0..<guesses).map { others[(start + $0) % others.count] }
        nextGuess = start + guesses
        func first(_ wanted: Post.WantedPack) -> UInt64 {
            wanted.pack.ranges.map(\.first).min() ?? 0
        }
        return chosen.sorted { first($0) < first($1) }
    }

    /// True when a name was shown neither this time nor the time before.
    func lacksAgain(_ name: MailName) -> Bool {
        rounds > 1 && !shown.contains(name) && !before.contains(name)
    }

    /// True when a name is not shown, and was before or was not asked for.
    func lacksOnce(_ name: MailName) -> Bool { !shown.contains(name) && !lacksAgain(name) }

    /// True when more than half of four or more heads and packs are gone at once, without the packs
    /// that gave way.
    func isLost(but replaced: OrderedSet<Bytes16>) -> Bool {
        let earlier = before.elements.filter {
            $0.kind == .head || ($0.kind == .pack && !replaced.contains($0.hash))
        }
        return earlier.count >= 4
            && earlier.filter { !shown.contains($0) }.count * 2 > earlier.count
    }

    func names(_ kind: MailKind) -> [MailName] { shown.elements.filter { $0.kind == kind } }

    /// The heads, bridges and doors that are got, the last one first: what was never tried comes
    /// before what did not open, bridges before heads, and doors last.
    var toRead: [MailName] {
        let unread = (names(.door) + names(.head) + names(.bridge)).filter { !read.contains($0) }
        let again = unread.filter { unreadable[$0].map { $0.due <= rounds } ?? false }
        return again + unread.filter { unreadable[$0] == nil }
    }

    /// Returns the devices of which members saw a newer head than the store shows, twice in
    /// succession.
    mutating func withheld(
        _ heads: OrderedTable<AuthorID, Post.KnownHead>
    ) -> [DeviceID] {
        var now = OrderedTable<DeviceID, Int>()
        for known in heads.values where known.missed == 0 && known.isMember {
            for seen in known.head.seen
            where (heads[seen.author]?.head.number ?? 0) < seen.number
                && !shown.contains(MailName(.head, seen.hash))
            {
                now[seen.device] = (withheldRounds[seen.device] ?? 0) + 1
            }
        }
        withheldRounds = now
        return now.filter { $0.value >= 2 }.map(\.key)
    }
}

/// The outcome of reading the batches of an object.
enum MailTaking {
    /// All of them are here.
    case whole
    /// Some have to wait for others, and there is no room to keep them until then.
    case early
    /// One of them is none, behind which nothing was read.
    case wrong
}
