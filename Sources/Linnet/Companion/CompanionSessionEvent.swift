import LinnetCompanion

/// The name of a message or a transfer, which is never used again.
public struct CompanionTransferID: Hashable, Sendable {
    let id: TransferID

    init(_ id: TransferID) { self.id = id }
}

/// A message from the other side.
public struct CompanionMessage: Equatable, Sendable {
    /// The name of the message, for ``CompanionSession/reply(to:with:)``.
    public let id: CompanionTransferID
    /// The content.
    public let content: CompanionDictionary
    /// True when the sender waits for a reply.
    public let expectsReply: Bool
}

/// A dictionary that the other side queued.
public struct CompanionUserInfo: Equatable, Sendable {
    /// The name of the transfer, for ``CompanionSession/processed(_:)``.
    public let id: CompanionTransferID
    /// The content.
    public let userInfo: CompanionDictionary
    /// True when it was sent for the watch face.
    public let isComplication: Bool
    /// True when the sender asks to be told once the app has processed it.
    public let wantsProcessed: Bool
    /// True when the app had been handed it before a restart.
    public let isRepeated: Bool
}

/// A file that the other side sent; it is kept until it is taken or dismissed.
public struct CompanionFile: Equatable, Sendable {
    /// The name of the transfer, for ``CompanionSession/take(_:to:)`` and
    /// ``CompanionSession/dismiss(_:)``.
    public let id: CompanionTransferID
    /// The size of the file, in bytes.
    public let byteCount: UInt64
    /// The values that the sender sent with it.
    public let metadata: CompanionDictionary
    /// True when the sender asks to be told once the app has processed it.
    public let wantsProcessed: Bool
}

/// A transfer of this side, at one moment.
public struct CompanionTransferStatus: Equatable, Sendable {
    /// The name of the transfer.
    public let id: CompanionTransferID
    /// True when it is the one for the watch face.
    public let isCurrentComplicationInfo: Bool
    /// The bytes that the other side has.
    public let sentBytes: UInt64
    /// The bytes in all.
    public let totalBytes: UInt64

    init(_ transfer: CompanionTransfer) {
        id = CompanionTransferID(transfer.id)
        isCurrentComplicationInfo = transfer.isCurrentComplicationInfo
        sentBytes = transfer.sentBytes
        totalBytes = transfer.totalBytes
    }
}

/// An event between a phone and its watch; they come one after the other.
public enum CompanionSessionEvent: Equatable, Sendable {
    /// ``CompanionSession/isReachable`` may have changed: read it again.
    case reachabilityDidChange
    /// Pairing, installation or complication may have changed: read the properties again.
    case watchStateDidChange
    /// The session was activated, or it changes watches, after which the app activates it again.
    case activationDidChange(isActivated: Bool)
    /// A message came.
    case didReceiveMessage(CompanionMessage)
    /// The other side's newest context came.
    case didReceiveApplicationContext(CompanionDictionary)
    /// A user info came.
    case didReceiveUserInfo(CompanionUserInfo)
    /// A file came.
    case didReceiveFile(CompanionFile)
    /// The other side's app got a user info, or the transfer failed.
    case didFinishUserInfoTransfer(CompanionTransferStatus, CompanionSessionError?)
    /// The other side's app got a file, or the transfer failed.
    case didFinishFileTransfer(CompanionTransferStatus, CompanionSessionError?)
    /// The other side's app has processed a transfer.
    case transferProcessed(CompanionTransferID)

    /// Takes over an event; nil for one that applications are not told in this way.
    init?(_ event: CompanionEvent) {
        switch event {
        case .activationDidComplete(let state):
            self = .activationDidChange(isActivated: state == .activated)
        case .sessionDidBecomeInactive, .sessionDidDeactivate:
            self = .activationDidChange(isActivated: false)
        case .watchStateDidChange, .companionAppInstalledDidChange: self = .watchStateDidChange
        case .reachabilityDidChange: self = .reachabilityDidChange
        case .receivedMessage(let id, let content, let expectsReply):
            self = .didReceiveMessage(
                CompanionMessage(
                    id: CompanionTransferID(id), content: content.values,
                    expectsReply: expectsReply))
        case .receivedApplicationContext(let context):
            self = .didReceiveApplicationContext(context.values)
        case .receivedUserInfo(let info):
            self = .didReceiveUserInfo(
                CompanionUserInfo(
                    id: CompanionTransferID(info.id), userInfo: info.userInfo.values,
                    isComplication: info.isComplication, wantsProcessed: info.wantsProcessed,
                    isRepeated: info.isRepeated))
        case .receivedFile(let file):
            self = .didReceiveFile(
                CompanionFile(
                    id: CompanionTransferID(file.id), byteCount: file.byteCount,
                    metadata: file.metadata.values, wantsProcessed: file.wantsProcessed))
        case .userInfoFinished(let transfer, let error):
            self = .didFinishUserInfoTransfer(
                CompanionTransferStatus(transfer), error.map { CompanionSessionError($0) })
        case .fileFinished(let transfer, let error):
            self = .didFinishFileTransfer(
                CompanionTransferStatus(transfer), error.map { CompanionSessionError($0) })
        case .transferProcessed(let id): self = .transferProcessed(CompanionTransferID(id))
        case .messageFinished, .backgroundTask: return nil
        }
    }
}

extension MessageContent {
    /// The dictionary; bytes stand in it under the name `data`.
    var values: CompanionDictionary {
        switch self {
        case .dictionary(let dictionary): dictionary.values
        case .data(let bytes): ["data": .data(bytes)]
        }
    }
}
