import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetMedication

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
        let lines = try MedicineDesk.asked { () throws(MedicationError) in
            try session.book.lines(
                in: session.range(days), now: session.now, zones: session.zones)
        }.filter { $0.status != .upcoming }
        let known = try MedKnowledge(session.desk, days)
        let text: String
        if path.hasSuffix(".html") {
            text = MedPage.html(session.desk, days, lines, known)
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
                        line.dosage?.description ?? "", line.status.word,
                        MedPage.takenAt(line, session.desk),
                        "\(line.witnesses)", MedPage.notes(line, session.desk),
                        line.form?.text ?? "",
                        MedPage.source(line),
                    ], for: .person)
            }.joined()
    }
}

extension MedKnowledge.Change {
    /// A line in the table of doses, with a time and a note but without a dose.
    var csvLine: String {
        CSVWriter.line(
            [local, "", medicine, "", standing, "", "", "\(what), on \(device)"],
            for: .person)
    }
}
