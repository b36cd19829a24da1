import LinnetStorage
import LinnetWire

/// The scopes of which this replica has received all that the group had when it came to hold them.
struct KnownScopes {
    /// The scopes, even those that are not held.
    private(set) var filter: ScopeFilter
    /// The scopes that the store keeps as known; nil when it keeps none.
    private var kept: ScopeFilter?

    init(kept: ScopeFilter? = nil) {
        filter = kept ?? .nothing
        self.kept = kept
    }

    /// True when the store keeps which scopes are known; homes of earlier versions do not.
    var isKept: Bool { kept != nil }
    /// True when nothing is left to be learned.
    var isEverything: Bool { filter == .everything }

    /// Returns true when all of a scope is known.
    func holds(_ scope: ScopeID) -> Bool { filter.holds(scope) }

    /// Notes which scopes are known; where nothing may be written, the next write keeps this.
    mutating func become(_ scopes: ScopeFilter) { filter = scopes }

    /// Goes back to the scopes that the store keeps, after a transaction that was rolled back.
    mutating func reload(kept: ScopeFilter?) {
        filter = kept ?? filter
        self.kept = kept
    }

    /// Notes which scopes are known, and keeps this.
    mutating func become(_ scopes: ScopeFilter, in turn: inout Turn) throws(StorageError) {
        filter = scopes
        guard scopes != kept else { return }
        try turn.writing()
        try save(in: turn.store)
    }

    /// Keeps which scopes are known in the open transaction.
    mutating func save(in store: any Store) throws(StorageError) {
        guard filter != kept else { return }
        var writer = CBORWriter()
        filter.write(to: &writer)
        try store.setValue(.knownScopes, writer.bytes)
        kept = filter
    }
}
