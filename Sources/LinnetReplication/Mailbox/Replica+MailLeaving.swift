import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

// These are what this device leaves in a mailbox: membership records, and the batches for which no
// head stands.
extension Replica {
    /// Chooses what is left next: what leads others to the keys, then packs, then the head.
    mutating func chooseLeaving(in id: MailboxID, at now: Moment) throws(StorageError) {
        guard let post = posts[id] else { return }
        guard post.mode != .reading, let group, group.log.state.member(device) != nil,
            let epoch = group.ring.current(in: group.log) ?? group.ring.writing,
            let keys = MailKeys(epoch)
        else {
            posts[id]?.leaveNothingMore(deleting: [])
            return
        }
        posts.bridges.update(group)
        posts.door.update(group)
        let door = posts.door.door
        if let part = door?.parts.first(where: { post.listing.lacks($0.name) }) {
            posts[id]?.leave(.bridge(part))
            return
        }
        if let bridge = posts.bridges.all.first(where: { post.listing.lacks($0.object.name) }) {
            posts[id]?.leave(.bridge(bridge.object))
            return
        }
        if try !adoptNext(in: id) { try leaveBatches(under: keys, in: id, at: now) }
    }

    /// Chooses a pack, then the head; when nothing is lacking the door, and what is deleted.
    private mutating func leaveBatches(
        under keys: MailKeys, in id: MailboxID, at now: Moment
    ) throws(StorageError) {
        guard let post = posts[id], let group else { return }
        let coverage = coverage(by: post, under: keys.epoch)
        let open = try uncovered(by: coverage)
        if try bytes(of: open) > posts.packing.inlineBytes {
            if let pack = try pack(open, post, keys) {
                posts[id]?.leave(pack)
                return
            }
        }
        if let pack = try largerPack(keys, in: id) {
            posts[id]?.leave(pack)
            return
        }
        if let shelf = shelf(post, keys) {
            posts[id]?.leave(shelf)
            return
        }
        let (bodies, ranges) = try collect(open, upTo: 2 * Limits.mailInlineBytes)
        guard
            !post.state.isConfirmed || !post.state.areNamed || post.state.epoch != keys.epoch
                || !ranges.allSatisfy({ $0.isWithin(post.state.inline) })
        else {
            // It comes last: whoever enters finds what is behind it.
            if let door = posts.door.door, post.listing.lacks(door.object.name) {
                posts[id]?.leave(.door(door.object))
                return
            }
            let names = try stale(in: post)
            posts[id]?.leaveNothingMore(deleting: names)
            return
        }
        var head = try newHead(
            posts.nextHead(isDry: post.isDry), post, of: group, at: now)
        (head.batches, head.ranges) = (bodies, ranges)
        let content = head.signed(by: self.keys.signing)
        guard let object = keys.seal(content, .head) else {
            posts[id]?.note(.headTooLarge)
            posts[id]?.leaveNothingMore(deleting: [])
            return
        }
        head.batches = []
        posts[id]?.leave(.head(object, head, epoch: keys.epoch))
    }

    // MARK: Batches

    /// The ranges for which own packs stand, and for what others wrote heads of other members
    /// under the keys of now, with the packs among theirs that are listed. This device leaves what
    /// it wrote whatever others say.
    private func coverage(
        by post: Post, under epoch: EpochID
    ) -> OrderedTable<ChainKey, [MailRange]> {
        var ranges: [MailRange] = []
        for known in post.known.heads.values
        where known.head.device != device && known.epoch == epoch && known.missed < 2
            && group?.log.state.member(known.head.device) != nil
            && !post.listing.isDamaged(MailName(.head, known.hash))
        {
            ranges += known.head.ranges
            for pack in post.packs(of: known)
            where !post.listing.lacksAgain(pack.name) && !post.listing.isDamaged(pack.name) {
                ranges += pack.ranges
            }
        }
        ranges.removeAll { chains[$0.key]?.device == device }
        ranges += post.state.packs.flatMap(\.reference.ranges)
        var table = OrderedTable<ChainKey, [MailRange]>()
        for range in ranges { table[range.key, default: []].append(range) }
        return table
    }

