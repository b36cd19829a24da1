import LinnetCompanion

/// The reason why a call of ``CompanionSession`` was refused or failed; the cases are those that a
/// developer knows from WatchConnectivity.
public enum CompanionSessionError: Error, Equatable, Sendable {
    /// The failure has no name of its own.
    case genericError
    /// This device is neither a phone nor a watch, or belongs to no group yet.
    case sessionNotSupported
    /// The session was not activated: call `activate` first.
    case sessionNotActivated
    /// The session is changing watches.
    case sessionInactive
    /// No watch is paired.
    case deviceNotPaired
    /// The watch never had the app.
    case watchAppNotInstalled
    /// The phone never had the app.
    case companionAppNotInstalled
    /// The other side cannot take a message now; nothing was sent.
    case notReachable
    /// A parameter is wrong, or the transfer is not there.
    case invalidParameter
    /// The content is larger than the lane takes: 64 KiB, or 256 KiB for a context.
    case payloadTooLarge
    /// The content has a value that property lists do not have.
    case payloadUnsupportedTypes
    /// The other side got the message and gave no reply.
    case messageReplyFailed
    /// No reply came in time: the other side may have got the message.
    case messageReplyTimedOut
    /// The file cannot be read.
    case fileAccessDenied
    /// The other side did not take the transfer.
    case deliveryFailed
    /// Too many transfers wait already.
    case insufficientSpace
    /// The transfer took too long.
    case transferTimedOut
    /// The message was sent, and it is not known what became of it.
    case outcomeUnknown
    /// The node stopped, or its store failed.
    case stopped
}

extension CompanionSessionError {
    init(_ error: CompanionError) {
        self =
            switch error {
            case .genericError, .sessionMissingDelegate, .damagedJournal, .malformedFrame:
                .genericError
            case .sessionNotSupported: .sessionNotSupported
            case .sessionNotActivated: .sessionNotActivated
            case .sessionInactive: .sessionInactive
            case .deviceNotPaired: .deviceNotPaired
            case .watchAppNotInstalled: .watchAppNotInstalled
            case .companionAppNotInstalled, .watchOnlyApp: .companionAppNotInstalled
            case .notReachable: .notReachable
            case .invalidParameter: .invalidParameter
            case .payloadTooLarge: .payloadTooLarge
            case .payloadUnsupportedTypes: .payloadUnsupportedTypes
            case .messageReplyFailed: .messageReplyFailed
            case .messageReplyTimedOut: .messageReplyTimedOut
            case .fileAccessDenied: .fileAccessDenied
            case .deliveryFailed: .deliveryFailed
            case .insufficientSpace: .insufficientSpace
            case .transferTimedOut: .transferTimedOut
            }
    }
}
