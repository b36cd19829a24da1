import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet status`: shows devices, connections and what waits.
enum StatusCommand {
    static let command = Command(
        "status", summary: "Show the devices, who is connected, and what waits and why.",
        example: "status", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let (status, lacks) = try await invocation.withGateway {
            (gateway) throws(ControlFailure) in
            (try await gateway.ask(StatusRequest()), try await gateway.ask(LacksRequest()))
        }
        let now = SystemClock.now().wallMilliseconds
        invocation.output.result(
            StatusText.json(status, lacks: lacks), text(status, lacks, now: now))
    }

    private static func text(
        _ status: ControlStatus, _ lacks: [ControlLack], now: Int64
    ) -> String {
        if status.isLocked { return "locked: 'linnet unlock' opens the device again" }
        var lines = [
            status.isRunning
                ? "running" + (status.port.map { ", listening at port \($0)" } ?? "")
                    + ", discovery \(status.discovery)"
                : "not running: start 'linnet run', or run 'linnet sync' now and then"
        ]
        if status.members.isEmpty { lines.append("this device belongs to no group yet") }
        lines += status.removals.filter { $0.isSelf && $0.stands }.map(RemovalText.lines)
        if status.isNewcomer {
            lines.append(
                "this device has not received all that its group holds since it joined")
        }
        for member in status.members {
            let label =
                member.name.isEmpty ? "device \(member.device.description.prefix(8))" : member.name
            lines.append(
                "  \(TerminalText.neutral(label)) (\(kinds(of: member)))  "
                    + state(of: member, lacks.first { $0.device == member.device }, now: now))
        }
        // A removal of this device that came to nothing shows among the others.
        lines += status.removals.filter { !$0.isSelf || !$0.stands }.map {
            "  " + RemovalText.lines($0)
        }
        if status.lateBatches > 0 { lines.append(LateText.hint(status.lateBatches)) }
        lines += status.questions.map { QuestionText.lines($0, now: now) }
        if !status.removals.contains(where: { $0.isSelf && $0.stands && $0.role.isEmpty }),
            let hint = status.recovery.flatMap(RecoveryState.hint)
        {
            lines.append(hint)
        }
        if let link = status.companionLink {
            let (sent, received) = (link.traffic.sent, link.traffic.received)
            lines.append(
                "companion link, as the \(link.side): "
                    + (link.isReachable ? "reachable" : link.isPresent ? "present" : "nobody there")
                    + ", sent \(Plural.of(sent.bytes, "byte"))"
                    + " in \(Plural.of(sent.frames, "frame")) (\(Plural.of(sent.wakes, "wake")))"
                    + ", received \(received.bytes) in \(received.frames) (\(received.wakes))")
        }
        lines += status.waiting.map { "waiting: \(TerminalText.neutral($0))" }
        lines += status.warnings.map { WarningText.lines($0, now: now) }
        lines.append(
            "\(Plural.batches(status.batches)), \(Plural.of(status.batchBytes, "byte"))")
        return lines.joined(separator: "\n")
    }

    /// The kind, as far as it is known, and the role.
    private static func kinds(of member: ControlStatus.Member) -> String {
        [member.kind, member.role + (member.scopes.map { " of \($0)" } ?? "")].filter {
            !$0.isEmpty
        }.map { TerminalText.neutral($0) }
            .joined(separator: ", ")
    }

    /// The amounts that a device sent today.
    private static func today(_ amounts: ControlStatus.Amounts) -> String {
        let batches =
            "\(Plural.batches(amounts.batchesToday)) today, "
            + Plural.of(amounts.bytesToday, "byte")
        let records = Plural.of(amounts.recordsToday, "membership record")
        if amounts.batchesToday == 0 {
            return amounts.recordsToday == 0 ? "" : "; it signed at least \(records) today"
        }
        return "; it sent at least \(batches)"
            + (amounts.recordsToday == 0 ? "" : ", and signed \(records)")
    }

    private static func state(
        of member: ControlStatus.Member, _ lack: ControlLack?, now: Int64
    ) -> String {
        let amounts = member.amounts
        let held =
            "; here \(amounts.batchesHeld == 1 ? "is" : "are")"
            + " \(Plural.batches(amounts.batchesHeld)) by it, "
            + Plural.of(amounts.bytesHeld, "byte")
        if member.isSelf { return "this device" + held }
        var text = member.isConnected ? "connected" : "not connected"
        if let heard = member.lastHeardMilliseconds, !member.isConnected {
            text += ", last heard \(Ago.words(now - heard))"
        }
        if let agreed = member.agreedMilliseconds {
            text += ", certified to hold the same \(Ago.words(now - agreed))"
        }
        if let words = LackText.words(lack, isConnected: member.isConnected) {
            text += ", " + words
        }
        text += held
        return text + today(amounts)
    }
}