    /// The durable batches of this device for which nothing stands.
    private func uncovered(
        by coverage: OrderedTable<ChainKey, [MailRange]>
    ) throws(StorageError) -> [MailGap] {
        var gaps: [MailGap] = []
        for row in chains.rows.values where holds(row.scope) {
            let last = chains.durableSeq(row)
            guard row.first <= last else { continue }
            var next = row.first
            let ranges = (coverage[row.key] ?? []).sorted { $0.first < $1.first }
            for range in ranges where range.last >= next {
                // Another history under the same name stands for nothing of this one.
                if range.last <= last,
                    try store.headID(of: row, at: range.last)?.prefix8 != range.prefix
                {
                    continue
                }
                guard range.first <= last else { break }
                if range.first > next {
                    gaps.append(MailGap(row: row, first: next, last: range.first - 1))
                }
                next = range.last + 1
                if next > last { break }
            }
            if next <= last { gaps.append(MailGap(row: row, first: next, last: last)) }
        }
        return gaps
    }

    /// The bytes of the batches in some gaps, or a number above what a head takes.
    private func bytes(of gaps: [MailGap]) throws(StorageError) -> Int {
        var sum = 0
        for gap in gaps {
            for seq in gap.first...gap.last {
                guard let stored = try store.batch(chain: gap.row.index, seq: seq) else { continue }
                sum += stored.ciphertext.count + MailPack.headerBytes
                if sum > posts.packing.inlineBytes { return sum }
            }
        }
        return sum
    }

    /// Collects the bodies of the batches in some gaps, up to a size, and the ranges that they are.
    /// A damaged batch is in none of them.
    private mutating func collect(
        _ gaps: [MailGap], upTo most: Int
    ) throws(StorageError) -> (bodies: [[UInt8]], ranges: [MailRange]) {
        var (bodies, ranges, bytes): ([[UInt8]], [MailRange], Int) = ([], [], 0)
        for gap in gaps {
            var range: MailRange?
            for seq in gap.first...gap.last {
                guard let batch = try intact(seq, of: gap.row) else {
                    if let range { ranges.append(range) }
                    range = nil
                    continue
                }
                let body = BatchMessage(
                    form: .full(header: batch.headerBytes), ciphertext: batch.ciphertext,
                    signature: batch.signature
                ).encode()
                bytes += body.count + 8
                guard bytes <= most else { break }
                bodies.append(body)
                range = MailRange(
                    key: gap.row.key, first: range?.first ?? seq, last: seq,
                    prefix: batch.id.prefix8)
            }
            if let range { ranges.append(range) }
            if bytes > most { break }
        }
        return (bodies, ranges)
    }

    /// A stored batch that may be passed on; nil for one that is damaged.
    private mutating func intact(
        _ seq: UInt64, of row: ChainRow
    ) throws(StorageError) -> SealedBatch? {
        guard let group, let stored = try store.batch(chain: row.index, seq: seq) else {
            return nil
        }
        let batch = SealedBatch(stored, in: row, of: group.log.group)
        return batch.isIntact && chains.damaged.isProven(batch) ? batch : nil
    }

    /// Makes a pack, with the batches of small own packs where there are many; nil where nothing of
    /// the gaps can be packed.
    private mutating func pack(
        _ gaps: [MailGap], _ post: Post, _ keys: MailKeys
    ) throws(StorageError) -> Post.Leaving? {
        let retiring = retirable(post).map(\.reference)
        var contents = PackContents()
        for reference in retiring {
            guard let held = try held(reference) else {
                return try pack(gaps, retiring: [], keys)
            }
            contents.add(held.contents)
        }
        if !retiring.isEmpty,
            let pack = try pack(self.gaps(of: contents) + gaps, retiring: retiring, keys)
        {
            return pack
        }
        return try pack(gaps, retiring: [], keys)
    }

    /// Makes a pack that takes the place of others; nil where it would not be larger than each.
    mutating func pack(
        _ gaps: [MailGap], retiring: [PackReference], _ keys: MailKeys
    ) throws(StorageError) -> Post.Leaving? {
        let (bodies, ranges) = try collect(gaps, upTo: Limits.mailContentBytes)
        guard !bodies.isEmpty, let (object, key) = keys.sealPack(MailPack.encode(bodies)) else {
            return nil
        }
        let reference = PackReference(
            hash: object.name.hash, key: key,
            generation: (retiring.map(\.generation).max() ?? 0) + 1, ranges: ranges)
        if !retiring.isEmpty {
            guard let made = try held(reference) else { return nil }
            for old in retiring {
                guard let old = try held(old), made.isLarger(than: old) else { return nil }
            }
        }
        return .pack(object, reference, retiring: retiring.map(\.hash))
    }

