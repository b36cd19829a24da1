import Linnet
import LinnetAPI
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
            Changes that this device wrote and its disk lost come back from a device that has them.
            If that one does not come any more, --restate writes again what the records here show.
            """,
        options: [
            Option("deep", nil, "read everything that is stored and check it"),
            Option("acknowledge", nil, "confirm that you have seen the warnings kept for you"),
            Option("restate", nil, "write again what this device wrote and its disk lost"),
        ],
        example: "doctor --deep", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let given = ["acknowledge", "deep", "restate"].filter { arguments.has($0) }
        if given.count > 1 {
            throw .usage("--\(given[0]) and --\(given[1]) exclude each other")
        }
        if arguments.has("acknowledge") { return try await acknowledge(invocation) }
        if arguments.has("restate") { return try await restate(invocation) }
        let findings = await Diagnosis.findings(invocation, isDeep: arguments.has("deep"))
        for finding in findings { show(finding, invocation.output) }
        let problems = findings.filter(\.isWrong).count
        if problems > 0 {
            throw .failed("\(Plural.of(problems, "problem")) found, as listed above")
        }
    }

    private static func show(_ finding: HealthFinding, _ output: Output) {
        output.result(
            StatusText.json(finding),
            "\(finding.check): \(finding.state.rawValue): \(TerminalText.neutral(finding.text))"
                + (finding.remedy.map { "\n    \(TerminalText.neutral($0))" } ?? ""))
    }

    private static func restate(_ invocation: Invocation) async throws(ControlFailure) {
        let gateway = try await invocation.openGateway(tells: false)
        let lost: UInt64
        do throws(ControlFailure) {
            lost = try await gateway.ask(RestatementRequest())
        } catch {
            await gateway.close()
            throw error
        }
        await gateway.close()
        let batches = "\(Plural.of(lost, "lost batch", "lost batches"))"
        invocation.output.result(
            ["restated": .integer(Int64(clamping: lost))],
            lost == 0
                ? "no changes of this device are known to be lost"
                : "what records show of \(batches) was written again; 'linnet doctor' says more")
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
