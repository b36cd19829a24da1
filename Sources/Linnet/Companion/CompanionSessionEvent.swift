import LinnetCompanion

/// Names a message or a transfer for good.
public struct CompanionTransferID: Hashable, Sendable {
    let id: TransferID

    init(_ id: TransferID) { self.id = id }
}

/// A message from the other side.
public struct CompanionMessage: Equatable, Sendable {
    /// Names it for ``CompanionSession/reply(to:with:)``.
    public let id: CompanionTransferID
    /// What it says.
    public let content: CompanionDictionary
    /// Whether the sender waits for a reply.
    public let expectsReply: Bool
}

/// A dictionary that the other side queued.
public struct CompanionUserInfo: Equatable, Sendable {
    /// Names it for ``CompanionSession/processed(_:)``.
    public let id: CompanionTransferID
    /// What it says.
    public let userInfo: CompanionDictionary
    /// Whether it was sent for the watch face.
    public let isComplication: Bool
    /// Whether the sender asks to be told when the app has worked it off.
    public let wantsProcessed: Bool
    /// Whether the app was handed it before a restart.
    public let isRepeated: Bool
}

/// A file that the other side sent; it is kept until it is taken or dismissed.
public struct CompanionFile: Equatable, Sendable {
    /// Names it for ``CompanionSession/take(_:to:)`` and ``CompanionSession/dismiss(_:)``.
    public let id: CompanionTransferID
    /// Its size.
    public let byteCount: UInt64
    /// What the sender sent with it.
    public let metadata: CompanionDictionary
    /// Whether the sender asks to be told when the app has worked it off.
    public let wantsProcessed: Bool
}

/// A transfer of this side, as it stands.
public struct CompanionTransferStatus: Equatable, Sendable {
    /// Names it.
    public let id: CompanionTransferID
    /// Whether it is the one for the watch face.
    public let isCurrentComplicationInfo: Bool
    /// Bytes that the other side has.
    public let sentBytes: UInt64
    /// Bytes in all.
    public let totalBytes: UInt64

    init(_ transfer: CompanionTransfer) {
        id = CompanionTransferID(transfer.id)
        isCurrentComplicationInfo = transfer.isCurrentComplicationInfo
        sentBytes = transfer.sentBytes
        totalBytes = transfer.totalBytes
    }
}

/// What happens between a phone and its watch, one after the other.
public enum CompanionSessionEvent: Equatable, Sendable {
    /// `isReachable` may have changed: read it again.
    case reachabilityDidChange
    /// Pairing, installation or complication may have changed: read the properties again.
    case watchStateDidChange
    /// The session was activated; or it changes watches, after which the app activates it again.
    case activationDidChange(isActivated: Bool)
    /// A message came.
    case didReceiveMessage(CompanionMessage)
    /// The other side's newest context came.
    case didReceiveApplicationContext(CompanionDictionary)
    /// A user info came.
    case didReceiveUserInfo(CompanionUserInfo)
    /// A file came.
    case didReceiveFile(CompanionFile)
    /// The other side's app got a user info, or it failed.
    case didFinishUserInfoTransfer(CompanionTransferStatus, CompanionSessionError?)
    /// The other side's app got a file, or it failed.
    case didFinishFileTransfer(CompanionTransferStatus, CompanionSessionError?)
    /// The other side's app has worked a transfer off.
    case transferProcessed(CompanionTransferID)

    /// Nil for what applications are not told in this way.
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
    /// The dictionary; bytes stand under the name `data`.
    var values: CompanionDictionary {
        switch self {
        case .dictionary(let dictionary): dictionary.values
        case .data(let bytes): ["data": .data(bytes)]
        }
    }
}