    private func retirable(_ post: Post) -> [PostState.OwnPack] {
        let small = post.state.packs.filter { $0.bytes <= Self.smallPackBytes }
        guard small.count >= posts.packing.smallPacks else { return [] }
        var (bytes, retiring): (Int, [PostState.OwnPack]) = (0, [])
        for pack in small {
            bytes += pack.bytes
            guard bytes <= Self.mergedBytes else { break }
            retiring.append(pack)
        }
        return retiring
    }

    // MARK: Heads

    /// Makes a list of own packs, where those that are on none are too many for a head: with those
    /// of the last list, as long as both fit into one object.
    private func shelf(_ post: Post, _ keys: MailKeys) -> Post.Leaving? {
        let open = post.state.unshelved
        let bytes = open.reduce(0) { $0 + $1.reference.encodedBytes }
        guard bytes > posts.packing.shelfBytes else { return nil }
        var packs = open
        if let last = post.state.shelves.last {
            let before = OrderedSet(last.packs)
            let both = post.state.packs.filter { before.contains($0.reference.hash) } + open
            let size = both.reduce(0) { $0 + $1.reference.encodedBytes }
            if size <= Limits.mailContentBytes - posts.packing.shelfBytes { packs = both }
        }
        var (kept, size): ([PostState.OwnPack], Int) = ([], 0)
        for pack in packs {
            size += pack.reference.encodedBytes
            guard size <= Limits.mailContentBytes else { break }
            kept.append(pack)
        }
        let content = MailShelf(device: device, packs: kept.map(\.reference)).encoded
        return keys.sealPack(content).map { object, key in
            let reference = PackReference(
                hash: object.name.hash, key: key, generation: 1, ranges: [])
            return .shelf(
                object,
                PostState.OwnShelf(
                    reference: reference, bytes: object.bytes.count,
                    packs: kept.map(\.reference.hash)))
        }
    }

    private func newHead(
        _ number: UInt64, _ post: Post, of group: GroupState, at now: Moment
    ) throws(StorageError) -> MailHead {
        let (listing, _) = try chains.listing(
            without: OrderedTable(), upTo: VectorListing.chainsMaximum, within: .everything,
            in: store)
        var head = MailHead(
            group: group.log.group, device: device, incarnation: incarnation, number: number,
            previous: post.state.head)
        head.memberHeads = group.log.heads.elements
        head.vector = listing
        head.packs =
            post.state.shelves.map(\.reference) + post.state.unshelved.map(\.reference)
        head.replaced = post.state.replaced.suffix(Post.replacedInHead)
        head.seen = post.known.heads.values.filter { $0.head.device != device }.map { known in
            SeenHead(
                device: known.head.device, incarnation: known.head.incarnation,
                number: known.head.number, hash: known.hash)
        }
        head.wallMilliseconds = UInt64(clamping: now.wallMilliseconds)
        return head
    }

    /// The objects whose place others took that this device has read back: its own older heads, and
    /// packs that gave way.
    private func stale(in post: Post) throws(StorageError) -> [MailName] {
        var names = try replacedPacks(in: post)
        names += post.known.learned.filter {
            $0.value.device == device && $0.value.incarnation == incarnation
                && $0.value.number < post.state.number
        }.map(\.key)
        names += post.spoiled
        for (name, bridge) in post.known.bridges {
            let now = posts.bridges.all.first { $0.epoch == bridge.epoch }
            guard let now, now.object.name != name, post.listing.shows(now.object.name),
                bridge.records.elements.allSatisfy(now.records.contains)
            else { continue }
            names.append(name)
        }
        return names + staleDoors(in: post)
    }

    /// The doors of this group for another epoch or another phrase, and the bridges that they name,
    /// once the door of now is there or there is to be none.
    private func staleDoors(in post: Post) -> [MailName] {
        let made = posts.door
        if let door = made.door {
            guard !post.listing.lacks(door.object.name) else { return [] }
        } else if !made.areOthersStale {
            return []
        }
        let bridges = post.known.bridges.filter(\.value.isOfDoor).map(\.key)
        return (post.known.doors.elements + bridges).filter {
            $0 != made.door?.object.name && !made.partNames.contains($0)
        }
    }
}

/// Batches of a chain for which nothing in a mailbox stands.
struct MailGap {
    let row: ChainRow
    let first: UInt64
    let last: UInt64
}
