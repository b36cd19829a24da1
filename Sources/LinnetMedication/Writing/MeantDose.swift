import LinnetCRDT

/// The dose that stands in front of a person at a moment, by what is due around it.
struct MeantDose {
    /// A dose, and how far from its time the moment is.
    private struct Candidate {
        let line: DoseLine
        /// Milliseconds from the moment to the dose's time; of a dose that was put off, to the time
        /// between the two.
        let distance: Int64
        /// True when the dose comes later.
        let isAhead: Bool
    }

    private let medication: RecordID
    private let candidates: [Candidate]

    /// The doses of a day before and after a moment.
    init(
        of medication: RecordID, at moment: Instant, in book: MedicationBook, zones: ZoneTable
    ) throws(MedicationError) {
        self.medication = medication
        let day = CivilTime.dayMilliseconds
        let range =
            moment.advanced(byMilliseconds: -day)..<moment.advanced(byMilliseconds: day + 1)
        candidates = try book.lines(in: range, now: moment, zones: zones)
            .filter { $0.medication == medication && $0.isScheduled }
            .map { line in
                var end = line.scheduled
                if case .snoozed(let at)? = book.ledger.dose(line.key)?.outcome {
                    end = max(end, at.advanced(byMilliseconds: DoseStatus.snoozeMilliseconds))
                }
                return Candidate(
                    line: line,
                    distance: max(
                        0, line.scheduled.milliseconds(since: moment),
                        moment.milliseconds(since: end)),
                    isAhead: moment < line.scheduled)
            }
    }

    /// True when no dose is due within a day.
    var isEmpty: Bool { candidates.isEmpty }

    /// The dose that is nearest in time, the earlier one in the middle between two; nil where none
    /// is due within a day.
    var nearest: DoseLine? { candidates.min(by: { $0.distance < $1.distance })?.line }

    /// The nearest dose; throws `unclearDose` where it is more than `windowMilliseconds` away.
    func nearestInWindow() throws(MedicationError) -> DoseLine {
        guard let found = candidates.min(by: { $0.distance < $1.distance }) else {
            throw unclear(.nothingDue, nil)
        }
        guard found.distance <= MedicationPlanner.windowMilliseconds else {
            let isRecorded = found.line.status.isTaken || found.line.status.isSkipped
            throw unclear(isRecorded ? .recorded : found.isAhead ? .early : .late, found.line)
        }
        return found.line
    }

    /// The other doses whose windows are open as well.
    func others(than line: DoseLine) -> [DoseLine] {
        candidates.filter {
            $0.distance <= MedicationPlanner.windowMilliseconds && $0.line.key != line.key
        }.map(\.line)
    }

    /// Says that the dose cannot be told.
    func unclear(_ reason: UnclearDose.Reason, _ nearest: DoseLine?) -> MedicationError {
        .unclearDose(UnclearDose(medication: medication, reason: reason, nearest: nearest))
    }
}
