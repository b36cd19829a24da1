import LinnetCRDT
import LinnetMedication

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
