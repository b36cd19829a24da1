import LinnetCRDT
import LinnetMedication
import LinnetWire

/// A dose that was taken counts once, whoever tapped and however often.
final class DosesCountOnce: Checker {
    let invariant = Invariant.dosesCountOnce
    let sights: [Sight.Kind] = [.medication, .unrecorded]
    private let known: Knowledge

    init(_ known: Knowledge) { self.known = known }

    func observe(_ sight: Sight) throws(Violation) {
        switch sight {
        case .medication(let shown) where shown.problem == nil:
            try checkLines(shown.deeds, shown.lines, shown.device)
            if known.medication.travels { try checkClaims(shown) }
        case .unrecorded(let device, let deed): try checkUnrecorded(deed, device)
        default: break
        }
    }

    private func checkLines(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ device: Int
    ) throws(Violation) {
        var seen: Set<DoseKey> = []
        for line in lines where !seen.insert(line.key).inserted {
            throw violation(
                "\(line.key.stockKey) is listed twice", on: device)
        }
        guard !known.medication.travels else {
            try checkTapsOnJourneys(deeds, lines, device)
            return
        }
        for number in known.medication.habits.keys.sorted() {
            let own = deeds.filter { $0.entry.deed.medication == number }
            let standing = known.tapsByDose(own).filter(known.stands).compactMap {
                $0.first?.entry.dose
            }
            let id = MedicationDeed.id(number)
            let taken = lines.filter { $0.medication == id && $0.status.isTaken }
            let shown = taken.filter(\.isScheduled).map(\.scheduled)
            guard shown != standing else { continue }
            throw violation(
                "medicine \(number): \(shown.count) doses count as taken, \(standing.count) were",
                on: device)
        }
    }

    /// A tap of which nothing is written was made before on this device, and counts there as a
    /// witness that nobody took back: what other devices tell is none of its own.
    private func checkUnrecorded(_ deed: MedicationDeed, _ device: Int) throws(Violation) {
        let deeds = known.shownDeeds(device).filter { $0.entry.deed.medication == deed.medication }
        guard case .take = deed.kind, !known.medication.travels,
            let dose = known.medication.dose(ofDeed: deed.number),
            !deeds.contains(where: { $0.entry.deed.number == deed.number })
        else { return }
        let taps = known.tapsByDose(deeds).first { $0.first?.entry.dose == dose } ?? []
        let own = taps.filter { tap in
            if case .take = tap.entry.deed.kind { tap.entry.device == device } else { true }
        }
        guard !known.stands(own) else { return }
        throw violation(
            "a tap left no record of this device", on: device)
    }

    /// A dose that was logged is not listed beside the one it was logged for, where schedules move.
    private func checkClaims(_ shown: MedicationSight) throws(Violation) {
        let (book, device) = (shown.book, shown.device)
        let reach = 2 * Schedule.claimMinutes
        let wide =
            shown.range.lowerBound.advanced(
                byMinutes: -reach)..<shown.range.upperBound.advanced(byMinutes: reach)
        for schedule in book.schedules.values {
            let due: [Instant]
            do {
                due = try schedule.occurrences(in: wide, zones: SimulatedZones.table)
                    .map(\.scheduled)
            } catch {
                throw violation("the doses cannot be listed: \(error)", on: device)
            }
            var listed: [Instant] = []
            for line in shown.lines {
                if case .occurrence(schedule.id, let instant) = line.key { listed.append(instant) }
            }
            for instant in listed where !due.contains(instant) {
                let nearest = due.min { left, right in
                    abs(left.milliseconds(since: instant)) < abs(right.milliseconds(since: instant))
                }
                guard let nearest, listed.contains(nearest),
                    abs(nearest.milliseconds(since: instant)) <= Schedule.claimMinutes * 60_000,
                    book.ledger.dose(.occurrence(schedule: schedule.id, scheduled: nearest)) == nil
                else { continue }
                throw violation(
                    "the dose of \(nearest) is listed beside its log",
                    on: device)
            }
        }
    }

    /// Each tap must be found at one dose, where schedules move; no dose has none.
    private func checkTapsOnJourneys(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ device: Int
    ) throws(Violation) {
        let events = known.medicationRecords(device).compactMap { record in
            record.collection == Schema.doseEvent.id ? DoseEvent(record) : nil
        }
        let undone = events.flatMap(\.undoes)
        var expected: [DoseKey] = []
        for event in events {
            guard event.kind == .known(.taken), !event.isAdditional,
                !undone.contains(event.id), let key = event.key, !expected.contains(key)
            else { continue }
            expected.append(key)
        }
        let taken = lines.filter { line in
            if case .additional = line.key { false } else { line.status.isTaken }
        }
        guard
            expected.contains(where: { key in !taken.contains { $0.key == key } })
                || taken.count != expected.count
        else { return }
        throw violation(
            "\(taken.count) doses count as taken, \(expected.count) were",
            on: device)
    }
}
