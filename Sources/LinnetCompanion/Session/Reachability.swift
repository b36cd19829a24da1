/// `isReachable` of both ends, which differ: a watch app on screen reaches the phone while the
/// phone's app sleeps, and the phone reaches a watch app only while that one runs.
package enum Reachability {
    /// On the watch (Apple, WCSession, isReachable and
    /// iOSDeviceNeedsUnlockAfterRebootForReachability).
    package static func fromWatch(
        isLinkUp: Bool, watchApp: AppState, isPhoneAppInstalled: Bool, isPhoneLocked: Bool
    ) -> Bool {
        isLinkUp && isPhoneAppInstalled && !isPhoneLocked
            && (watchApp == .foreground || watchApp == .highPriority)
    }

    /// On the phone, about the active watch (Apple, WCSession, isReachable).
    package static func fromPhone(
        isPaired: Bool, isLinkUp: Bool, watchApp: AppState, isReachableFromWatch: Bool
    ) -> Bool {
        isPaired && isLinkUp && watchApp.isRunning && isReachableFromWatch
    }
}
