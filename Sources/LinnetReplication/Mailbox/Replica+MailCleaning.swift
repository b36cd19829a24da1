import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

// Packs are made into larger ones, whoever made them, and what gave way is deleted.
extension Replica {
    /// The most bytes of a pack that is made into a larger one.
    static let smallPackBytes = 512 * 1_024
    /// The most bytes of small packs that are made into one, so that the batches fit.
    static let mergedBytes = 2 << 20
    /// The most packs of one round whose bytes are counted.
    private static let countedPacks = 64

    // MARK: Order

    /// Returns a pack with what it holds; nil where not all of it is held here.
    func held(_ reference: PackReference) throws(StorageError) -> HeldPack? {
        var contents = PackContents()
        for range in reference.ranges {
            guard let part = try spans(of: range) else { return nil }
            contents.add(part)
        }
        return HeldPack(reference: reference, contents: contents)
    }

    /// Returns the batches of a range in the chains as this device has them; nil where it lacks
    /// some, or has others.
    private func spans(of range: MailRange) throws(StorageError) -> PackContents? {
        for row in chains.index.family(named: range.key.chain, scope: range.key.scope)
        where row.first <= range.last && range.last <= chains.durableSeq(row) {
            guard try store.headID(of: row, at: range.last)?.prefix8 == range.prefix else {
                continue
            }
            var (contents, last) = (PackContents(), range.last)
            for part in chains.index.lineage(of: row) where part.first <= last {
                let first = max(part.first, range.first)
                contents.add(part.key, first...last)
                guard first > range.first else { return contents }
                last = first - 1
            }
        }
        return nil
    }

    // MARK: Adopting

    /// Has the next pack got that this device may name: one that it put and never read back, or one
    /// of another member that is larger than a small one of its own. Returns false where there is
    /// none.
    mutating func adoptNext(in id: MailboxID) throws(StorageError) -> Bool {
        guard let post = posts[id], !post.isDry else { return false }
        for pack in post.state.tried where post.listing.shows(pack.reference.name) {
            if let tried = try held(pack.reference), let larger = try own(over: tried, in: post) {
                posts[id]?.state.giveWay([pack.reference.hash], to: larger.reference.hash)
            } else if !post.listing.isDamaged(pack.reference.name) {
                posts[id]?.readBack(pack.reference)
                return true
            }
        }
        guard let larger = try larger(in: post) else { return false }
        posts[id]?.readBack(larger)
        return true
    }

    private func own(over pack: HeldPack, in post: Post) throws(StorageError) -> HeldPack? {
        for own in post.state.packs
        where pack.reference.isClaimed(by: own.reference)
            && !post.listing.lacks(own.reference.name)
        {
            if let own = try held(own.reference), own.isLarger(than: pack) { return own }
        }
        return nil
    }

    private func larger(in post: Post) throws(StorageError) -> PackReference? {
        let small = post.state.packs.filter { $0.bytes <= Self.smallPackBytes }.map(\.reference)
        guard !small.isEmpty else { return nil }
        let own = post.state.ownPacks
        for known in post.known.heads.values where known.isMember && known.head.author != author.id
        {
            for pack in post.packs(of: known)
            where !own.contains(pack.hash) && !post.listing.lacks(pack.name) {
                for one in small where one.isClaimed(by: pack) {
                    guard let pack = try held(pack), let one = try held(one),
                        pack.isLarger(than: one)
                    else { continue }
                    return pack.reference
                }
            }
        }
        return nil
    }

    /// Judges a pack that was got to be named: each batch of its ranges has to be in it and here.
    mutating func adopt(
        _ reference: PackReference, _ bytes: [UInt8], in id: MailboxID
    ) throws(StorageError) {
        guard let post = posts[id], let claimed = try held(reference),
            let found = try contents(of: bytes, key: reference.key), found.holds(claimed.contents)
        else {
            posts[id]?.listing.noteDamaged(reference.name)
            return
        }
        var retiring: [Bytes16] = []
        for own in post.state.packs + post.state.tried
        where own.reference.isClaimed(by: reference) {
            if let own = try held(own.reference), claimed.isLarger(than: own) {
                retiring.append(own.reference.hash)
            }
        }
        posts[id]?.state.own(
            PostState.OwnPack(reference: reference, bytes: bytes.count), for: retiring)
    }

    /// Returns which of the batches in a sealed pack are held here, byte for byte; nil where it is
    /// none.
    private func contents(
        of sealed: [UInt8], key: Bytes32
    ) throws(StorageError) -> PackContents? {
        guard let group = group?.log.group,
            let content = MailKeys.openPack(sealed, key: key, group: group)
        else { return nil }
        var contents = PackContents()
        for batch in MailPack.batches(in: content, of: group) {
            let seq = batch.header.seq
            for row in chains.index.family(batch.header.scope, author: batch.author)
            where row.first <= seq && seq <= chains.durableSeq(row) {
                if try store.headID(of: row, at: seq) == batch.id {
                    contents.add(row.key, seq...seq)
                }
            }
        }
        return contents
    }

    // MARK: Merging

