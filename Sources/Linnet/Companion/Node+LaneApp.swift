import LinnetCompanion
import LinnetSystem
import LinnetWire

// Commands that act as the app of this device while they run.
extension Node {
    /// Begins a command that acts as the app; the first one activates the session.
    func laneAppBegins() throws(CompanionSessionError) {
        if lanes?.activationState != .activated {
            try laneInput(.activate(hasDelegate: true))
            try laneInput(.environment(.app(.foreground)))
            laneDesk.endsApp = true
        }
        laneDesk.apps += 1
    }

    /// Ends such a command; the last one ends the app if a command had begun it.
    func laneAppEnds() {
        guard laneDesk.apps > 0 else { return }
        laneDesk.apps -= 1
        guard laneDesk.apps == 0, laneDesk.endsApp else { return }
        laneDesk.endsApp = false
        try? laneInput(.environment(.app(.notRunning)))
    }

    /// Returns the events from now on, until the stream of this number is ended.
    func laneStream() -> (AsyncStream<CompanionSessionEvent>, Int) {
        let stream = laneEvents()
        return (stream, laneDesk.lastStream)
    }

    /// Ends a stream once all events in it were read.
    func endLaneStream(_ number: Int) {
        laneDesk.streams.removeValue(forKey: number)?.finish()
    }

    /// Answers an event as the command was told to; returns the object that the command prints.
    func laneAppAnswers(
        _ event: CompanionSessionEvent, _ reply: [UInt8]?, _ directory: String?, _ json: JSON
    ) async -> JSON {
        guard case .object(var members) = json else { return json }
        do throws(CompanionSessionError) {
            switch event {
            case .didReceiveMessage(let message):
                guard message.expectsReply, let reply,
                    let content = try? Payload.dictionary(reply)
                else { return json }
                try await companion.reply(to: message, with: content.values)
            case .didReceiveUserInfo(let info) where info.wantsProcessed:
                try await companion.processed(info.id)
            case .didReceiveFile(let file):
                guard let directory else { return json }
                let path = "\(directory)/\(file.id)"
                try await companion.take(file, to: path)
                members.append(JSON.Member("path", .text(path)))
                if file.wantsProcessed { try await companion.processed(file.id) }
            case .activationDidChange(isActivated: false)
            where lanes?.activationState == .notActivated:
                // The session changed watches, and the app goes on with the new one.
                try await companion.activate()
            default: return json
            }
        } catch {
            members.append(JSON.Member("error", .text(error.description)))
        }
        return .object(members)
    }

    /// Returns the state of the lanes, for people and programs.
    func laneReport() throws(CompanionSessionError) -> JSON {
        // This opens the lanes, if nothing did before.
        try laneInput(.deadline)
        guard let lanes else { throw .sessionNotSupported }
        let now = SystemClock.now()
        let budget = lanes.switches.budget
        return [
            "event": "status", "role": .text(lanes.role == .phone ? "phone" : "watch"),
            "activated": .bool(lanes.activationState == .activated),
            "reachable": .bool(lanes.isReachable),
            "paired": .bool(
                lanes.role == .phone ? lanes.isPaired : lanes.isCompanionAppInstalled),
            "installed": .bool(
                lanes.role == .phone ? lanes.isWatchAppInstalled : lanes.isCompanionAppInstalled),
            "complicationEnabled": .bool(lanes.isComplicationEnabled),
            "complicationTransfersLeft": .integer(
                lanes.remainingComplicationUserInfoTransfers(at: now)),
            "wakes": .integer(lanes.ledger.wakes(at: now)), "wakeBudget": .integer(budget.wakes),
            "bytes": .integer(lanes.ledger.bytes(at: now)), "byteBudget": .integer(budget.bytes),
            "userInfos": .array(
                lanes.outstandingUserInfoTransfers.map { CompanionTransferStatus($0).json }),
            "files": .array(
                lanes.outstandingFileTransfers.map { CompanionTransferStatus($0).json }),
            "deferred": .array(lanes.ledger.deferred.map(Self.json)),
            "context": .object(lanes.applicationContext.values),
            "receivedContext": .object(lanes.receivedApplicationContext.values),
        ]
    }

    private static func json(_ deferral: CompanionLedger.Deferral) -> JSON {
        [
            "lane": .text("\(deferral.lane)"), "number": .integer(deferral.number),
            "importance": .text("\(deferral.importance)"), "reason": .text("\(deferral.reason)"),
        ]
    }
}
