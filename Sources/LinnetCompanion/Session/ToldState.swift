/// The session's properties as the app was last told.
struct ToldState: Equatable, Sendable {
    /// The properties that `watchStateDidChange` is about.
    struct Watch: Equatable, Sendable {
        var isPaired = false
        var isWatchAppInstalled = false
        var isComplicationEnabled = false
    }

    var watch = Watch()
    var isCompanionAppInstalled = false
    var isReachable = false
    /// True when the app was launched for a message and does not run yet.
    var isWaking = false
    /// Since when reachability differs from what the app was told.
    var reachabilityChangedUptimeMilliseconds: Int64?
}
