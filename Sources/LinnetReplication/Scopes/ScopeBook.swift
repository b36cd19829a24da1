/// The scopes that a replica holds, as it was told, and those of which it knows all.
struct ScopeBook {
    /// The scopes that are wanted beside those that every replica holds.
    var subscription = Subscription.all
    /// The scopes of which this replica has received all that the group had when it came to hold
    /// them.
    var known = KnownScopes()
}
