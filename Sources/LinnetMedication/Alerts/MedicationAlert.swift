public import LinnetCRDT

/// Something that a person should know.
public enum MedicationAlert: Equatable, Sendable {
    /// Buy more: what is there is at or below the minimum.
    case lowStock(StockView)
    /// It is not to be used after this day, which is within `expiringDays` or past.
    case expiring(medication: RecordID, day: Day, isExpired: Bool)
    /// A dose was missed within the last day.
    case missed(DoseLine)
    /// Two doses of a medication lie so close together that one may have been too many.
    case possibleDoubleDose(medication: RecordID, doses: [TakenDose])
    /// Within 24 hours more doses of a medication were taken than are allowed.
    case aboveMaximum(medication: RecordID, maximum: Int64, doses: [TakenDose])
    /// A newer version wrote words here that this one does not know; they are kept.
    case unknown(collection: UInt32, record: RecordID, words: [String])

    /// The number of days before its last day on which a medication counts as expiring.
    public static let expiringDays: Int64 = 30
    /// The time for which missed and double doses are told: one day.
    package static let recentMilliseconds = CivilTime.dayMilliseconds
    /// Two devices that recorded one dose further apart than this may mean two: 60 minutes.
    public static let witnessMilliseconds: Int64 = 3_600_000
    /// Two doses without a plan closer than this may be one too many: 10 minutes.
    public static let doubleMilliseconds = DoseKey.slotMilliseconds

    /// The word for what it is.
    public var word: String {
        switch self {
        case .lowStock: "lowStock"
        case .expiring: "expiring"
        case .missed: "missed"
        case .possibleDoubleDose: "possibleDoubleDose"
        case .aboveMaximum: "aboveMaximum"
        case .unknown: "unknown"
        }
    }

    /// The medication, where there is one.
    public var medication: RecordID? {
        switch self {
        case .lowStock(let view): view.medication
        case .expiring(let medication, _, _), .possibleDoubleDose(let medication, _),
            .aboveMaximum(let medication, _, _):
            medication
        case .missed(let line): line.medication
        case .unknown: nil
        }
    }
}

extension MedicationBook {
    /// Returns what a person should know at `now`: possible double doses and what is above a
    /// maximum first, then missed doses, stocks, dates, and what only a newer version understands.
    public func alerts(
        now: Instant, zone: ZoneRules, zones: ZoneTable
    ) throws(MedicationError) -> [MedicationAlert] {
        var alerts = RecentDoses(in: self, now: now).alerts
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

    /// The alerts about things that a newer version wrote and that cannot be understood here.
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
