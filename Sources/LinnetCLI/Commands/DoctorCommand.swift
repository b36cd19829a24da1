import Linnet

/// `linnet doctor`: looks for what is wrong, and says what to do.
enum DoctorCommand {
    static let command = Command(
        "doctor", summary: "Check key file, database, clock, mDNS daemon and network.",
        details: "Exit code 1 when something is broken; a warning alone is none.",
        example: "doctor", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let output = invocation.output
        var problems = 0
        for finding in await Diagnosis.findings(invocation) {
            if finding.state == .broken { problems += 1 }
            output.result(
                [
                    "check": .text(finding.check), "state": .text(finding.state.rawValue),
                    "finding": .text(finding.text),
                    "remedy": finding.remedy.map(JSON.text) ?? .null,
                ],
                "\(finding.check): \(finding.state.rawValue): \(TerminalText.neutral(finding.text))"
                    + (finding.remedy.map { "\n    \(TerminalText.neutral($0))" } ?? ""))
        }
        if problems > 0 {
            throw .failed("\(problems) thing\(problems == 1 ? "" : "s") to mend, as said above")
        }
    }
}
