import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The scopes that a replica holds, as it was told, and those of which it knows all.
///
/// A device that came to hold a scope does not know what it lacks of it until it has exchanged
/// everything with a peer that knows all of the scope. The store keeps which scopes are known,
/// since the device may be cut off before.
struct ScopeBook {
    /// The scopes that are wanted beside those that every replica holds.
    var subscription = Subscription.all
    /// The scopes of which this replica has received all that the group had when it came to hold
    /// them.
    var known = KnownScopes()

    /// The members that said that they read batches which are sealed by scope.
    private(set) var scopedReaders = OrderedSet<DeviceID>()
    private var keptReaders = OrderedSet<DeviceID>()

    init(
        subscription: Subscription = .all, known: KnownScopes = KnownScopes(),
        scopedReaders: [DeviceID] = []
    ) {
        (self.subscription, self.known) = (subscription, known)
        self.scopedReaders = OrderedSet(scopedReaders)
        keptReaders = self.scopedReaders
    }

    /// Notes that a member reads batches which are sealed by scope; kept with the next write.
    mutating func note(_ member: DeviceID, readsScoped: Bool) {
        if readsScoped { scopedReaders.insert(member) } else { scopedReaders.remove(member) }
    }

    /// Returns the scopes that this replica holds: those that it chose, as far as it may.
    func held(of group: GroupState?, _ schema: Schema) -> ScopeFilter {
        let chosen = filter(of: group, schema)
        guard let own = group?.rights.own, own != .everything else { return chosen }
        return chosen == .everything ? own : chosen.intersection(own)
    }

    /// Returns the scopes that this replica chose, as its peers are told.
    func filter(of group: GroupState?, _ schema: Schema) -> ScopeFilter {
        guard let group, subscription != .all else { return .everything }
        switch subscription {
        case .everything(let names):
            let ids = names.compactMap { group.scope(named: $0) }
            return ScopeFilter(isExclusion: true, scopes: OrderedSet(ids))
        case .only(let names):
            let always = schema.collections.filter(\.scope.isAlways).map(\.scope.name)
            let ids = (always + names).compactMap { group.scope(named: $0) }
            return ScopeFilter(isExclusion: false, scopes: OrderedSet(ids))
        }
    }

    /// Returns the time-divided scopes of which something is or may be held, beside those that are
    /// recent.
    func held(otherThan recent: [String], _ log: BatchLog) -> [String] {
        let candidates: [String]
        switch subscription {
        case .only(let names):
            candidates = names.filter { RecentScopes.covers($0, in: log.schema) }
        case .everything:
            let present = OrderedSet(log.chains.rows.keys.map(\.scope))
            candidates = RecentScopes.all(of: log.schema).filter { name in
                log.group?.scope(named: name).map(present.contains) ?? false
            }
        }
        return candidates.filter { name in
            !recent.contains { $0.utf8.elementsEqual(name.utf8) }
        }
    }

    /// Finds out which scopes are known in a home of an earlier version, which did not say so: all
    /// of them where this device founded the group, or held just what a peer listed when they
    /// parted. A home that takes no writes may be read, so that only the next write keeps this.
    mutating func recall(_ log: BatchLog, on device: DeviceID) throws(StorageError) {
        guard !known.isKept, let group = log.group else { return }
        let peers = try log.store.peerKnowledge()
        let isFounder = group.log.records.first?.author == device
        let held = filter(of: group, log.schema)
        let knowsAll =
            isFounder
            || peers.contains { log.chains.isInStep(with: $0.knowledge.listing, held, device) }
        known.become(knowsAll ? .everything : .nothing)
    }

    /// Forgets that scopes were known which this replica comes to hold again. If it is alone in its
    /// group, there is nobody to hear more from.
    mutating func expectMore(
        of names: [String], _ group: GroupState?, _ turn: inout Turn
    ) throws(StorageError) {
        guard let group, group.log.state.members.count > 1 else { return }
        let awaited = names.compactMap { group.scope(named: $0) }
        try known.become(known.filter.subtracting(awaited), in: &turn)
    }

    /// Keeps in the open transaction which scopes are known.
    mutating func save(in store: any Store, of group: GroupState?) throws(StorageError) {
        if group != nil { try known.save(in: store) }
        guard scopedReaders.elements != keptReaders.elements else { return }
        var writer = CBORWriter()
        writer.array(scopedReaders.elements.count)
        for device in scopedReaders { writer.bytes(device) }
        try store.setValue(.scopedReaders, writer.bytes)
        keptReaders = scopedReaders
    }
}

extension ChainIndex {
    /// Returns true when it holds just what a peer listed, as far as this device holds scopes.
    fileprivate func isInStep(
        with listing: VectorListing, _ held: ScopeFilter, _ device: DeviceID
    ) -> Bool {
        var count = 0
        for listed in listing.scopes where held.holds(listed.scope) {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                guard head.seq <= self[key]?.stored ?? 0 else { return false }
            }
        }
        for (key, row) in rows where Self.holdsAny(row) && row.device != device {
            guard listing.scopes.contains(where: { $0.scope == key.scope }) else { return false }
            count += 1
        }
        return count > 0
    }
}