    /// Makes a larger pack of small ones, whoever made them, where there are many; nil otherwise.
    mutating func largerPack(
        _ keys: MailKeys, in id: MailboxID
    ) throws(StorageError) -> Post.Leaving? {
        guard let post = posts[id], let group, post.mode == .whole, post.work.isMerging != false
        else { return nil }
        let most = 2 * posts.packing.smallPacks
        let known = try knownPacks(in: post)
        guard known.count >= most else { return nil }
        // The others see the same packs: one of them is enough.
        let isMerging =
            post.work.isMerging
            ?? (entropy.uniform(below: UInt32(max(1, group.log.state.members.count))) == 0)
        posts[id]?.work.isMerging = false
        guard isMerging else { return nil }
        let small = try smallPacks(of: known, in: id)
        guard small.count >= most else { return nil }
        var (bytes, chosen, contents): (Int, [HeldPack], PackContents) = (0, [], PackContents())
        for (pack, size) in small.sorted(by: { $0.pack.reference.hash < $1.pack.reference.hash }) {
            bytes += size
            guard bytes <= Self.mergedBytes else { break }
            chosen.append(pack)
            contents.add(pack.contents)
        }
        guard chosen.count > 1 else { return nil }
        return try pack(gaps(of: contents), retiring: chosen.map(\.reference), keys)
    }

    /// The batches of a pack, in an order that follows from them.
    func gaps(of contents: PackContents) -> [MailGap] {
        contents.spans.flatMap { key, spans -> [MailGap] in
            guard let row = chains[key] else { return [] }
            return spans.map { MailGap(row: row, first: $0.lowerBound, last: $0.upperBound) }
        }
    }

    /// The packs that heads name and that lie there as far as is known, with all that any of these
    /// heads says is in them, as far as it is held here.
    private func knownPacks(
        in post: Post, without others: OrderedSet<Bytes16> = OrderedSet()
    ) throws(StorageError) -> [HeldPack] {
        var named = OrderedTable<Bytes16, PackReference>()
        let packs =
            post.state.packs.map(\.reference)
            + post.known.heads.values.flatMap { post.packs(of: $0) }
        for pack in packs where !others.contains(pack.hash) && !post.listing.lacks(pack.name) {
            if named[pack.hash] == nil {
                named[pack.hash] = pack
            } else if named[pack.hash]?.ranges != pack.ranges {
                named[pack.hash]?.ranges += pack.ranges
            }
        }
        var known: [HeldPack] = []
        for pack in named.values { if let pack = try held(pack) { known.append(pack) } }
        return known
    }

    /// The packs that are small and give way to no other, with the bytes of their batches.
    private mutating func smallPacks(
        of known: [HeldPack], in id: MailboxID
    ) throws(StorageError) -> [(pack: HeldPack, bytes: Int)] {
        var byChain = OrderedTable<ChainKey, [HeldPack]>()
        for pack in known {
            for chain in pack.contents.spans.keys { byChain[chain, default: []].append(pack) }
        }
        var small: [(pack: HeldPack, bytes: Int)] = []
        var counted = 0
        for pack in known {
            guard let chain = pack.contents.spans.keys.first,
                byChain[chain]?.contains(where: { $0.isLarger(than: pack) }) == false
            else { continue }
            let hash = pack.reference.hash
            if posts[id]?.known.bytes[hash] == nil {
                guard counted < Self.countedPacks else { break }
                counted += 1
                let bytes = try bytes(of: pack.contents)
                posts[id]?.known.bytes[hash] = bytes
            }
            guard let bytes = posts[id]?.known.bytes[hash], bytes <= Self.smallPackBytes else {
                continue
            }
            small.append((pack, bytes))
        }
        return small
    }

    /// The bytes of some batches, or a number above what a small pack has.
    private func bytes(of contents: PackContents) throws(StorageError) -> Int {
        var sum = 0
        for (key, spans) in contents.spans {
            guard let row = chains[key] else { continue }
            for seq in spans.joined() where sum <= Self.smallPackBytes {
                guard let stored = try store.batch(chain: row.index, seq: seq) else { continue }
                sum += stored.ciphertext.count + MailPack.headerBytes
            }
        }
        return sum
    }

    // MARK: Deleting

    /// The packs that gave way to own ones which lie there, and those of lives that are over which
    /// would: of all these the ones that nobody names any more whom it concerns.
    func replacedPacks(in post: Post) throws(StorageError) -> [MailName] {
        let named = post.namedByOthers
        var (spared, gone) = (named, OrderedSet(post.replacedPacks))
        for hash in post.state.ownPacks { spared.insert(hash) }
        for pack in try knownPacks(in: post, without: spared) {
            if try own(over: pack, in: post) != nil { gone.insert(pack.reference.hash) }
        }
        return gone.elements.filter { !named.contains($0) }.map { MailName(.pack, $0) }
    }
}

extension PackReference {
    /// True when another pack is said to hold all that this one does.
    fileprivate func isClaimed(by other: PackReference) -> Bool {
        hash != other.hash && ranges.allSatisfy { $0.isWithin(other.ranges) }
    }
}
