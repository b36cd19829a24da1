public import LinnetCRDT

/// The stock of a medication, and the time for which it lasts.
public struct StockView: Equatable, Sendable {
    /// The medication.
    public let medication: RecordID
    /// The quantity that is there; below zero when more was taken than was ever entered.
    public let stock: Decimal64
    /// The stock at which one buys more.
    public let minimum: Decimal64?
    /// The number of days whose doses are there by the schedules; nil when nothing is scheduled, or
    /// the count lacks some.
    public let daysLeft: Int?

    /// The quantity that was taken and that nobody had entered; nil while the count can be right.
    public var missing: Decimal64? { stock.missingFromCount }

    /// The stock in words, such as `12`, or that the count lacks some.
    public var text: String { stock.stockText }

    /// True when it is time to buy more: at or below the minimum, or nothing left for doses to
    /// come.
    public var isLow: Bool {
        if let minimum { return stock <= minimum }
        return daysLeft == 0 || missing != nil
    }

    /// The number of days ahead in which doses are counted one by one.
    public static let horizonDays: Int64 = 28
    /// The longest time that is told.
    public static let longestDays = 3_650
}

extension MedicationBook {
    /// The stock of a medication; nil when nobody ever entered one, or it is not known yet.
    public func stock(
        of id: RecordID, now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> StockView? {
        guard isInStep, let medication = medications[id], let stock = stocks[id] else {
            return nil
        }
        return StockView(
            medication: id, stock: stock, minimum: medication.minimumStock,
            daysLeft: try daysLeft(of: stock, medication, now: now, zones: zones))
    }

    /// The stock of a medication in words; nil when nobody ever entered one.
    package func stockText(of id: RecordID) -> String? {
        isInStep ? stocks[id]?.stockText : "not known yet"
    }

    /// The day on which the first dose is due that the stock does not cover, counted from now.
    private func daysLeft(
        of stock: Decimal64, _ medication: Medication, now: Instant, zones: ZoneTable
    ) throws(MedicationError) -> Int? {
        guard missingZone(for: medication.id, zones) == nil, stock.missingFromCount == nil else {
            return nil
        }
        let window = StockView.horizonDays * CivilTime.dayMilliseconds
        let range = now..<now.advanced(byMilliseconds: window)
        let due = try lines(in: range, now: now, zones: zones).filter {
            $0.medication == medication.id && $0.isScheduled && !$0.status.isSettled
        }
        guard !due.isEmpty, medication.stockQuantity > .zero else { return nil }
        var rest = stock
        for line in due {
            let next = Decimal64.sum([rest, medication.stockQuantity.negated])
            guard next >= .zero else {
                return Int(
                    clamping: line.scheduled.milliseconds(since: now) / CivilTime.dayMilliseconds)
            }
            rest = next
        }
        // The rest lasts as long as so many doses last on average.
        var doses = due.count
        let most = StockView.longestDays * due.count / Int(StockView.horizonDays)
        while doses < most {
            rest = Decimal64.sum([rest, medication.stockQuantity.negated])
            if rest < .zero { break }
            doses += 1
        }
        return doses * Int(StockView.horizonDays) / due.count
    }
}

extension Decimal64 {
    /// Of a stock below zero how much the count lacks at least: more was taken than was entered.
    package var missingFromCount: Decimal64? { self < .zero ? negated : nil }

    /// A stock in words: nobody has less than nothing.
    package var stockText: String {
        missingFromCount.map { "at least \($0) missing from the count" } ?? description
    }

    /// The number with the other sign.
    var negated: Decimal64 {
        Decimal64(mantissa: mantissa == .min ? .max : -mantissa, exponent: exponent) ?? .zero
    }
}
