import LinnetWire

/// The names that a store showed, this time and the time before, and what is known of them. All of
/// it is a hint.
struct MailListing {
    /// The names that were read and need not be read again.
    var read = OrderedSet<MailName>()
    /// The names that opened under no key.
    var unreadable = OrderedSet<MailName>()
    /// The packs that were taken in since the opening.
    var taken = OrderedSet<Bytes16>()
    /// The packs that the store did not give, or gave damaged, in this round.
    var late = OrderedSet<Bytes16>()
    /// The names in this round that are none.
    private(set) var strange = 0
    private var shown = OrderedSet<MailName>()
    private var before = OrderedSet<MailName>()
    /// The rounds in succession in which somebody had seen a newer head of a device.
    private var withheldRounds = OrderedTable<DeviceID, Int>()
    private var rounds = 0

    /// Begins a round.
    mutating func begin() {
        before = shown
        (shown, late) = (OrderedSet(), OrderedSet())
        strange = 0
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
        unreadable = OrderedSet(unreadable.elements.filter(shown.contains))
    }

    mutating func add(_ name: MailName) { shown.insert(name) }

    func shows(_ name: MailName) -> Bool { shown.contains(name) }

    /// True when a name was shown neither this time nor the time before.
    func lacksAgain(_ name: MailName) -> Bool {
        rounds > 1 && !shown.contains(name) && !before.contains(name)
    }

    /// True when a name is not shown, and was before or was not asked for.
    func lacksOnce(_ name: MailName) -> Bool { !shown.contains(name) && !lacksAgain(name) }

    /// True when more than half of four or more heads and packs are gone at once.
    var isLost: Bool {
        let earlier = before.elements.filter { $0.kind != .bridge }
        return earlier.count >= 4
            && earlier.filter { !shown.contains($0) }.count * 2 > earlier.count
    }

    func names(_ kind: MailKind) -> [MailName] { shown.elements.filter { $0.kind == kind } }

    func unread(_ kind: MailKind) -> [MailName] {
        names(kind).filter { !read.contains($0) && !unreadable.contains($0) }
    }

    /// Returns the devices of which others saw a newer head than the store shows, twice in
    /// succession.
    mutating func withheld(
        _ heads: OrderedTable<AuthorID, Post.KnownHead>
    ) -> [DeviceID] {
        var now = OrderedTable<DeviceID, Int>()
        for known in heads.values where known.missed == 0 {
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
