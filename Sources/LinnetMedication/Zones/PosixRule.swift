import LinnetCRDT

/// The rule in the footer of a zone file: a `TZ` string (POSIX, and RFC 9636, section 3.3.2).
struct PosixRule: Equatable, Sendable {
    /// The time of a year at which the clocks change.
    struct Change: Equatable, Sendable {
        let day: DayRule
        /// Seconds after midnight on the clocks that are in use until then, of -167 to 167 hours.
        let timeSeconds: Int64
    }

    /// A day of every year.
    enum DayRule: Equatable, Sendable {
        /// 1...365, where February 29 has no number.
        case withoutLeapDay(Int64)
        /// 0...365, February 29 counted.
        case withLeapDay(Int64)
        /// The day of the week (0 is Sunday) in a week 1...5 of a month; 5 is the last one.
        case month(Int64, week: Int64, weekday: Int64)

        /// Days since 1970-01-01 in `year`.
        func days(in year: Int64) -> Int64 {
            switch self {
            case .withoutLeapDay(let number):
                let first = CivilTime.days(year: year, month: 1, day: 1)
                let march = CivilTime.days(year: year, month: 3, day: 1)
                let isLeap = march - first == 60
                return first + number - 1 + (isLeap && number >= 60 ? 1 : 0)
            case .withLeapDay(let number):
                return CivilTime.days(year: year, month: 1, day: 1) + number
            case .month(let month, let week, let weekday):
                let first = CivilTime.days(year: year, month: month, day: 1)
                let weekdayOfFirst = CivilTime.floorRemainder(first + 4, by: 7)
                var day = first + CivilTime.floorRemainder(weekday - weekdayOfFirst, by: 7)
                day += (week - 1) * 7
                let next =
                    month == 12
                    ? CivilTime.days(year: year + 1, month: 1, day: 1)
                    : CivilTime.days(year: year, month: month + 1, day: 1)
                return day < next ? day : day - 7
            }
        }
    }

    /// Daylight saving time, when it begins and when it ends.
    struct Daylight: Equatable, Sendable {
        let type: LocalTimeType
        let start: Change
        let end: Change
    }

    /// The time outside of daylight saving.
    let standard: LocalTimeType
    /// The time in daylight saving, when it begins and ends; nil where there is none.
    let daylight: Daylight?

    /// The time around `seconds` during which the offset stays the same.
    func span(at seconds: Int64) -> ZoneSpan {
        guard let daylight else { return ZoneSpan(start: .min, end: .max, type: standard) }
        let year = CivilTime.civil(days: CivilTime.floorDivision(seconds, by: 86_400)).year
        var span = ZoneSpan(start: .min, end: .max, type: standard)
        // Changes of a year may reach a week into its neighbours.
        for changed in changes(around: year, daylight: daylight) {
            if changed.at > seconds {
                return ZoneSpan(start: span.start, end: changed.at, type: span.type)
            }
            if changed.type != span.type {
                span = ZoneSpan(start: changed.at, end: .max, type: changed.type)
            }
        }
        return span
    }

    /// The changes of five years in the order of time; at one second, those of the earlier year.
    private func changes(
        around year: Int64, daylight: Daylight
    ) -> [(at: Int64, type: LocalTimeType)] {
        var changes: [(at: Int64, type: LocalTimeType)] = []
        for each in year - 2...year + 2 {
            let start =
                daylight.start.day.days(in: each) * 86_400 + daylight.start.timeSeconds
                - standard.offsetSeconds
            let end =
                daylight.end.day.days(in: each) * 86_400 + daylight.end.timeSeconds
                - daylight.type.offsetSeconds
            for change in [(start, daylight.type), (end, standard)] {
                let place = changes.lastIndex { $0.at <= change.0 }.map { $0 + 1 } ?? 0
                changes.insert(change, at: place)
            }
        }
        return changes
    }
}
