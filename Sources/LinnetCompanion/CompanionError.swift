package import LinnetWire

/// An error of the lanes: the platform's names first, then this implementation's own.
package enum CompanionError: Error, Equatable, Sendable {
    /// Something failed for which no other name fits.
    case genericError
    /// This device has no companion lanes.
    case sessionNotSupported
    /// Set a delegate before you activate the session.
    case sessionMissingDelegate
    /// Activate the session first.
    case sessionNotActivated
    /// No watch is paired with this phone.
    case deviceNotPaired
    /// The watch app is not installed on the paired watch.
    case watchAppNotInstalled
    /// The counterpart cannot be reached now; queue a transfer instead.
    case notReachable
    /// An argument is not legal, or the call does not exist on this device.
    case invalidParameter
    /// The payload is above the limit of its lane.
    case payloadTooLarge
    /// The payload holds something that is no property-list value.
    case payloadUnsupportedTypes
    /// The counterpart received the message and ended without a reply.
    case messageReplyFailed
    /// The reply did not come in time; whether the message had its effect is unknown.
    case messageReplyTimedOut
    /// The file cannot be read, or it changed while it was sent.
    case fileAccessDenied
    /// The payload could not be delivered.
    case deliveryFailed
    /// The counterpart has no room for the payload.
    case insufficientSpace
    /// The session is inactive, because the person changed watches.
    case sessionInactive
    /// The transfer did not end in time.
    case transferTimedOut
    /// The phone app is not installed on the paired phone.
    case companionAppNotInstalled
    /// The watch app has no phone app at all.
    case watchOnlyApp
    /// The stored rows of the lanes are damaged: restore a backup, or pair anew.
    case damagedJournal
    /// The counterpart sent bytes that are no frame; they had no effect.
    case malformedFrame(WireError)

    /// The vendor's number, 7001 to 7019; nil for what only this implementation reports.
    package var platformCode: Int? {
        CompanionError.platform.firstIndex(of: self).map { 7001 + $0 }
    }

    /// The platform's error of a number, nil for any other number.
    package init?(platformCode code: Int) {
        let index = code.subtractingReportingOverflow(7001)
        guard !index.overflow, CompanionError.platform.indices.contains(index.partialValue) else {
            return nil
        }
        self = CompanionError.platform[index.partialValue]
    }

    private static let platform: [CompanionError] = [
        .genericError, .sessionNotSupported, .sessionMissingDelegate, .sessionNotActivated,
        .deviceNotPaired, .watchAppNotInstalled, .notReachable, .invalidParameter,
        .payloadTooLarge, .payloadUnsupportedTypes, .messageReplyFailed, .messageReplyTimedOut,
        .fileAccessDenied, .deliveryFailed, .insufficientSpace, .sessionInactive,
        .transferTimedOut, .companionAppNotInstalled, .watchOnlyApp,
    ]
}
