import LinnetWire

/// The scopes that a replica holds, by their opaque names, as it tells its peers.
struct ScopeFilter: Equatable, Sendable {
    /// The largest number of scopes that a filter may name.
    static let scopesMaximum = 4_096

    /// True when `scopes` are those that it does without; else they are all that it holds.
    let isExclusion: Bool
    /// The scopes.
    let scopes: OrderedSet<ScopeID>

    /// The filter that holds every scope.
    static let everything = ScopeFilter(isExclusion: true, scopes: OrderedSet())

    /// Returns true when the scope is held.
    func holds(_ scope: ScopeID) -> Bool {
        scopes.elements.isEmpty ? isExclusion : scopes.contains(scope) != isExclusion
    }

    /// Writes [is exclusion, [scope, ...]], scopes ascending.
    func write(to writer: inout CBORWriter) {
        writer.array(2)
        writer.bool(isExclusion)
        writer.array(scopes.elements.count)
        for scope in scopes { writer.bytes(scope) }
    }

    /// Reads what `write` wrote; throws `nonCanonical` unless the scopes ascend.
    static func read(from reader: inout CBORReader) throws(WireError) -> ScopeFilter {
        try reader.array(exactly: 2)
        let isExclusion = try reader.bool()
        var scopes: [ScopeID] = []
        for _ in 0..<(try reader.array(max: scopesMaximum)) {
            let scope = try reader.bytes16()
            if let last = scopes.last, last >= scope { throw .nonCanonical }
            scopes.append(scope)
        }
        return ScopeFilter(isExclusion: isExclusion, scopes: OrderedSet(scopes))
    }
}

extension ScopeFilter {
    static func == (left: ScopeFilter, right: ScopeFilter) -> Bool {
        left.isExclusion == right.isExclusion && left.scopes.elements == right.scopes.elements
    }
}
