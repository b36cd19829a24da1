import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetMedication

// The report as text for a terminal or a mail, and for programs.
extension MedReport {
    static func plain(
        _ session: MedSession, _ days: ClosedRange<Day>, _ lines: [DoseLine],
        _ known: MedKnowledge
    ) -> String {
        let medicines = session.book.medications.values.map { medication in
            let own = known.adherence[medication.id] ?? Adherence([])
            return [
                MedText.name(medication), MedText.percent(own.rateThousandths),
                MedText.text(own.count),
            ]
        }
        let doses = lines.filter { $0.status != .unknown }.map { line in
            [
                session.time.text(line.scheduled), MedText.name(line), line.status.word,
                TerminalText.neutral(MedPage.notes(line, session.desk)),
            ]
        }
        let changes = known.changes.map { $0.row.map { TerminalText.neutral($0) } }
        let head =
            "Medication report, \(days.lowerBound) to \(days.upperBound), times in "
            + "\(session.zone.name), as known at \(session.time.text(session.now))"
        let parts =
            [head, known.sentences(days).map { TerminalText.neutral($0) }.joined(separator: "\n")]
            + [("Medicines", medicines), ("Doses", doses), ("Changes", changes)]
            .filter { !$0.1.isEmpty }.map { "\($0.0)\n" + MedText.table($0.1) }
        return parts.joined(separator: "\n\n") + "\n"
    }

    static func json(
        _ session: MedSession, _ days: ClosedRange<Day>, _ lines: [DoseLine],
        _ known: MedKnowledge
    ) -> String {
        let report: JSON = [
            "asOf": .text(session.now.description), "zone": .text(session.zone.name),
            "adherence": MedJSON.adherence(known.all, days),
            "sentences": .array(known.sentences(days).map(JSON.text)),
            "medicines": .array(
                session.book.medications.values.map { medication in
                    [
                        "medication": .text(medication.id.description),
                        "name": .text(medication.name),
                        "adherence": MedJSON.adherence(
                            known.adherence[medication.id] ?? Adherence([]), days),
                    ]
                }),
            "doses": .array(lines.map { MedJSON.line($0, session.time) }),
            "changes": .array(
                known.changes.map { change in
                    [
                        "at": .text(change.at.description), "medicine": .text(change.medicine),
                        "what": .text(change.what), "standing": .text(change.standing),
                        "device": .text(change.device),
                    ]
                }),
        ]
        return report.line + "\n"
    }
}
