package import LinnetWire

extension Companion {
    /// The state of the session.
    package var activationState: ActivationState { activation }

    /// The active counterpart, which the lanes are for; nil before the first is paired.
    package var activeCounterpart: DeviceID? { selected }

    /// True when messages pass now; false unless the session is activated.
    package var isReachable: Bool {
        activation == .activated && isCounterpartReachable
    }

    /// Reachability whatever the session is, as this end tells the counterpart.
    var isCounterpartReachable: Bool {
        guard let active, !isLocked else { return false }
        let isHeard = active.isLinkUp && active.remote != nil
        switch role {
        case .watch:
            return Reachability.fromWatch(
                isLinkUp: isHeard, watchApp: app, isPhoneAppInstalled: active.isAppInstalled,
                isPhoneLocked: active.remote?.isLocked ?? true)
        case .phone:
            return Reachability.fromPhone(
                isPaired: active.isPaired, isLinkUp: isHeard,
                watchApp: active.remote?.app ?? .notRunning,
                isReachableFromWatch: active.remote?.isReachable ?? false)
        }
    }

    /// True when a watch is paired and active; on the phone.
    package var isPaired: Bool { role == .phone && active?.isPaired ?? false }

    /// True when the active watch has the app; on the phone.
    package var isWatchAppInstalled: Bool { isPaired && active?.isAppInstalled ?? false }

    /// True when the app's complication is on the active face of the active watch; on the phone.
    package var isComplicationEnabled: Bool {
        isWatchAppInstalled && active?.complication == .activeFace
            && switches.complicationFaces == .asDocumented
    }

    /// True when the phone has the app; on the watch.
    package var isCompanionAppInstalled: Bool {
        role == .watch && !switches.isWatchOnlyApp && active?.isAppInstalled ?? false
    }

    /// True when the phone is in range and was not unlocked since it restarted; on the watch.
    package var needsUnlockAfterReboot: Bool {
        role == .watch && active?.remote?.isLocked ?? false
    }

    /// The context that this end last set; empty before.
    package var applicationContext: PropertyDictionary {
        active?.context.outgoing.flatMap { try? Payload.dictionary($0.bytes) }
            ?? PropertyDictionary()
    }

    /// The context that this end's app last received; empty before.
    package var receivedApplicationContext: PropertyDictionary {
        guard let context = active?.context.incoming, context.isTold else {
            return PropertyDictionary()
        }
        return (try? Payload.dictionary(context.bytes)) ?? PropertyDictionary()
    }

    /// User infos that the counterpart's app has not received, those for the face included.
    package var outstandingUserInfoTransfers: [CompanionTransfer] {
        active?.outgoing.outstanding(.userInfo) ?? []
    }

    /// Files that the counterpart's app has not received.
    package var outstandingFileTransfers: [CompanionTransfer] {
        active?.outgoing.outstanding(.file) ?? []
    }

    /// Returns the number of transfers for the watch face that are left of 50 in any 24 hours; 0
    /// while the complication is not on the active face.
    package func remainingComplicationUserInfoTransfers(at now: Moment) -> Int {
        guard isComplicationEnabled, let active else { return 0 }
        return active.face.remaining(at: now)
    }

    /// True when more is to come for this end's app: complete no background task before it is
    /// false.
    package var hasContentPending: Bool {
        guard let active else { return false }
        return active.isPending
    }

    /// The directory of the active watch, which goes with it; nil without one.
    package var watchDirectory: DeviceID? { isWatchAppInstalled ? selected : nil }

    /// The account of what was sent to the counterpart, and of what waits and why.
    package var ledger: CompanionLedger { active?.ledger ?? CompanionLedger() }

    /// The state of this end's app, as the machine was told or decided.
    package var appState: AppState { app }

    /// The uptime at which `deadline` is due; nil if nothing waits for time.
    package var nextDeadlineUptimeMilliseconds: Int64? {
        var deadlines = [tasks.deadline, reachabilityDeadline]
        for (peer, conversation) in conversations {
            let isSending = peer == selected && activation != .inactive && !isLocked
            deadlines.append(conversation.deadline(switches, isSending: isSending))
        }
        return deadlines.compactMap { $0 }.min()
    }
}
