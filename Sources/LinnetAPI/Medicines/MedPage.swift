import Linnet
import LinnetCRDT
package import LinnetMedication

/// Writes the page for a doctor.
package enum MedPage {
    /// Returns the notes and reasons of a dose.
    package static func notes(_ line: DoseLine, _ desk: MedicineDesk) -> String {
        guard let dose = desk.book.ledger.dose(line.key) else { return "" }
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
    package static func source(_ line: DoseLine) -> String {
        line.isAsRecorded ? "as recorded" : MedText.today
    }

    /// Returns the local time at which a dose was taken; empty when it was not.
    package static func takenAt(_ line: DoseLine, _ desk: MedicineDesk) -> String {
        if case .taken(let at, _) = line.status { desk.time.text(at) } else { "" }
    }

    /// Returns the page.
    ///
    /// - Parameter links: the elements of its head that lead to its style and its icon; nil puts a
    ///   style into the page.
    package static func html(
        _ desk: MedicineDesk, _ days: ClosedRange<Day>, _ lines: [DoseLine],
        _ known: MedKnowledge, links: String? = nil
    ) -> String {
        let period = "\(days.lowerBound) to \(days.upperBound)"
        let medicines = desk.book.medications.values.map { medication in
            let own = known.adherence[medication.id] ?? Adherence([])
            return [
                medication.name + (medication.isActive ? "" : " (stopped)"),
                medication.dosage?.description ?? "",
                desk.book.schedules(of: medication.id).filter(\.isActive)
                    .compactMap(\.timing).map { MedText.text($0) }.joined(separator: "; "),
                MedText.percent(own.rateThousandths), "\(own.taken) of \(own.total)",
                "\(own.late)", "\(own.missed)", "\(own.skipped)", medication.instructions,
            ]
        }
        // The page says once which days are not held here, and leaves their doses out.
        let doses = lines.filter { $0.status != .unknown }.map { line in
            [
                desk.time.text(line.scheduled), line.name, line.dosage?.description ?? "",
                line.form?.text ?? "", source(line), line.status.word, takenAt(line, desk),
                notes(line, desk),
            ]
        }
        return """
            <!DOCTYPE html>
            <html lang="en" xmlns="http://www.w3.org/1999/xhtml">
            <head><meta charset="utf-8"/><title>Medication report, \(period)</title>
            \(links ?? style)</head>
            <body>
            <h1>Medication report</h1>
            <p>\(period), times in \(escaped(desk.zone.name)), as known at \
            \(desk.time.text(desk.now)).</p>
            \(known.sentences(days).map { "<p>\(escaped($0))</p>" }.joined(separator: "\n"))
            <h2>Medicines, \(MedText.today)</h2>
            \(table([
                "medicine", "dosage", "schedule", "adherence", "taken", "late", "missed",
                "skipped", "instructions",
            ], medicines))
            <h2>Doses</h2>
            \(table(
                ["due", "medicine", "dosage", "form", "words", "status", "taken", "notes"], doses))
            \(known.changes.isEmpty ? "" : "<h2>Changes of time zone and of schedules</h2>\n"
                + table(MedKnowledge.changeHead, known.changes.map(\.row)))
            </body></html>

            """
    }

    private static let style = """
        <style>
        body { font-family: sans-serif; margin: 2em } table { border-collapse: collapse }
        th, td { border: 1px solid #888; padding: 0.2em 0.6em; text-align: left }
        </style>
        """

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            "<tr>" + cells.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>\n"
        }
        return "<table>\n" + row(head, "th") + rows.map { row($0, "td") }.joined() + "</table>"
    }

    /// Returns text without markup, and with visible marks for characters that XML 1.0 forbids or
    /// that nobody sees.
    package static func escaped(_ text: String) -> String {
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
