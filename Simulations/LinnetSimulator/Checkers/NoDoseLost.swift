import LinnetCRDT
import LinnetMedication
import LinnetWire

/// M3: every dose of the calendar is due, and journeys neither lose one nor add one.
extension Inspector {
    /// Asked with the other checks of the application.
    func checkMedication(_ device: Int) throws(Violation) {
        guard !medication.entries.isEmpty else { return }
        let deeds = shownDeeds(device)
        let book = MedicationBook(medicationRecords(device))
        let start = Instant(milliseconds: DeviceClock.epochMilliseconds)
        let now = Instant(milliseconds: wallMilliseconds)
        let range = start..<now.advanced(byMinutes: 3 * 1_440)
        do {
            let lines = try book.lines(in: range, now: now, zones: SimulatedZones.table)
            if !medication.travels { try checkStock(deeds, device) }
            try checkDosesCountOnce(deeds, lines, device)
            if medication.travels {
                try checkClaims(book, lines, range, device)
                try checkJourneys(book, range, device)
            } else {
                try checkCalendar(deeds, lines, range, device)
                try checkTotals(deeds, book, device)
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.noDoseLost, "the doses cannot be listed: \(error)", devices: [device])
        }
    }

    private func checkCalendar(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ range: Range<Instant>, _ device: Int
    ) throws(Violation) {
        for deed in deeds {
            guard case .add = deed.entry.deed.kind else { continue }
            let number = deed.entry.deed.medication
            let expected = medication.doses(
                of: number, from: range.lowerBound.milliseconds,
                until: range.upperBound.milliseconds)
            let id = MedicationDeed.id(number)
            let due = lines.filter { $0.medication == id && $0.isScheduled }.map(\.scheduled)
            guard due != expected else { continue }
            throw Violation(
                .noDoseLost,
                "medicine \(number): \(due.count) doses are due, the calendar has "
                    + "\(expected.count)", devices: [device])
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
                throw Violation(.noDoseLost, "a decision is lost", devices: [device])
            }
            let due = try schedule.occurrences(in: range, zones: SimulatedZones.table)
            for (dose, next) in zip(due, due.dropFirst()) {
                let gap = next.scheduled.milliseconds(since: dose.scheduled) / 60_000
                guard gap < usual / 2 - 60 || gap > usual * 3 / 2 + 60 else { continue }
                throw Violation(
                    .noDoseLost, "\(gap) minutes from \(dose.id) to \(next.id)",
                    devices: [device])
            }
        }
    }
}
