import LinnetCompanion
import LinnetSystem

/// The five ways in which a phone and its watch send each other something, with the names and the
/// promises of WatchConnectivity's session.
///
/// The two ends are two members of one group, one made as a `phone` and one as a `watch`, over any
/// carrier. A queued transfer survives restarts of either side and is delivered once. Calls throw
/// ``CompanionSessionError``.
public struct CompanionSession: Sendable {
    let node: Node

    /// Makes the session ready, with the app on screen; `events()` then tells of everything that
    /// came before.
    public func activate() async throws(CompanionSessionError) {
        try await node.laneInput(.activate(hasDelegate: true))
        try await node.laneInput(.environment(.app(.foreground)))
    }

    /// Tells whether the app of this side is on screen; a watch is reachable only while it is.
    public func setForeground(_ isForeground: Bool) async throws(CompanionSessionError) {
        try await node.laneInput(.environment(.app(isForeground ? .foreground : .background)))
    }

    /// Tells whether the complication is on the active face; on the watch.
    public func setComplication(isOnFace: Bool) async throws(CompanionSessionError) {
        try await node.laneInput(.environment(.complication(isOnFace ? .activeFace : .none)))
    }

    /// True when the session is ready.
    public var isActivated: Bool {
        get async { await node.lanes?.activationState == .activated }
    }

    /// True when the other side can take a message now.
    public var isReachable: Bool { get async { await node.lanes?.isReachable ?? false } }

    /// True when a watch is paired; on the phone.
    public var isPaired: Bool { get async { await node.lanes?.isPaired ?? false } }

    /// True when the paired watch has the app; on the phone.
    public var isWatchAppInstalled: Bool {
        get async { await node.lanes?.isWatchAppInstalled ?? false }
    }

    /// True when the phone has the app; on the watch.
    public var isCompanionAppInstalled: Bool {
        get async { await node.lanes?.isCompanionAppInstalled ?? false }
    }

    /// True when the app's complication is on the watch's active face; on the phone.
    public var isComplicationEnabled: Bool {
        get async { await node.lanes?.isComplicationEnabled ?? false }
    }

    /// The number of transfers for the watch face that are left of the 50 in any 24 hours.
    public var remainingComplicationUserInfoTransfers: Int {
        get async {
            await node.lanes?.remainingComplicationUserInfoTransfers(at: SystemClock.now()) ?? 0
        }
    }

    /// The context that this side set last.
    public var applicationContext: CompanionDictionary {
        get async { await node.lanes?.applicationContext.values ?? [:] }
    }

    /// The newest context of the other side that has arrived.
    public var receivedApplicationContext: CompanionDictionary {
        get async { await node.lanes?.receivedApplicationContext.values ?? [:] }
    }

    /// The user infos that the other side's app has not received.
    public var outstandingUserInfoTransfers: [CompanionTransferStatus] {
        get async {
            await node.lanes?.outstandingUserInfoTransfers.map { CompanionTransferStatus($0) } ?? []
        }
    }

    /// The files that the other side's app has not received.
    public var outstandingFileTransfers: [CompanionTransferStatus] {
        get async {
            await node.lanes?.outstandingFileTransfers.map { CompanionTransferStatus($0) } ?? []
        }
    }

    /// Returns the events from now on; read them before `activate`, so that none is missed.
    public func events() async -> AsyncStream<CompanionSessionEvent> { await node.laneEvents() }

    /// Sends a message of at most 64 KiB now and waits for the reply.
    ///
    /// Throws `notReachable` when nothing was sent, and `outcomeUnknown` or `messageReplyTimedOut`
    /// when the other side may have got the message: send it again only if it may arrive twice.
    public func sendMessage(
        _ message: CompanionDictionary
    ) async throws(CompanionSessionError) -> CompanionDictionary {
        try await node.sendLaneMessage(message)
    }

    /// Answers a message, once.
    public func reply(
        to message: CompanionMessage, with content: CompanionDictionary
    ) async throws(CompanionSessionError) {
        try await node.laneInput(
            .app(.reply(to: message.id.id, .dictionary(PropertyDictionary(content)))))
    }

    /// Replaces the context that the other side sees next, at most 256 KiB.
    public func updateApplicationContext(
        _ context: CompanionDictionary
    ) async throws(CompanionSessionError) {
        try await node.laneInput(
            .app(.updateApplicationContext(PropertyDictionary(context), importance: .plan)))
    }

    /// Queues a dictionary of at most 64 KiB, to be delivered in order and once.
    @discardableResult
    public func transferUserInfo(
        _ userInfo: CompanionDictionary, wantsProcessed: Bool = false
    ) async throws(CompanionSessionError) -> CompanionTransferID {
        let options = TransferOptions(wantsProcessed: wantsProcessed)
        return try await node.laneTransfer(
            .transferUserInfo(PropertyDictionary(userInfo), options))
    }

    /// Queues a dictionary for the watch face, ahead of others while its budget lasts; for the
    /// phone.
    @discardableResult
    public func transferCurrentComplicationUserInfo(
        _ userInfo: CompanionDictionary
    ) async throws(CompanionSessionError) -> CompanionTransferID {
        let options = TransferOptions(importance: .safety)
        return try await node.laneTransfer(
            .transferCurrentComplicationUserInfo(PropertyDictionary(userInfo), options))
    }

    /// Queues a file of at most 64 MiB, which must stay as it is until the transfer is finished.
    @discardableResult
    public func transferFile(
        at path: String, metadata: CompanionDictionary = [:], wantsProcessed: Bool = false
    ) async throws(CompanionSessionError) -> CompanionTransferID {
        let file = try await node.outgoingFile(at: path, PropertyDictionary(metadata))
        let options = TransferOptions(importance: .files, wantsProcessed: wantsProcessed)
        return try await node.laneTransfer(.transferFile(file, options))
    }

    /// Withdraws a transfer; the other side keeps what it has of it.
    public func cancel(_ transfer: CompanionTransferID) async throws(CompanionSessionError) {
        try await node.laneInput(.app(.cancel(transfer.id)))
    }

    /// Tells the other side that the app has processed a transfer, if that asks to be told.
    public func processed(_ transfer: CompanionTransferID) async throws(CompanionSessionError) {
        try await node.laneInput(.app(.processed(transfer.id)))
    }

    /// Writes a received file to a path at which there is nothing, and forgets it here.
    public func take(
        _ file: CompanionFile, to path: String
    ) async throws(CompanionSessionError) {
        try await node.takeLaneFile(file, to: path)
    }

    /// Forgets a received file.
    public func dismiss(_ file: CompanionFile) async throws(CompanionSessionError) {
        try await node.laneInput(.app(.fileHandled(file.id.id)))
    }
}

extension Node {
    /// The companion lanes, on which a phone and its watch send each other something beside the
    /// shared data.
    public nonisolated var companion: CompanionSession { CompanionSession(node: self) }
}
