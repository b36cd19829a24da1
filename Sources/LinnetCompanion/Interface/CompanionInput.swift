package import LinnetWire

/// An input that reaches a machine from outside.
package enum CompanionInput: Equatable, Sendable {
    /// The app set its delegate, or not, and activates the session.
    case activate(hasDelegate: Bool)
    /// The app asks for something.
    case app(AppCommand)
    /// Whoever goes on without the app puts a value into the context, beside what the app put
    /// there. The app's own update takes the place of both.
    case addToContext(String, PropertyValue, importance: Importance)
    /// The surroundings changed.
    case environment(EnvironmentChange)
    /// A frame came from a counterpart.
    case frame(from: DeviceID, [UInt8])
    /// The deadline is due.
    case deadline
}

/// A request of the app; a command that throws has changed nothing.
package enum AppCommand: Equatable, Sendable {
    /// Send a message now; its outcome follows as exactly one `messageFinished`.
    case sendMessage(MessageContent, expectsReply: Bool)
    /// Answer a received message, once.
    case reply(to: TransferID, MessageContent)
    /// Replace the application context.
    case updateApplicationContext(PropertyDictionary, importance: Importance)
    /// Queue a user info.
    case transferUserInfo(PropertyDictionary, TransferOptions)
    /// Queue a user info for the watch face; on the phone only.
    case transferCurrentComplicationUserInfo(PropertyDictionary, TransferOptions)
    /// Queue a file.
    case transferFile(OutgoingFile, TransferOptions)
    /// Bytes of a file that `readFile` asked for.
    case fileBytes(TransferID, offset: UInt64, [UInt8])
    /// The file that `readFile` asked for cannot be read.
    case fileUnreadable(TransferID)
    /// Withdraw an outstanding transfer; what its receiver already has stays with it.
    case cancel(TransferID)
    /// Keep a received file: the app has moved it away.
    case claimFile(TransferID)
    /// The delegate call for a received file has returned.
    case fileHandled(TransferID)
    /// The app has processed a transfer that asks for it.
    case processed(TransferID)
    /// The app is done with a background task.
    case completeTask(UInt64)
}

/// A change that the surroundings of a machine tell it.
package enum EnvironmentChange: Equatable, Sendable {
    /// A counterpart is in range and frames pass, or no longer.
    case link(DeviceID, isUp: Bool)
    /// A counterpart was paired; the first one is active at once.
    case paired(DeviceID)
    /// A counterpart was unpaired, with all that waits for it.
    case unpaired(DeviceID)
    /// The person made another paired watch the active one; on the phone.
    case watchSwitched(to: DeviceID)
    /// The app at this end changed its state.
    case app(AppState)
    /// The counterpart's app was installed or removed; frames from it count as installed.
    case counterpartApp(DeviceID, isInstalled: Bool)
    /// The complication was placed or removed; on the watch.
    case complication(ComplicationPlacement)
    /// This device restarted; a phone is locked until `unlocked`.
    case rebooted
    /// The phone was unlocked.
    case unlocked
    /// Faults such as a stuck queue or a late reply begin or end.
    case faults(PlatformFaults)
}
