import LinnetCRDT
import LinnetStorage
package import LinnetWire

extension Replica {
    /// The scopes that this replica holds.
    var scopeFilter: ScopeFilter { scopes.held(of: group, schema) }

    /// Returns true when this replica holds a scope.
    func holds(_ scope: ScopeID) -> Bool {
        if subscription == .all { return group?.rights.own.holds(scope) ?? true }
        return scopeFilter.holds(scope)
    }

    /// Subscribes to some scopes from now on; what they hold comes with the next session.
    package mutating func subscribe(
        to names: [String], at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        for name in names { try checkOptional(name) }
        return try follow(
            names.reduce(subscription) { $0.adding($1) }, evicting: [],
            awaiting: names.filter { !subscription.wants($0) }, at: now)
    }

    /// Does without some scopes from now on and forgets what is held of them; nothing is deleted
    /// elsewhere.
    ///
    /// - Parameter force: true to forget even what no connected peer is known to hold.
    package mutating func unsubscribe(
        from names: [String], force: Bool = false, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        for name in names {
            try checkOptional(name)
            guard let id = group?.scope(named: name), !force else { continue }
            guard sessions.hold(id, of: chains.index, butFor: device) else {
                throw .heldOnlyHere(scope: name)
            }
        }
        return try follow(names.reduce(subscription) { $0.removing($1) }, evicting: names, at: now)
    }

    private func checkOptional(_ name: String) throws(ReplicaError) {
        guard group != nil else { throw .notAMember }
        if let failure { throw .storage(failure) }
        let rules = schema.collections.map(\.scope).filter { $0.covers(name) }
        guard !rules.isEmpty else { throw .unknownScope(name) }
        guard !rules.contains(where: \.isAlways) else { throw .scopeOfAll(name) }
        if let id = group?.scope(named: name), group?.rights.own.holds(id) == false {
            throw .scopeNotGranted(name)
        }
    }

    mutating func follow(
        _ wanted: Subscription, evicting names: [String], awaiting others: [String] = [],
        at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard wanted != subscription else { return [] }
        do throws(StorageError) {
            try turn.writing()
            try foldAllRows()
            for name in names { try evict(name) }
            try scopes.expectMore(of: others, group, &turn)
            try store.setValue(.scopes, wanted.encoded)
            scopes.subscription = wanted
            recordBook.inspection.refolds += 1
            recordBook.forget()
            // A session depends on what both sides hold, so that it begins anew.
            for session in sessions.all { end(session, .normal, telling: .normal) }
            chains.beginAnew()
            return try settle(at: now)
        } catch {
            throw .storage(fail(error))
        }
    }

    /// Forgets the batches and records of a scope, as if nothing of it had ever come.
    private mutating func evict(_ name: String) throws(StorageError) {
        guard let scope = group?.scope(named: name) else { return }
        for (key, row) in chains.rows where key.scope == scope && ChainIndex.holdsAny(row) {
            // Otherwise its numbers would be given out again.
            if key.chain == author.id {
                try author.rotate("a scope that this device wrote to was evicted", &entropy, &turn)
            }
            try chains.empty(key, in: store)
            author.forget(key)
        }
        try chains.waiting.drop(scope, in: store)
        try store.removeBases(scope: scope, on: .own)
        try store.removeBases(scope: scope, on: .arriving)
        for collection in schema.collections where collection.scope.covers(name) {
            try store.removeRecords(
                collection: collection.id, prefix: collection.scope.prefix(of: name))
        }
    }
}
