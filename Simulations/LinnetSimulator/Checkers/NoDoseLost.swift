import LinnetCRDT
import LinnetMedication
import LinnetWire

/// Every dose of the calendar is due, and journeys neither lose one nor add one.
final class NoDoseLost: Checker {
    let invariant = Invariant.noDoseLost
    let sights: [Sight.Kind] = [.medication]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        guard case .medication(let shown) = sight else { return }
        if let problem = shown.problem {
            throw violation("the doses cannot be listed: \(problem)", on: shown.device)
        }
        guard known.medication.travels else {
            try checkCalendar(shown.deeds, shown.lines, shown.range, shown.device)
            return
        }
        do {
            try checkJourneys(shown.book, shown.range, shown.device)
        } catch let violation as Violation {
            throw violation
        } catch {
            throw violation("the doses cannot be listed: \(error)", on: shown.device)
        }
    }

    private func checkCalendar(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ range: Range<Instant>, _ device: Int
    ) throws(Violation) {
        for deed in deeds {
            guard case .add = deed.entry.deed.kind else { continue }
            let number = deed.entry.deed.medication
            let expected = known.medication.doses(
                of: number, from: range.lowerBound.milliseconds,
                until: range.upperBound.milliseconds)
            let id = MedicationDeed.id(number)
            let due = lines.filter { $0.medication == id && $0.isScheduled }.map(\.scheduled)
            guard due != expected else { continue }
            throw violation(
                "medicine \(number): \(due.count) doses are due, the calendar has "
                    + "\(expected.count)", on: device)
        }
    }

    /// Gaps stay between half and one and a half of the usual one, but for the hour by which clocks
    /// change; and every decision either counts or is shown as superseded.
    private func checkJourneys(
        _ book: MedicationBook, _ range: Range<Instant>, _ device: Int
    ) throws {
        for schedule in book.schedules.values {
            guard let history = book.histories[schedule.id], history.isComplete,
                let usual = UsualGaps(schedule.timing)?.longestMinutes
            else { continue }
            let decided = book.adjustments.values.filter { $0.schedule == schedule.id }.count
            guard history.earlier.count + history.superseded.count == decided else {
                throw violation(
                    "a decision is lost", on: device)
            }
            let due = try schedule.occurrences(in: range, zones: SimulatedZones.table)
            // The last decision counts from its time on, whatever waited to count later.
            if let last = schedule.earlier.last?.until, last < range.upperBound {
                let alone = schedule.replacing(timing: schedule.timing, earlier: [])
                let decided = try alone.occurrences(
                    in: max(last, range.lowerBound)..<range.upperBound,
                    zones: SimulatedZones.table)
                guard due.filter({ $0.scheduled >= last }) == decided else {
                    throw violation(
                        "doses after a decision are not those of the decision", on: device)
                }
            }
            for (dose, next) in zip(due, due.dropFirst()) {
                let gap = next.scheduled.milliseconds(since: dose.scheduled) / 60_000
                guard gap < usual / 2 - 60 || gap > usual * 3 / 2 + 60 else { continue }
                throw violation(
                    "\(gap) minutes from \(dose.id) to \(next.id)",
                    on: device)
            }
        }
    }
}
