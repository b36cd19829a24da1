import LinnetWire

extension ScopeFilter {
    /// The filter that holds no scope.
    static let nothing = ScopeFilter(isExclusion: false, scopes: OrderedSet())

    /// Returns the scopes of both together.
    func union(_ other: ScopeFilter) -> ScopeFilter {
        switch (isExclusion, other.isExclusion) {
        case (true, _): but(scopes.filter { !other.holds($0) })
        case (false, true): but(other.scopes.filter { !holds($0) })
        case (false, false): only(scopes.elements + other.scopes.elements)
        }
    }

    /// Returns the scopes that are in both.
    func intersection(_ other: ScopeFilter) -> ScopeFilter {
        switch (isExclusion, other.isExclusion) {
        case (true, true): but(scopes.elements + other.scopes.elements)
        case (true, false): only(other.scopes.filter { holds($0) })
        case (false, _): only(scopes.filter { other.holds($0) })
        }
    }

    /// Returns these scopes without some.
    func subtracting(_ some: [ScopeID]) -> ScopeFilter { intersection(but(some)) }

    /// Returns true when all scopes of the other one are among these.
    func covers(_ other: ScopeFilter) -> Bool { intersection(other) == other }

    private func but(_ scopes: [ScopeID]) -> ScopeFilter {
        ScopeFilter(isExclusion: true, scopes: OrderedSet(scopes))
    }

    private func only(_ scopes: [ScopeID]) -> ScopeFilter {
        ScopeFilter(isExclusion: false, scopes: OrderedSet(scopes))
    }
}
