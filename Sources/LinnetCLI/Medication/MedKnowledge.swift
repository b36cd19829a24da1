import Linnet
import LinnetCRDT
import LinnetControl
import LinnetMedication
import LinnetWire

/// The part of a report beside its doses: how much is known, how well the doses were taken, and
/// what was changed meanwhile.
struct MedKnowledge {
    /// A change of time zone, or a decision about a schedule.
    struct Change {
        let at: Instant
        let local: String
        let medicine: String
        let what: String
        let standing: String
        let device: String

        /// The cells of a table that begins with `changeHead`.
        var row: [String] { [local, medicine, what, standing, device] }

        /// A line in the table of doses, with a time and a note but without a dose.
        var csvLine: String {
            CSVWriter.line(
                [local, "", medicine, "", standing, "", "", "\(what), on \(device)"],
                for: .person)
        }
    }

    static let changeHead = ["when", "medicine", "what", "standing", "device"]

    /// The adherence of all medicines together.
    let all: Adherence
    /// The adherence of each medicine.
    private(set) var adherence = OrderedTable<RecordID, Adherence>()
    /// The changes within the days, by time.
    private(set) var changes: [Change] = []
    private let disagreements: [TotalDisagreement]
    private let missing: [String]
    private let isInStep: Bool

    init(_ session: MedSession, _ days: ClosedRange<Day>) throws(ControlFailure) {
        let book = session.book
        isInStep = book.isInStep
        (all, disagreements) = try MedSession.asked { () throws(MedicationError) in
            (
                try book.adherence(
                    over: days, now: session.now, zone: session.zone, zones: session.zones),
                try book.disagreements(now: session.now, zones: session.zones)
            )
        }
        for medication in book.medications.keys {
            adherence[medication] = try MedSession.asked { () throws(MedicationError) in
                try book.adherence(
                    over: days, now: session.now, zone: session.zone, zones: session.zones,
                    of: medication)
            }
        }
        missing = book.missingZones(session.zones).map {
            "The times of \(book.content(of: $0.medication).description) "
                + "cannot be told: " + MedText.sentence(for: .unknownZone($0.zone)) + "."
        }
        let range = session.range(days)
        changes = (Self.journeys(session) + Self.decisions(session))
            .filter { range.contains($0.at) }
            .sorted { ($0.at, $0.medicine) < ($1.at, $1.medicine) }
    }

    /// Returns sentences about how well the doses were taken, and how much of that is known.
    func sentences(_ days: ClosedRange<Day>) -> [String] {
        var sentences = limits(days)
        sentences.append(
            all.total == 0 && all.knownSince != nil
                ? "Adherence: not known."
                : "Adherence: \(MedText.percent(all.rateThousandths)): "
                    + "\(all.taken) of \(Plural.of(all.total, "dose")) taken, "
                    + "\(all.late) of them late; "
                    + "\(all.missed) missed, \(all.skipped) skipped.")
        if all.totalDays > 0 {
            sentences.append(
                Plural.of(all.totalDays, "day is", "days are")
                    + " counted by the monthly totals that another device left; "
                    + "the doses are not listed.")
        }
        sentences += disagreements.map {
            let text = MedTotals.text($0)
            return text.prefix(1).uppercased() + text.dropFirst() + "."
        }
        return sentences + missing
    }

    /// Returns sentences about what is not known of the days.
    func limits(_ days: ClosedRange<Day>) -> [String] {
        var sentences: [String] = []
        if !isInStep {
            sentences.append(
                MedText.notInStep.prefix(1).uppercased() + MedText.notInStep.dropFirst() + ".")
        }
        if let since = all.knownSince {
            sentences.append(
                (since > days.upperBound ? "Not known" : "Known since \(since)")
                    + ": this device does not hold what was recorded before, and nobody left "
                    + "totals of it.")
        }
        return sentences
    }

    private static func journeys(_ session: MedSession) -> [Change] {
        session.book.timeZoneEvents.values.map { event in
            Change(
                at: event.change.at, local: session.time.text(event.change.at), medicine: "",
                what: "from \(event.change.from) to \(event.change.to)",
                standing: "zone changed (\(event.detection.text))",
                device: event.device ?? "a device without a name")
        }
    }

    private static func decisions(_ session: MedSession) -> [Change] {
        let book = session.book
        return book.adjustments.values.map { adjustment in
            let medication = book.scheduleRecords[adjustment.schedule]?.medication
            let history = book.histories[adjustment.schedule]
            let isLost = history?.superseded.contains { $0.id == adjustment.id } ?? false
            let isOpen = history?.unsettled.contains { $0.id == adjustment.id } ?? false
            let name = medication.flatMap { book.medication($0) }.map { book.title(of: $0) }
            return Change(
                at: adjustment.at, local: session.time.text(adjustment.at),
                medicine: name ?? medication?.description ?? adjustment.schedule.description,
                what: MedTravel.strategy(adjustment) + ": " + MedText.text(adjustment.after),
                standing: isOpen ? "superseded, not confirmed" : isLost ? "superseded" : "decided",
                device: adjustment.device ?? "a device without a name")
        }
    }
}
