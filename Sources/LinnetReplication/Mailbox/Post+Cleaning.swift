import LinnetCRDT
import LinnetWire

// Packs give way to larger ones, and what gave way is deleted where nobody names it.
extension Post {
    /// The most packs that gave way of which a device remembers that they may go, should the store
    /// bring them back.
    private static let mostReplaced = 512
    /// The most packs that were put and not read back.
    private static let mostTried = 32
    /// The most of both that a head says.
    static let replacedInHead = 64

    /// The hashes of the own packs.
    var ownPacks: OrderedSet<Bytes16> { OrderedSet(state.packs.map(\.reference.hash)) }

    /// True when more than half of what was there is gone, without what is known to have given way.
    var isLost: Bool {
        var replaced = OrderedSet(state.replaced.map(\.old))
        for known in known.heads.values where known.isMember {
            for pair in known.head.replaced { replaced.insert(pair.old) }
        }
        return listing.isLost(but: replaced)
    }

    /// The packs that the newest lives of other members name. This spares readers a vain request,
    /// and is no condition of safety.
    var namedByOthers: OrderedSet<Bytes16> {
        var newest = OrderedTable<DeviceID, KnownHead>()
        for known in known.heads.values
        where known.isMember && known.missed < 2 && known.head.author != author
            && known.head.number > (newest[known.head.device]?.head.number ?? 0)
        {
            newest[known.head.device] = known
        }
        return OrderedSet(newest.values.flatMap { packs(of: $0).map(\.hash) })
    }

    /// The packs that may be deleted: each gave way to an own one that lies there.
    var replacedPacks: [Bytes16] {
        let own = ownPacks
        let shelves = OrderedSet(state.shelves.map(\.reference.hash))
        return state.replaced.filter {
            !shelves.contains($0.old) && own.contains($0.new)
                && !listing.lacks(MailName(.pack, $0.new))
                && !own.contains($0.old)
        }.map(\.old)
    }

    /// Notes, before it is put, a pack that this device makes.
    mutating func tries(_ reference: PackReference, _ object: MailObject) {
        keepAsTried([PostState.OwnPack(reference: reference, bytes: object.bytes.count)])
    }

    /// Remembers packs that may lie there.
    mutating func keepAsTried(_ packs: [PostState.OwnPack]) {
        let hashes = OrderedSet(packs.map(\.reference.hash))
        state.tried.removeAll { hashes.contains($0.reference.hash) }
        state.tried = (state.tried + packs).suffix(Self.mostTried)
    }

    /// Takes a pack that was read back as an own one, and those that are given as giving way to it.
    mutating func own(_ pack: PostState.OwnPack, for retiring: [Bytes16]) {
        let hash = pack.reference.hash
        state.packs.removeAll { $0.reference.hash == hash }
        state.packs.append(pack)
        state.tried.removeAll { $0.reference.hash == hash }
        state.replaced.removeAll { $0.old == hash }
        state.areNamed = false
        giveWay(retiring, to: hash)
    }

    /// Notes that packs give way to an own one.
    mutating func giveWay(_ retiring: [Bytes16], to hash: Bytes16) {
        let retiring = OrderedSet(retiring.filter { $0 != hash })
        guard !retiring.isEmpty else { return }
        if state.packs.contains(where: { retiring.contains($0.reference.hash) }) {
            state.areNamed = false
        }
        state.packs.removeAll { retiring.contains($0.reference.hash) }
        state.tried.removeAll { retiring.contains($0.reference.hash) }
        state.replaced.removeAll { retiring.contains($0.old) }
        // Those that gave way to one of these gave way to this one, which holds all of both.
        for index in state.replaced.indices where retiring.contains(state.replaced[index].new) {
            state.replaced[index].new = hash
        }
        state.replaced += retiring.elements.map { .init(old: $0, new: hash) }
        state.replaced = state.replaced.suffix(Self.mostReplaced)
        dropBrokenShelves()
    }
}
