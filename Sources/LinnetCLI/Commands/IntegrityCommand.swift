import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet integrity`: says what is wrong with the program and its surroundings.
enum IntegrityCommand {
    static let command = Command(
        "integrity",
        summary: "Say whether the program, the keys' files, the memory and the clock are safe.",
        details: """
            A finding that could not be determined says "not known". The policy says what a finding
            does: block keeps the home closed, warn tells of it at each opening, log notes it in
            the events of 'linnet run', none does nothing. Without one of its own a device has the
            group's, and else log. Exit code 1 when something is found under block or warn.
            Whoever controls the machine can hide from all of this.
            """,
        options: [
            Option("policy", "P", "block, warn, log, none, or group to take the group's"),
            Option("group", "P", "the policy of all devices that have none of their own"),
            Option("accept", nil, "remember the program as it is now; you replaced it yourself"),
        ],
        example: "integrity --policy log", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let own = arguments.value("policy")
        if let own, own != "group" { try check(own, "policy", "block, warn, log, none, group") }
        if let group = arguments.value("group") {
            try check(group, "group", "block, warn, log, none")
            _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
                try await gateway.ask(GroupIntegrityRequest(group))
            }
        }
        if own != nil || arguments.has("accept") {
            try await choose(
                IntegrityChoiceRequest(policy: own, accepts: arguments.has("accept")), invocation)
        }
        try show(try await report(invocation), invocation.output)
    }

    private static func check(
        _ policy: String, _ option: String, _ words: String
    ) throws(ControlFailure) {
        guard IntegrityPolicy(rawValue: policy) != nil else {
            throw .usage("--\(option) must be one of \(words)")
        }
    }

    /// Chooses through the node that has the home open, or in the home itself, which need not open
    /// for it.
    private static func choose(
        _ request: IntegrityChoiceRequest, _ invocation: Invocation
    ) async throws(ControlFailure) {
        if let node = try Gateway.running(at: invocation.home) {
            _ = try await node.ask(request)
            return
        }
        do throws(LinnetError) {
            try Node.chooseIntegrity(
                at: invocation.home, policy: request.choice, accepts: request.accepts)
        } catch {
            throw ControlFailure(error)
        }
    }

    /// Asks the node that has the home open; else opens the home for the sake of the clock, where
    /// that needs no passphrase and nothing is in the way of it.
    private static func report(
        _ invocation: Invocation
    ) async throws(ControlFailure) -> ControlIntegrity {
        if let node = running(invocation) { return try await node.ask(IntegrityRequest()) }
        do throws(LinnetError) {
            let node = try await Node.open(at: invocation.home)
            let report: IntegrityReport
            do throws(LinnetError) {
                report = try await node.integrity()
            } catch {
                await node.stop()
                throw error
            }
            await node.stop()
            return ControlIntegrity(report)
        } catch {
            do throws(LinnetError) {
                return ControlIntegrity(try Node.integrity(at: invocation.home))
            } catch {
                throw ControlFailure(error)
            }
        }
    }

    /// Returns the node that has the home open; nil also for a home that others can reach, which is
    /// a finding and no failure.
    private static func running(_ invocation: Invocation) -> Gateway? {
        do throws(ControlFailure) {
            return try Gateway.running(at: invocation.home)
        } catch {
            return nil
        }
    }

    private static func show(
        _ report: ControlIntegrity, _ output: Output
    ) throws(ControlFailure) {
        let source = report.own != nil ? "own" : report.group != nil ? "group" : "usual"
        output.result(
            [
                "policy": .text(report.policy), "source": .text(source),
                "own": report.own.map(JSON.text) ?? .null,
                "group": report.group.map(JSON.text) ?? .null,
            ], "policy: \(report.policy) (\(words(for: source)))")
        for finding in report.findings {
            let (text, remedy) = (finding.text, finding.remedy)
            output.result(
                [
                    "check": .text(finding.check), "state": .text(finding.state),
                    "finding": .text(text), "remedy": remedy.map(JSON.text) ?? .null,
                ],
                "\(finding.check): \(finding.state): \(TerminalText.neutral(text))"
                    + (remedy.map { "\n    \(TerminalText.neutral($0))" } ?? ""))
        }
        let found = report.findings.count { $0.state == IntegrityFinding.State.found.rawValue }
        if found > 0, ["block", "warn"].contains(report.policy) {
            throw .failed("\(Plural.of(found, "finding")), as listed above")
        }
    }

    private static func words(for source: String) -> String {
        switch source {
        case "own": "chosen on this device"
        case "group": "the group's"
        default: "nobody chose one"
        }
    }
}
