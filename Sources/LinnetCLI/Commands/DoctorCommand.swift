import Linnet
import LinnetControl
import LinnetWire

/// `linnet doctor`: looks for faults and says how to mend them.
enum DoctorCommand {
    static let command = Command(
        "doctor", summary: "Look for what is wrong with this device, and say what to do.",
        details: """
            Looks at the home's files, the database, the clock, warnings, the network and the mDNS
            daemon. Exit code 0 when nothing is wrong, 1 when something is; notes, and what
            was not checked, do not count. A small database is read completely, a large one only
            with --deep. If the home does not open, or its node is locked, the database is checked
            as far as that is possible without the keys.
            Warnings that do not end by themselves stay until --acknowledge.
            """,
        options: [
            Option("deep", nil, "read everything that is stored and check it"),
            Option("acknowledge", nil, "confirm that you have seen the warnings kept for you"),
        ],
        example: "doctor --deep", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        if arguments.has("acknowledge") {
            if arguments.has("deep") {
                throw .usage("--acknowledge and --deep exclude each other")
            }
            return try await acknowledge(invocation)
        }
        let findings = await Diagnosis.findings(invocation, isDeep: arguments.has("deep"))
        for finding in findings { show(finding, invocation.output) }
        let problems = findings.filter(\.isWrong).count
        if problems > 0 {
            throw .failed("\(Plural.of(problems, "problem")) found, as listed above")
        }
    }

    private static func show(_ finding: HealthFinding, _ output: Output) {
        output.result(
            [
                "check": .text(finding.check), "state": .text(finding.state.rawValue),
                "finding": .text(finding.text),
                "remedy": finding.remedy.map(JSON.text) ?? .null,
            ],
            "\(finding.check): \(finding.state.rawValue): \(TerminalText.neutral(finding.text))"
                + (finding.remedy.map { "\n    \(TerminalText.neutral($0))" } ?? ""))
    }

    private static func acknowledge(_ invocation: Invocation) async throws(ControlFailure) {
        let gateway = try await invocation.openGateway(tells: false)
        let known: [ControlWarning]
        do throws(ControlFailure) {
            known = try await gateway.ask(AcknowledgementRequest())
        } catch {
            await gateway.close()
            throw error
        }
        await gateway.close()
        invocation.output.result(
            ["acknowledged": .array(known.map(WarningText.json))],
            known.isEmpty
                ? "there is nothing to acknowledge"
                : known.map { "acknowledged: \(TerminalText.neutral($0.text))" }
                    .joined(separator: "\n"))
    }
}
