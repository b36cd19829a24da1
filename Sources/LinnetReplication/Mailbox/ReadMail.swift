import LinnetCRDT
import LinnetWire

/// The things in one mailbox that were read and are still shown: heads, bridges and doors.
struct ReadMail {
    /// The most lives of one device of which the newest heads are kept.
    private static let lives = 8

    /// The newest heads by author.
    private(set) var heads = OrderedTable<AuthorID, Post.KnownHead>()
    /// All heads that were read and are still shown.
    private(set) var learned = OrderedTable<MailName, SeenHead>()
    /// The records in bridges.
    private(set) var bridges = OrderedTable<MailName, Post.ReadBridge>()
    /// The doors of this group that are shown.
    private(set) var doors = OrderedSet<MailName>()
    /// The lists of packs that were read, by the hashes in the names of their objects.
    private(set) var shelves = OrderedTable<Bytes16, MailShelf>()
    /// The bytes of the batches in packs, as far as they were counted.
    var bytes = OrderedTable<Bytes16, Int>()

    /// Takes in a head whose signature and author were judged; an older one says nothing.
    ///
    /// - Returns: false where another head of this author has the same number.
    mutating func learn(
        _ head: MailHead, hash: Bytes16, epoch: EpochID, isMember: Bool
    ) -> Bool {
        var head = head
        head.batches = []
        learned[MailName(.head, hash)] = SeenHead(
            device: head.device, incarnation: head.incarnation, number: head.number, hash: hash)
        if let newest = heads[head.author] {
            guard newest.head.number < head.number else {
                return newest.head.number > head.number || newest.hash == hash
            }
        } else if !makeRoom(for: head, isMember: isMember) {
            return true
        }
        heads[head.author] = Post.KnownHead(
            head: head, hash: hash, epoch: epoch, isMember: isMember)
        return true
    }

    /// Makes room for the head of an author that was not known; false where others count more: of
    /// each device the lives with the highest numbers, and members before those that are out.
    private mutating func makeRoom(for head: MailHead, isMember: Bool) -> Bool {
        let lives = heads.filter { $0.value.head.device == head.device }
        if lives.count >= Self.lives {
            let oldest = lives.min { $0.value.head.number < $1.value.head.number }
            guard let oldest, oldest.value.head.number < head.number else { return false }
            heads[oldest.key] = nil
        }
        guard heads.count >= Limits.mailHeads else { return true }
        guard isMember, let other = heads.first(where: { !$0.value.isMember }) else { return false }
        heads[other.key] = nil
        return true
    }

    /// Takes in what a bridge holds.
    mutating func learn(_ bridge: Post.ReadBridge, named name: MailName) { bridges[name] = bridge }

    /// Takes in a list of packs.
    mutating func learn(_ shelf: MailShelf, hash: Bytes16) { shelves[hash] = shelf }

    /// Notes a door whose name is right under keys of this group.
    mutating func learnDoor(_ name: MailName) { doors.insert(name) }

    /// Forgets the heads of authors that do not count any more, and notes who is a member.
    mutating func keepHeads(members: (DeviceID) -> Bool, writers: (DeviceID) -> Bool) {
        for author in heads.keys {
            guard let device = heads[author]?.head.device else { continue }
            heads[author]?.isMember = members(device)
            if !members(device), !writers(device) { heads[author] = nil }
        }
    }

    /// Counts for each newest head the listings that lack it, and forgets all else that the store
    /// does not show any more.
    mutating func keep(_ isShown: (MailName) -> Bool) {
        for author in heads.keys {
            guard let newest = heads[author] else { continue }
            let isThere = isShown(MailName(.head, newest.hash))
            heads[author]?.missed = isThere ? 0 : newest.missed + 1
        }
        for name in learned.keys where !isShown(name) { learned[name] = nil }
        let named = OrderedSet(heads.values.flatMap(\.head.packs).map(\.hash))
        for hash in shelves.keys where !named.contains(hash) { shelves[hash] = nil }
        for hash in bytes.keys where !isShown(MailName(.pack, hash)) { bytes[hash] = nil }
        for name in bridges.keys where !isShown(name) { bridges[name] = nil }
        doors = OrderedSet(doors.elements.filter(isShown))
    }
}
