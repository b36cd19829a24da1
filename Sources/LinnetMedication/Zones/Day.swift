import LinnetCRDT

/// A day of the calendar, wherever it is lived; within 32 bits of days around 1970.
public struct Day: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01.
    public let number: Int64

    /// The day that many days after 1970-01-01, or the nearest one that can be expressed.
    public init(number: Int64) {
        self.number = min(max(number, Int64(Int32.min)), Int64(Int32.max))
    }

    /// Nil unless the text is a date written YYYY-MM-DD.
    public init?(_ text: String) {
        guard let days = CivilTime.parseDate(text) else { return nil }
        self.init(number: days)
    }

    /// The day of the week.
    public var weekday: Weekday {
        let sinceMonday = CivilTime.floorRemainder(number + 3, by: 7)
        return Weekday.allCases[Int(sinceMonday)]
    }

    /// The day that many days later.
    public func advanced(byDays days: Int64) -> Day {
        let (sum, overflow) = number.addingReportingOverflow(days)
        return Day(number: overflow ? (days < 0 ? .min : .max) : sum)
    }

    /// The order of the calendar.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension Day: CustomStringConvertible {
    /// The date as YYYY-MM-DD.
    public var description: String { CivilTime.dateText(days: number) }
}
