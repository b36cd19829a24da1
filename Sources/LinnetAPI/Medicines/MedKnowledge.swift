import Linnet
package import LinnetCRDT
package import LinnetControl
package import LinnetMedication
import LinnetWire

/// The part of a report beside its doses: how much is known, how well the doses were taken, and
/// what was changed meanwhile.
package struct MedKnowledge {
    /// A change of time zone, or a decision about a schedule.
    package struct Change: Sendable {
        /// The time of it.
        package let at: Instant
        /// The same in the person's zone.
        package let local: String
        /// The medicine; empty for a change of zone.
        package let medicine: String
        /// The change in words.
        package let what: String
        /// Its standing among others.
        package let standing: String
        /// The device that wrote it.
        package let device: String

        /// The cells of a table that begins with `changeHead`.
        package var row: [String] { [local, medicine, what, standing, device] }
    }

    /// The heads of a table of changes.
    package static let changeHead = ["when", "medicine", "what", "standing", "device"]

    /// The adherence of all medicines together.
    package let all: Adherence
    /// The adherence of each medicine.
    package private(set) var adherence = OrderedTable<RecordID, Adherence>()
    /// The changes within the days, by time.
    package private(set) var changes: [Change] = []
    private let disagreements: [TotalDisagreement]
    private let missing: [String]
    private let isInStep: Bool

    /// Reads what is known of some days.
    package init(_ desk: MedicineDesk, _ days: ClosedRange<Day>) throws(ControlFailure) {
        let book = desk.book
        isInStep = book.isInStep
        (all, disagreements) = try MedicineDesk.asked { () throws(MedicationError) in
            (
                try book.adherence(
                    over: days, now: desk.now, zone: desk.zone, zones: desk.zones),
                try book.disagreements(now: desk.now, zones: desk.zones)
            )
        }
        for medication in book.medications.keys {
            adherence[medication] = try MedicineDesk.asked { () throws(MedicationError) in
                try book.adherence(
                    over: days, now: desk.now, zone: desk.zone, zones: desk.zones,
                    of: medication)
            }
        }
        missing = book.missingZones(desk.zones).map {
            "The times of \(book.content(of: $0.medication).description) "
                + "cannot be told: " + MedText.sentence(for: .unknownZone($0.zone)) + "."
        }
        let range = desk.range(days)
        changes = (Self.journeys(desk) + Self.decisions(desk))
            .filter { range.contains($0.at) }
            .sorted { ($0.at, $0.medicine) < ($1.at, $1.medicine) }
    }

    /// Returns sentences about how well the doses were taken, and how much of that is known.
    package func sentences(_ days: ClosedRange<Day>) -> [String] {
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
            let text = MedText.text($0)
            return text.prefix(1).uppercased() + text.dropFirst() + "."
        }
        return sentences + missing
    }

    /// Returns sentences about what is not known of the days.
    package func limits(_ days: ClosedRange<Day>) -> [String] {
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

    private static func journeys(_ desk: MedicineDesk) -> [Change] {
        desk.book.timeZoneEvents.values.map { event in
            Change(
                at: event.change.at, local: desk.time.text(event.change.at), medicine: "",
                what: "from \(event.change.from) to \(event.change.to)",
                standing: "zone changed (\(event.detection.text))",
                device: event.device ?? "a device without a name")
        }
    }

    private static func decisions(_ desk: MedicineDesk) -> [Change] {
        let book = desk.book
        return book.adjustments.values.map { adjustment in
            let medication = book.scheduleRecords[adjustment.schedule]?.medication
            let history = book.histories[adjustment.schedule]
            let isLost = history?.superseded.contains { $0.id == adjustment.id } ?? false
            let isOpen = history?.unsettled.contains { $0.id == adjustment.id } ?? false
            let name = medication.flatMap { book.medication($0) }.map { book.title(of: $0) }
            return Change(
                at: adjustment.at, local: desk.time.text(adjustment.at),
                medicine: name ?? medication?.description ?? adjustment.schedule.description,
                what: MedText.strategy(adjustment) + ": " + MedText.text(adjustment.after),
                standing: isOpen ? "superseded, not confirmed" : isLost ? "superseded" : "decided",
                device: adjustment.device ?? "a device without a name")
        }
    }
}
