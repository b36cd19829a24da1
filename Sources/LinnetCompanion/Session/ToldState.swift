/// What the app was last told of the session's properties.
struct ToldState: Equatable, Sendable {
    /// What `watchStateDidChange` is about.
    struct Watch: Equatable, Sendable {
        var isPaired = false
        var isWatchAppInstalled = false
        var isComplicationEnabled = false
    }

    var watch = Watch()
    var isCompanionAppInstalled = false
    var isReachable = false
    /// Whether the app was launched for a message and does not run yet.
    var isWaking = false
    /// Since when reachability differs from what the app was told.
    var reachabilityChangedUptimeMilliseconds: Int64?
}
