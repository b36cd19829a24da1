import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet compact`: folds older changes into what they came to.
enum CompactCommand {
    static let command = Command(
        "compact",
        summary: "Fold older changes that every device holds, so that a home grows less.",
        details: """
            What records show stays the same. The folded changes are forgotten as they were
            written: 'linnet history' tells those alone that still show. A newcomer takes what
            they came to, all at once, from a device that it meets. Nothing is folded that another
            device may still lack; the command says what holds more back. A device for which you
            do not wait has to join again, from a new home.
            """,
        options: [
            Option("keep-days", "N", "the days for which changes stay as they are (7)"),
            Option(
                "lapse-days", "N",
                "the days of silence after which a device is not waited for (never)"
            ),
        ],
        preparation: Command.sample, example: "compact --keep-days 30", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let kept =
            try Numbers.whole(invocation.arguments.value("keep-days"), option: "keep-days") ?? 7
        let lapsed = try Numbers.whole(
            invocation.arguments.value("lapse-days"), option: "lapse-days", from: 1)
        let report = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let progress = CountProgress([WorkStep("transactions folded")], invocation.output)
            defer { progress.end() }
            let request = CompactionRequest(keptDays: kept, lapsedDays: lapsed)
            return try await gateway.ask(request) { progress.tell($0.done, of: $0.total) }
        }
        invocation.output.result(
            [
                "folded": .integer(report.folded), "kept": .integer(report.kept),
                "keptBytes": .integer(report.keptBytes), "records": .integer(report.records),
                "recordBytes": .integer(report.recordBytes),
                "holdbacks": .array(report.holdbacks.map(JSON.text)),
            ], text(report))
    }

    private static func text(_ report: ControlCompaction) -> String {
        let folded = Plural.of(report.folded, "transaction")
        var lines = [
            report.folded == 0
                ? "Nothing was folded."
                : "\(folded) \(report.folded == 1 ? "was" : "were") folded.",
            "\(Plural.of(report.kept, "transaction")) of \(report.keptBytes) bytes stay as they"
                + " were written; \(Plural.of(report.records, "record")) of"
                + " \(report.recordBytes) bytes stand for what was folded.",
        ]
        if !report.holdbacks.isEmpty {
            lines.append("More is held back:")
            lines += report.holdbacks.map { "  " + TerminalText.neutral($0) }
        }
        return lines.joined(separator: "\n")
    }
}
