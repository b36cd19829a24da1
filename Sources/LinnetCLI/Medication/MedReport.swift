import Linnet
import LinnetCRDT
import LinnetMedication
import LinnetWire

/// A page for a doctor: what was to be taken, what was taken, and notes.
enum MedReport {
    static let action = MedCommand.Action(
        name: "report", words: "", summary: "a page for a doctor, --output FILE.html or FILE.csv",
        options: ["from", "to", "output"], run: report)

    private static func report(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        guard let path = session.arguments.value("output") else {
            throw .usage("say where to with --output FILE.html or FILE.csv")
        }
        let days = try session.days(usual: 30)
        let lines = try MedSession.asked { () throws(MedicationError) in
            try session.book.lines(
                in: session.range(days), now: session.now, zones: session.zones)
        }.filter { $0.status != .upcoming }
        let text: String
        if path.hasSuffix(".html") {
            let adherence = try MedSession.asked { () throws(MedicationError) in
                try session.book.adherence(
                    over: days, now: session.now, zone: session.zone, zones: session.zones)
            }
            text = page(session, days, lines, adherence)
        } else if path.hasSuffix(".csv") {
            text = table(session, lines)
        } else {
            throw .usage("--output must end in .html or .csv")
        }
        try FileText.write(text, to: path)
        session.output.result(
            ["file": .text(path), "doses": .integer(lines.count)],
            "Written: \(TerminalText.neutral(path)) (doses: \(lines.count))")
    }

    private static func notes(_ line: DoseLine, _ session: MedSession) -> String {
        guard let dose = session.book.ledger.dose(line.key) else { return "" }
        let reasons = dose.skipped.compactMap { $0.reason?.text }
        return (reasons + dose.notes).joined(separator: "; ")
    }

    private static func takenAt(_ line: DoseLine, _ session: MedSession) -> String {
        if case .taken(let at, _) = line.status { session.time.text(at) } else { "" }
    }

    private static func table(_ session: MedSession, _ lines: [DoseLine]) -> String {
        let head = ["due", "zone", "medication", "dosage", "status", "taken", "witnesses", "notes"]
        return CSVWriter.line(head, for: .person)
            + lines.map { line in
                CSVWriter.line(
                    [
                        session.time.text(line.scheduled), session.zone.name, line.name,
                        line.dosage?.description ?? "", line.status.word, takenAt(line, session),
                        "\(line.witnesses)", notes(line, session),
                    ], for: .person)
            }.joined()
    }

    private static func page(
        _ session: MedSession, _ days: ClosedRange<Day>, _ lines: [DoseLine], _ all: Adherence
    ) -> String {
        let period = "\(days.lowerBound) to \(days.upperBound)"
        let medicines = session.book.medications.values.map { medication in
            let own = Adherence(lines.filter { $0.medication == medication.id })
            return [
                medication.name + (medication.isActive ? "" : " (stopped)"),
                medication.dosage?.description ?? "",
                session.book.schedules(of: medication.id).filter(\.isActive)
                    .compactMap(\.timing).map { MedText.text($0) }.joined(separator: "; "),
                MedText.percent(own.rateThousandths), "\(own.taken) of \(own.total)",
                "\(own.late)", "\(own.missed)", "\(own.skipped)", medication.instructions,
            ]
        }
        let doses = lines.map { line in
            [
                session.time.text(line.scheduled), line.name, line.dosage?.description ?? "",
                line.status.word, takenAt(line, session), notes(line, session),
            ]
        }
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head><meta charset="utf-8"/><title>Medication report, \(period)</title>
            <style>
            body { font-family: sans-serif; margin: 2em } table { border-collapse: collapse }
            th, td { border: 1px solid #888; padding: 0.2em 0.6em; text-align: left }
            </style></head>
            <body>
            <h1>Medication report</h1>
            <p>\(period), times in \(escaped(session.zone.name)), as known at \
            \(session.time.text(session.now)).</p>
            <p>Adherence: \(MedText.percent(all.rateThousandths)): \(all.taken) of \(all.total) \
            doses taken, \(all.late) of them late; \(all.missed) missed, \(all.skipped) skipped.</p>
            <h2>Medicines</h2>
            \(html([
                "medicine", "dosage", "schedule", "adherence", "taken", "late", "missed",
                "skipped", "instructions",
            ], medicines))
            <h2>Doses</h2>
            \(html(["due", "medicine", "dosage", "status", "taken", "notes"], doses))
            </body></html>

            """
    }

    private static func html(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>\n"
        }
        return "<table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table>"
    }

    /// Text that is neither markup nor a character that XML 1.0 forbids or that nobody sees.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for scalar in TerminalText.neutralLines(text).unicodeScalars {
            switch scalar {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "\n": safe += " "
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }
}
