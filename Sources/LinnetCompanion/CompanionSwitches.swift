/// The choices that the platform leaves open or lets differ; the defaults are what was chosen here.
package struct CompanionSwitches: Equatable, Sendable {
    /// True when an application context equal to the last one is not sent again.
    package var suppressesIdenticalContexts = true
    /// The effect of a complication transfer on a face drawn by WidgetKit.
    package var complicationFaces = ComplicationFaces.asDocumented
    /// True when a context, user info or file from the watch launches the phone's app.
    package var wakesPhoneForTransfers = false
    /// True when the watch app was built without any phone app.
    package var isWatchOnlyApp = false
    /// Time for the reply to a message.
    package var replyMilliseconds: Int64 = 60_000
    /// Time for a background task to be completed before the app is ended.
    package var taskMilliseconds: Int64 = 30_000
    /// First pause before an unanswered part is sent again; it doubles up to 32 times this.
    package var retryMilliseconds: Int64 = 15_000
    /// Most transfers of one kind that wait for one counterpart.
    package var outstandingTransfers = 1_024
    /// Most received transfers that wait for the app.
    package var inboxTransfers = 256
    /// Most transfers that the counterpart has stored and not yet handed to its app.
    package var storedAhead = 64
    /// Largest file.
    package var fileBytes: UInt64 = 64 << 20
    /// The wakes and bytes that the counterpart may be asked for in 24 hours.
    package var budget = DeviceBudget.unlimited
    /// Defects of the platform to reproduce.
    package var faults: PlatformFaults = []

    /// The platform's documented behaviour and the defaults for the rest.
    package init() {}
}

/// The effect of a complication transfer on a face drawn by WidgetKit.
package enum ComplicationFaces: Equatable, Sendable {
    /// Every complication on the active face counts.
    case asDocumented
    /// Complications are WidgetKit's, which the transfers do not update: none counts as enabled.
    case widgetKitUnmoved
}

/// Defects that were seen on the platform, by name, to be switched on in a simulation.
package struct PlatformFaults: OptionSet, Equatable, Sendable {
    /// The bits of the profile.
    package let rawValue: UInt8

    /// The profile of these bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Queued user infos stay where they are until the next one is queued or the app restarts.
    package static let stuckQueueUntilNextEnqueueOrRestart = PlatformFaults(rawValue: 1)
    /// A change of reachability that is undone within two seconds is not told, nor is its undoing.
    package static let missedReachabilityCallback = PlatformFaults(rawValue: 2)
    /// Messages are lost on the way although the counterpart counts as reachable.
    package static let reachableButTimingOut = PlatformFaults(rawValue: 4)
    /// Replies leave only after the asker has given up.
    package static let replyTooLate = PlatformFaults(rawValue: 8)

    /// Every profile under its name.
    package static let named: [(name: String, profile: PlatformFaults)] = [
        ("stuckQueueUntilNextEnqueueOrRestart", .stuckQueueUntilNextEnqueueOrRestart),
        ("missedReachabilityCallback", .missedReachabilityCallback),
        ("reachableButTimingOut", .reachableButTimingOut),
        ("replyTooLate", .replyTooLate),
    ]
}
