/// An event that the delegate is told.
package enum CompanionEvent: Equatable, Sendable {
    /// The activation ended in this state.
    case activationDidComplete(ActivationState)
    /// The session became inactive, because the person changed watches.
    case sessionDidBecomeInactive
    /// Everything of the old watch is handed over: activate the session again.
    case sessionDidDeactivate
    /// Pairing, installation or complication changed; read the properties again.
    case watchStateDidChange
    /// The phone app was installed or removed; on the watch.
    case companionAppInstalledDidChange
    /// A hint: read `isReachable` again.
    case reachabilityDidChange
    /// A message arrived; answer it if a reply is expected.
    case receivedMessage(TransferID, MessageContent, expectsReply: Bool)
    /// The one outcome of a message.
    case messageFinished(TransferID, MessageOutcome)
    /// The newest application context of the counterpart.
    case receivedApplicationContext(PropertyDictionary)
    /// A user info arrived.
    case receivedUserInfo(ReceivedUserInfo)
    /// A user info was handed to the counterpart's app, or failed.
    case userInfoFinished(CompanionTransfer, CompanionError?)
    /// A file arrived; it goes when the call returns, unless it is claimed.
    case receivedFile(ReceivedFile)
    /// A file was handed to the counterpart's app, or failed.
    case fileFinished(CompanionTransfer, CompanionError?)
    /// The counterpart's app says that it has processed the transfer.
    case transferProcessed(TransferID)
    /// A background task to be completed when nothing is pending any more.
    case backgroundTask(UInt64)
}

/// The outcome of a message: three different answers.
package enum MessageOutcome: Equatable, Sendable {
    /// The counterpart's app answered.
    case replied(MessageContent)
    /// The counterpart's app has it, and no reply was asked for.
    case delivered
    /// It had no effect: the counterpart's app did not get it.
    case failed(CompanionError)
    /// It was sent and no answer is known: it may have had its effect.
    case unknown(CompanionError)
}

/// A user info as it is handed to the app.
package struct ReceivedUserInfo: Equatable, Sendable {
    /// Its transfer.
    package var id: TransferID
    /// The dictionary that the sender sent.
    package var userInfo: PropertyDictionary
    /// True when it was sent for the watch face.
    package var isComplication: Bool
    /// True when the sender asks for `processed`.
    package var wantsProcessed: Bool
    /// True when the app was handed this before a restart.
    package var isRepeated: Bool
}

/// An outstanding or finished transfer as its sender sees it.
package struct CompanionTransfer: Equatable, Sendable {
    /// Its name.
    package var id: TransferID
    /// True when it is the one for the watch face.
    package var isCurrentComplicationInfo: Bool
    /// Bytes that the counterpart has.
    package var sentBytes: UInt64
    /// Bytes in all.
    package var totalBytes: UInt64
    /// True when the counterpart has all of it and waits for its app.
    package var isStored: Bool
}
