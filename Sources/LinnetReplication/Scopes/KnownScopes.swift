import LinnetStorage
import LinnetWire

/// The scopes of which all has come that the group had when this replica came to hold them.
struct KnownScopes {
    /// The scopes, also such as are not held.
    private(set) var filter: ScopeFilter
    /// What the store keeps of them; nil when it keeps nothing.
    private var kept: ScopeFilter?

    init(kept: ScopeFilter? = nil) {
        filter = kept ?? .nothing
        self.kept = kept
    }

    /// Whether the store keeps which they are; homes of earlier versions did not.
    var isKept: Bool { kept != nil }
    /// Whether nothing is left to be learned.
    var isEverything: Bool { filter == .everything }

    /// Whether all of a scope is known.
    func holds(_ scope: ScopeID) -> Bool { filter.holds(scope) }

    /// Takes note of what is known; where nothing may be written this is kept with the next write.
    mutating func become(_ scopes: ScopeFilter) { filter = scopes }

    /// Goes back to what the store keeps after a transaction that came to nothing.
    mutating func reload(kept: ScopeFilter?) {
        filter = kept ?? filter
        self.kept = kept
    }

    /// Takes note of what is known, and keeps it.
    mutating func become(_ scopes: ScopeFilter, in turn: inout Turn) throws(StorageError) {
        filter = scopes
        guard scopes != kept else { return }
        try turn.writing()
        try save(in: turn.store)
    }

    /// Keeps what is known in the open transaction.
    mutating func save(in store: any Store) throws(StorageError) {
        guard filter != kept else { return }
        var writer = CBORWriter()
        filter.write(to: &writer)
        try store.setValue(.knownScopes, writer.bytes)
        kept = filter
    }
}
