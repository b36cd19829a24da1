package import LinnetCRDT
import LinnetWire

/// Something that a person should know.
package enum MedicationAlert: Equatable, Sendable {
    /// Buy more: what is there is at or below the minimum.
    case lowStock(StockView)
    /// It is not to be used after this day, which is within `expiringDays` or past.
    case expiring(medication: RecordID, day: Day, isExpired: Bool)
    /// A dose was missed within the last day.
    case missed(DoseLine)
    /// More than one dose of a medication may have been taken at once, at these instants.
    case possibleDoubleDose(medication: RecordID, at: [Instant])
    /// A newer version wrote words here that this one does not know; they are kept.
    case unknown(collection: UInt32, record: RecordID, words: [String])

    /// How long before its day a medication counts as expiring.
    package static let expiringDays: Int64 = 30
    /// How long missed and double doses are told: one day.
    package static let recentMilliseconds = CivilTime.dayMilliseconds
    /// Two devices that recorded one dose further apart than this may mean two: 60 minutes.
    package static let witnessMilliseconds: Int64 = 3_600_000
    /// Two doses as needed closer than this may be one too many: 10 minutes.
    package static let doubleMilliseconds = DoseKey.slotMilliseconds

    /// The word for what it is.
    package var word: String {
        switch self {
        case .lowStock: "lowStock"
        case .expiring: "expiring"
        case .missed: "missed"
        case .possibleDoubleDose: "possibleDoubleDose"
        case .unknown: "unknown"
        }
    }

    /// The medication, where there is one.
    package var medication: RecordID? {
        switch self {
        case .lowStock(let view): view.medication
        case .expiring(let medication, _, _), .possibleDoubleDose(let medication, _): medication
        case .missed(let line): line.medication
        case .unknown: nil
        }
    }
}

extension MedicationBook {
    /// What a person should know at `now`: possible double doses first, then missed ones, stocks,
    /// dates, and what only a newer version understands.
    package func alerts(
        now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> [MedicationAlert] {
        var alerts = possibleDoubleDoses(now: now)
        let since = now.advanced(byMilliseconds: -MedicationAlert.recentMilliseconds)
        alerts += try lines(in: since..<now, now: now, zones: zones)
            .filter { $0.isScheduled && $0.status == .missed }.map(MedicationAlert.missed)
        let today = zone.local(at: now).day
        for medication in medications.values where medication.isActive {
            if let stock = try stock(of: medication.id, now: now, zones: zones), stock.isLow {
                alerts.append(.lowStock(stock))
            }
        }
        for medication in medications.values where medication.isActive {
            guard let day = medication.expirationDay,
                day <= today.advanced(byDays: MedicationAlert.expiringDays)
            else { continue }
            alerts.append(.expiring(medication: medication.id, day: day, isExpired: day < today))
        }
        return alerts + unknownThings
    }

    /// Doses of the last day of which two may have been one too many.
    private func possibleDoubleDoses(now: Instant) -> [MedicationAlert] {
        let since = now.advanced(byMilliseconds: -2 * MedicationAlert.recentMilliseconds)
        let recent = now.advanced(byMilliseconds: -MedicationAlert.recentMilliseconds)
        // Doses of the day after count too: one may be taken before it is due.
        let until = now.advanced(byMilliseconds: MedicationAlert.recentMilliseconds)
        let doses = ledger.doses(in: since..<until).filter { !$0.taken.isEmpty }
        var found = OrderedTable<RecordID, OrderedSet<Instant>>()
        for dose in doses {
            let times = dose.taken.map(\.at)
            guard let first = times.first, let last = times.last, last >= recent else { continue }
            if case .additional = dose.key {
                let others = doses.filter { $0.medication == dose.medication }
                    .compactMap { $0.taken.first?.at }.filter { $0 >= since }
                found[dose.medication, default: OrderedSet()].formUnion(others + [first])
            } else if last.milliseconds(since: first) > MedicationAlert.witnessMilliseconds {
                found[dose.medication, default: OrderedSet()].formUnion(times)
            }
        }
        let needed = doses.filter { if case .asNeeded = $0.key { true } else { false } }
        for (index, dose) in needed.enumerated() {
            for other in needed[..<index] where other.medication == dose.medication {
                guard let first = dose.taken.first?.at, let second = other.taken.first?.at,
                    max(first, second) >= recent,
                    max(first, second).milliseconds(since: min(first, second))
                        < MedicationAlert.doubleMilliseconds
                else { continue }
                found[dose.medication, default: OrderedSet()].formUnion([first, second])
            }
        }
        return found.map { .possibleDoubleDose(medication: $0.key, at: $0.value.elements) }
    }

    /// What was written by a newer version and cannot be understood here.
    private var unknownThings: [MedicationAlert] {
        var alerts: [MedicationAlert] = []
        for medication in medications.values where !medication.unknownWords.isEmpty {
            alerts.append(
                .unknown(
                    collection: Schema.medication.id, record: medication.id,
                    words: medication.unknownWords.map { $0.field.rawValue + " " + $0.word }))
        }
        for schedule in scheduleRecords.values where schedule.timing == nil {
            alerts.append(
                .unknown(
                    collection: Schema.schedule.id, record: schedule.id, words: ["times"]))
        }
        for id in ledger.unknownEvents {
            let word = ledger.event(id)?.kind.text
            alerts.append(
                .unknown(
                    collection: Schema.doseEvent.id, record: id,
                    words: [word.map { "event " + $0 } ?? "event"]))
        }
        return alerts
    }
}

extension OrderedSet {
    mutating func formUnion(_ elements: [Element]) {
        for element in elements { insert(element) }
    }
}
