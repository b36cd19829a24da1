import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// Writes a page for a doctor: the doses that were due, those that were taken, and notes.
enum MedReport {
    static let action = MedCommand.Action(
        name: "report", words: "",
        summary: "a page for a doctor, --output FILE.html, .csv, .txt or .json",
        options: ["from", "to", "output"], run: report)

    private static func report(_ session: MedSession) async throws(ControlFailure) {
        try session.expectNoWords()
        guard let path = session.arguments.value("output") else {
            throw .usage("name the file with --output FILE.html, FILE.csv, FILE.txt or FILE.json")
        }
        let days = try session.days(usual: 30)
        let lines = try MedSession.asked { () throws(MedicationError) in
            try session.book.lines(
                in: session.range(days), now: session.now, zones: session.zones)
        }.filter { $0.status != .upcoming }
        let known = try MedKnowledge(session, days)
        let text: String
        if path.hasSuffix(".html") {
            text = page(session, days, lines, known)
        } else if path.hasSuffix(".csv") {
            text =
                table(session, lines) + known.changes.map(\.csvLine).joined()
                + known.limits(days).map(unknown).joined()
        } else if path.hasSuffix(".txt") {
            text = plain(session, days, lines, known)
        } else if path.hasSuffix(".json") {
            text = json(session, days, lines, known)
        } else {
            throw .usage("--output must end in .html, .csv, .txt or .json")
        }
        try FileText.write(text, to: path)
        session.output.result(
            ["file": .text(path), "doses": .integer(lines.count)],
            "Written: \(TerminalText.neutral(path)) (doses: \(lines.count))")
    }

    /// Returns a line of the table of doses that names something which is not known.
    private static func unknown(_ sentence: String) -> String {
        CSVWriter.line(["", "", "", "", "not known", "", "", sentence], for: .person)
    }

    static func notes(_ line: DoseLine, _ session: MedSession) -> String {
        guard let dose = session.book.ledger.dose(line.key) else { return "" }
        let reasons = dose.skipped.compactMap { $0.reason?.text }
        return (reasons + dose.notes + differences(dose)).joined(separator: "; ")
    }

    /// Tells of witnesses of one dose that recorded different contents.
    private static func differences(_ dose: Dose) -> [String] {
        var said: [String] = []
        for content in dose.taken.compactMap(\.content) where !said.contains(content.description) {
            said.append(content.description)
        }
        return said.count > 1 ? ["recorded as " + said.joined(separator: " and as ")] : []
    }

    /// Returns where a dose's name, dosage and form come from.
    private static func source(_ line: DoseLine) -> String {
        line.isAsRecorded ? "as recorded" : MedText.today
    }

    static func takenAt(_ line: DoseLine, _ session: MedSession) -> String {
        if case .taken(let at, _) = line.status { session.time.text(at) } else { "" }
    }

    private static func table(_ session: MedSession, _ lines: [DoseLine]) -> String {
        let head = [
            "due", "zone", "medication", "dosage", "status", "taken", "witnesses", "notes", "form",
            "words",
        ]
        return CSVWriter.line(head, for: .person)
            + lines.map { line in
                CSVWriter.line(
                    [
                        session.time.text(line.scheduled), session.zone.name, line.name,
                        line.dosage?.description ?? "", line.status.word, takenAt(line, session),
                        "\(line.witnesses)", notes(line, session), line.form?.text ?? "",
                        source(line),
                    ], for: .person)
            }.joined()
    }

    private static func page(
        _ session: MedSession, _ days: ClosedRange<Day>, _ lines: [DoseLine], _ known: MedKnowledge
    ) -> String {
        let period = "\(days.lowerBound) to \(days.upperBound)"
        let medicines = session.book.medications.values.map { medication in
            let own = known.adherence[medication.id] ?? Adherence([])
            return [
                medication.name + (medication.isActive ? "" : " (stopped)"),
                medication.dosage?.description ?? "",
                session.book.schedules(of: medication.id).filter(\.isActive)
                    .compactMap(\.timing).map { MedText.text($0) }.joined(separator: "; "),
                MedText.percent(own.rateThousandths), "\(own.taken) of \(own.total)",
                "\(own.late)", "\(own.missed)", "\(own.skipped)", medication.instructions,
            ]
        }
        // The page says once which days are not held here, and leaves their doses out.
        let doses = lines.filter { $0.status != .unknown }.map { line in
            [
                session.time.text(line.scheduled), line.name, line.dosage?.description ?? "",
                line.form?.text ?? "", source(line), line.status.word, takenAt(line, session),
                notes(line, session),
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
            \(known.sentences(days).map { "<p>\(escaped($0))</p>" }.joined(separator: "\n"))
            <h2>Medicines, \(MedText.today)</h2>
            \(html([
                "medicine", "dosage", "schedule", "adherence", "taken", "late", "missed",
                "skipped", "instructions",
            ], medicines))
            <h2>Doses</h2>
            \(html(
                ["due", "medicine", "dosage", "form", "words", "status", "taken", "notes"], doses))
            \(known.changes.isEmpty ? "" : "<h2>Changes of time zone and of schedules</h2>\n"
                + html(MedKnowledge.changeHead, known.changes.map(\.row)))
            </body></html>

            """
    }

    private static func html(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>\n"
        }
        return "<table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table>"
    }

    /// Returns text without markup, and with visible marks for characters that XML 1.0 forbids or
    /// that nobody sees.
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
