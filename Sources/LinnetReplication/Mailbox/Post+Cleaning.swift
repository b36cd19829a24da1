import LinnetCRDT
import LinnetWire

// Packs give way to larger ones, and what gave way is deleted where nobody names it.
extension Post {
    /// The most packs that gave way, or were put and not read back, that a head says.
    static let replacedInHead = 64

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
        let own = state.ownPacks
        let shelves = OrderedSet(state.shelves.map(\.reference.hash))
        return state.replaced.filter {
            !shelves.contains($0.old) && own.contains($0.new)
                && !listing.lacks(MailName(.pack, $0.new))
                && !own.contains($0.old)
        }.map(\.old)
    }
}
