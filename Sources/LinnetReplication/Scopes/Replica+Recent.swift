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
        for name in scopes.held(otherThan: recent, log) {
            guard let id = group?.scope(named: name) else { continue }
            if sessions.hold(id, of: chains.index, butFor: device) {
                leaving.append(name)
            } else {
                kept.append(name)
            }
        }
        kept.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let wanted = Subscription.only(subscription.chosen(in: schema) + kept)
        return try follow(
            wanted, evicting: leaving, awaiting: subscription.gaps(in: recent), at: now)
    }
}
