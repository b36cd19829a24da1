import LinnetCRDT
import LinnetMembership
import LinnetStorage
import LinnetWire

extension Replica {
    /// The known scopes that a peer is told in the greeting; nil where this replica knows all that
    /// it holds.
    var knownScopesToTell: ScopeFilter? {
        if scopes.known.isEverything { return nil }
        let told = scopes.known.filter.intersection(scopeFilter)
        if told == scopeFilter { return nil }
        return told.scopes.count > ScopeFilter.scopesMaximum ? .nothing : told
    }

    /// Notes that this replica holds all that a peer does, so that the scopes of which the peer
    /// knows all are known here too.
    mutating func learnScopes(from state: OpenState) throws(StorageError) {
        guard state.saidInStep, state.grant == .everything, !scopes.known.isEverything,
            !store.isInTransaction,
            // Batches that wait for a part of their commit, or for keys, do not show yet.
            chains.rows.values.allSatisfy({ $0.applied >= $0.stored || $0.forkedAt != nil })
        else { return }
        let theirs =
            state.greeting.known.map(state.greeting.scopes.intersection) ?? state.greeting.scopes
        let more = scopes.known.filter.union(theirs)
        guard more != scopes.known.filter else { return }
        try scopes.known.become(more, in: &turn)
        try store.commit()
        // Peers that wait for somebody who knows hear of it in a new greeting.
        for session in sessions.all {
            guard case .open(let other) = session.state, other !== state,
                other.greeting.known != nil
            else { continue }
            end(session, .normal, telling: .normal)
        }
    }

    /// The names of the scopes that this replica holds and of which it knows all.
    package var heldScopes: HeldScopes {
        guard let group else { return HeldScopes(isEverything: false, names: [], isInStep: false) }
        let isKnown = { [known = scopes.known] (name: String) in
            group.scope(named: name).map(known.holds) ?? false
        }
        let always = schema.collections.filter(\.scope.isAlways).map(\.scope.name)
        let isInStep = scopes.known.isEverything || always.allSatisfy(isKnown)
        if group.rights.ownGrant != .all {
            let optional = RecentScopes.all(of: schema) + schema.optionalScopes
            let names = optional.filter { name in
                isKnown(name) && subscription.wants(name)
                    && group.scope(named: name).map(group.rights.own.holds) ?? false
            }
            return HeldScopes(isEverything: false, names: names, isInStep: isInStep)
        }
        switch subscription {
        case .only(let names):
            return HeldScopes(
                isEverything: false, names: names.filter(isKnown), isInStep: isInStep)
        case .everything(let left) where scopes.known.isEverything:
            return HeldScopes(isEverything: true, names: left, isInStep: isInStep)
        case .everything(let left):
            let optional = RecentScopes.all(of: schema) + schema.optionalScopes
            let unknown = optional.filter { !isKnown($0) && subscription.wants($0) }
            // Nobody could say which of the parts that only their records name are not known.
            if scopes.known.filter.isExclusion, unknown.count == scopes.known.filter.scopes.count {
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

/// The scopes that a replica holds and of which it knows all that its group had when it came to
/// hold them.
package struct HeldScopes: Equatable, Sendable {
    /// True when these are all scopes except those that are named, even scopes that come to be
    /// later; else they are only the named ones.
    package let isEverything: Bool
    /// The names.
    package let names: [String]
    /// True when the scopes of all replicas are known; false until a first exchange is complete.
    package let isInStep: Bool
}

extension Schema {
    /// The scopes that a replica may do without, except for divided ones.
    fileprivate var optionalScopes: [String] {
        collections.compactMap { collection in
            if case .optional(let name) = collection.scope { name } else { nil }
        }
    }
}
