import LinnetCRDT

/// A month of the calendar, wherever it is lived.
public struct Month: Comparable, Hashable, Sendable {
    /// Months since January of the year 0.
    private let number: Int64

    private init(number: Int64) {
        self.number = number
    }

    /// The month that a day lies in.
    public init(of day: Day) {
        let (year, month, _) = CivilTime.civil(days: day.number)
        number = year * 12 + month - 1
    }

    /// The month of UTC that an instant lies in.
    public init(of instant: Instant) {
        self.init(
            of: Day(
                number: CivilTime.floorDivision(
                    instant.milliseconds, by: CivilTime.dayMilliseconds)))
    }

    /// Nil unless the text is a month written YYYY-MM.
    public init?(_ text: String) {
        guard text.utf8.count == 7, let day = Day(text + "-01") else { return nil }
        self.init(of: day)
    }

    /// The first day.
    public var first: Day {
        let year = CivilTime.floorDivision(number, by: 12)
        return Day(number: CivilTime.days(year: year, month: number - year * 12 + 1, day: 1))
    }

    /// The last day.
    public var last: Day { next.first.advanced(byDays: -1) }

    /// The number of its days.
    public var dayCount: Int { Int(next.first.number - first.number) }

    /// The instant at which it begins in UTC.
    public var start: Instant {
        Instant(milliseconds: first.number &* CivilTime.dayMilliseconds)
    }

    /// The month that many months later.
    public func advanced(byMonths months: Int64) -> Month { Month(number: number + months) }

    /// The month after it.
    public var next: Month { advanced(byMonths: 1) }

    /// The month before it.
    public var previous: Month { advanced(byMonths: -1) }

    /// The order of the calendar.
    public static func < (left: Month, right: Month) -> Bool { left.number < right.number }
}

extension Month: CustomStringConvertible {
    /// The month as YYYY-MM.
    public var description: String { String(first.description.prefix(7)) }
}
