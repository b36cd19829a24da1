import LinnetCRDT
import LinnetMedication
import LinnetWire

/// M2: a dose that was taken counts once, whoever tapped and however often.
extension Inspector {
    func checkDosesCountOnce(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ device: Int
    ) throws(Violation) {
        var seen: Set<DoseKey> = []
        for line in lines where !seen.insert(line.key).inserted {
            throw Violation(
                .dosesCountOnce, "\(line.key.stockKey) is listed twice", devices: [device])
        }
        guard !medication.travels else {
            try checkTapsOnJourneys(deeds, lines, device)
            return
        }
        for number in medication.habits.keys.sorted() {
            let own = deeds.filter { $0.entry.deed.medication == number }
            let standing = tapsByDose(own).filter(stands).compactMap { $0.first?.entry.dose }
            let id = MedicationDeed.id(number)
            let taken = lines.filter { $0.medication == id && $0.status.isTaken }
            let shown = taken.filter(\.isScheduled).map(\.scheduled)
            guard shown != standing else { continue }
            throw Violation(
                .dosesCountOnce,
                "medicine \(number): \(shown.count) doses count as taken, \(standing.count) were",
                devices: [device])
        }
    }

    /// A tap of which nothing is written was made before on this device, and counts there as a
    /// witness that nobody took back: what other devices tell is none of its own.
    func checkUnrecorded(_ deed: MedicationDeed, _ device: Int) throws(Violation) {
        let deeds = shownDeeds(device).filter { $0.entry.deed.medication == deed.medication }
        guard case .take = deed.kind, !medication.travels,
            let dose = medication.dose(ofDeed: deed.number),
            !deeds.contains(where: { $0.entry.deed.number == deed.number })
        else { return }
        let taps = tapsByDose(deeds).first { $0.first?.entry.dose == dose } ?? []
        let own = taps.filter { tap in
            if case .take = tap.entry.deed.kind { tap.entry.device == device } else { true }
        }
        guard !stands(own) else { return }
        throw Violation(
            .dosesCountOnce, "a tap left no record of this device", devices: [device])
    }

    /// Where schedules move, a dose that was logged is not listed beside the one it was logged for.
    func checkClaims(
        _ book: MedicationBook, _ lines: [DoseLine], _ range: Range<Instant>, _ device: Int
    ) throws {
        let reach = 2 * Schedule.claimMinutes
        let wide =
            range.lowerBound.advanced(
                byMinutes: -reach)..<range.upperBound.advanced(byMinutes: reach)
        for schedule in book.schedules.values {
            let due = try schedule.occurrences(in: wide, zones: SimulatedZones.table)
                .map(\.scheduled)
            var listed: [Instant] = []
            for line in lines {
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
                throw Violation(
                    .dosesCountOnce, "the dose of \(nearest) is listed beside its log",
                    devices: [device])
            }
        }
    }

    /// Where schedules move, each tap must be found at one dose; no dose has none.
    private func checkTapsOnJourneys(
        _ deeds: [ShownDeed], _ lines: [DoseLine], _ device: Int
    ) throws(Violation) {
        let events = medicationRecords(device).compactMap { record in
            record.collection == LinnetCRDT.Schema.doseEvent.id ? DoseEvent(record) : nil
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
        throw Violation(
            .dosesCountOnce, "\(taken.count) doses count as taken, \(expected.count) were",
            devices: [device])
    }
}
