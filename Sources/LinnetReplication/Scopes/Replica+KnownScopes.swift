import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A device that came to hold a scope does not know what it lacks of it until an exchange with a
/// peer that does has ended whole. Which scopes it knows is kept, since it may be cut off before.
extension Replica {
    /// Keeps in the open transaction which scopes are known.
    mutating func saveKnownScopes() throws(StorageError) {
        if group != nil { try known.save(in: store) }
    }

    /// Finds out which scopes are known in a home of an earlier version, which did not say so: all
    /// where this device founded the group, or held just what a peer listed when they parted. A
    /// home that takes no writes may be read, so this is kept with the next write.
    mutating func recallKnownScopes() throws(StorageError) {
        guard !known.isKept, let log = group?.log else { return }
        let peers = try peerKnowledge()
        let isFounder = log.records.first?.author == device
        let knowsAll = isFounder || peers.contains { wasInStep(with: $0.knowledge.listing) }
        known.become(knowsAll ? .everything : .nothing)
    }

    private func wasInStep(with listing: VectorListing) -> Bool {
        var count = 0
        for listed in listing.scopes where holds(listed.scope) {
            for head in listed.heads {
                let key = ChainKey(scope: listed.scope, chain: head.chain)
                guard head.seq <= chains[key]?.stored ?? 0 else { return false }
            }
        }
        for (key, row) in chains.rows where ChainIndex.holdsAny(row) && row.device != device {
            guard listing.scopes.contains(where: { $0.scope == key.scope }) else { return false }
            count += 1
        }
        return count > 0
    }

    /// What a peer is told in the greeting; nil where this replica knows all that it holds.
    var knownScopesToTell: ScopeFilter? {
        if known.isEverything { return nil }
        let told = known.filter.intersection(scopeFilter)
        if told == scopeFilter { return nil }
        return told.scopes.count > ScopeFilter.scopesMaximum ? .nothing : told
    }

    /// Takes in that this replica holds all that a peer does: what the peer knows whole is known
    /// here.
    mutating func learnScopes(from state: OpenState) throws(StorageError) {
        guard state.saidInStep, !known.isEverything, !store.isInTransaction,
            // What waits for a part of its commit, or for keys, does not show yet.
            chains.rows.values.allSatisfy({ $0.applied >= $0.stored || $0.forkedAt != nil })
        else { return }
        let theirs = state.known.map(state.scopes.intersection) ?? state.scopes
        let more = known.filter.union(theirs)
        guard more != known.filter else { return }
        try known.become(more, in: &turn)
        try store.commit()
        // Those who wait for somebody who knows hear of it in a new greeting.
        for session in sessions.all {
            guard case .open(let other) = session.state, other !== state, other.known != nil
            else { continue }
            end(session, .normal, telling: .normal)
        }
    }

    /// Forgets that scopes were known, which this replica comes to hold again; alone in its group
    /// it has nobody to hear more from.
    mutating func expectMore(of names: [String]) throws(StorageError) {
        guard let group, group.log.state.members.count > 1 else { return }
        let scopes = names.compactMap { group.scope(named: $0) }
        try known.become(known.filter.subtracting(scopes), in: &turn)
    }

    /// The scopes that this replica holds and knows whole, by name.
    package var heldScopes: HeldScopes {
        guard let group else { return HeldScopes(isEverything: false, names: [], isInStep: false) }
        let isKnown = { [known] (name: String) in
            group.scope(named: name).map(known.holds) ?? false
        }
        let always = schema.collections.filter(\.scope.isAlways).map(\.scope.name)
        let isInStep = known.isEverything || always.allSatisfy(isKnown)
        switch subscription {
        case .only(let names):
            return HeldScopes(
                isEverything: false, names: names.filter(isKnown), isInStep: isInStep)
        case .everything(let left) where known.isEverything:
            return HeldScopes(isEverything: true, names: left, isInStep: isInStep)
        case .everything(let left):
            let optional = RecentScopes.all(of: schema) + schema.optionalScopes
            let unknown = optional.filter { !isKnown($0) && subscription.wants($0) }
            // Of parts that only their records name nobody could say which are not known.
            if known.filter.isExclusion, unknown.count == known.filter.scopes.count {
                return HeldScopes(
                    isEverything: true, names: left + unknown, isInStep: isInStep)
            }
            return HeldScopes(
                isEverything: false,
                names: optional.filter { isKnown($0) && subscription.wants($0) },
                isInStep: isInStep)
        }
    }
}

/// The scopes that a replica holds and of which it knows all that its group had.
package struct HeldScopes: Equatable, Sendable {
    /// Whether these are all but those that are named, also scopes that come to be later; else they
    /// are those alone.
    package let isEverything: Bool
    /// The names.
    package let names: [String]
    /// Whether the scopes of all replicas are known; false until a first exchange has ended whole.
    package let isInStep: Bool
}

extension LinnetCRDT.Schema {
    /// The scopes that a replica may do without, but for divided ones.
    fileprivate var optionalScopes: [String] {
        collections.compactMap { collection in
            if case .optional(let name) = collection.scope { name } else { nil }
        }
    }
}
