import LinnetCRDT
package import LinnetWire

extension Replica {
    /// Holds only the recent scopes of time-divided collections; the other scopes stay as they were
    /// chosen.
    ///
    /// Nothing is forgotten that no connected peer is known to hold. Such a scope is kept, and left
    /// when this is called again later, so that a wrong clock loses nothing.
    package mutating func holdRecent(at now: Moment) throws(ReplicaError) -> [Effect] {
        guard group != nil else { return [] }
        if let failure { throw .storage(failure) }
        let recent = RecentScopes.names(of: schema, at: now)
        guard !recent.isEmpty else { return [] }
        var kept = recent
        var leaving: [String] = []
        for name in held(otherThan: recent) {
            guard let id = group?.scope(named: name) else { continue }
            if isHeldElsewhere(id) { leaving.append(name) } else { kept.append(name) }
        }
        let wanted = Subscription.only(
            chosen + kept.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        return try follow(wanted, evicting: leaving, awaiting: gaps(in: recent), at: now)
    }

    /// Returns those of the recent scopes that came to be held late, so that others may have
    /// written there before. A period that follows one that was held is begun in time.
    private func gaps(in recent: [String]) -> [String] {
        var gaps: [String] = []
        var isHeld = false
        var series: Substring?
        for name in recent {
            let own = name.prefix(upTo: name.lastIndex(of: "/") ?? name.endIndex)
            if series != own { (series, isHeld) = (own, false) }
            if !isHeld { isHeld = subscription.wants(name) }
            if !isHeld { gaps.append(name) }
        }
        return gaps
    }

    /// The scopes wanted now that are not divided by time, and that not every replica holds.
    private var chosen: [String] {
        switch subscription {
        case .only(let names): names.filter { !RecentScopes.covers($0, in: schema) }
        case .everything:
            schema.scopes.filter { name in
                let isOptional = schema.collections.contains {
                    !$0.scope.isAlways && $0.scope.covers(name)
                }
                return isOptional && subscription.wants(name)
            }
        }
    }

    /// Returns the time-divided scopes of which something is or may be held, beside those that are
    /// recent.
    private func held(otherThan recent: [String]) -> [String] {
        let candidates: [String]
        switch subscription {
        case .only(let names): candidates = names.filter { RecentScopes.covers($0, in: schema) }
        case .everything:
            let present = OrderedSet(chains.rows.keys.map(\.scope))
            candidates = RecentScopes.all(of: schema).filter { name in
                group?.scope(named: name).map(present.contains) ?? false
            }
        }
        return candidates.filter { name in
            !recent.contains { $0.utf8.elementsEqual(name.utf8) }
        }
    }
}
