import LinnetCRDT
import LinnetWire

/// The months of the log that a device holds; of what was recorded in the others it knows nothing.
package struct LogCoverage: Equatable, Sendable {
    private let months: OrderedSet<Month>
    private let isExclusion: Bool

    /// All months.
    package static let everything = LogCoverage(except: [])

    /// All months but these.
    package init(except months: [Month]) {
        self.months = OrderedSet(months)
        isExclusion = true
    }

    /// These months and no other.
    package init(only months: [Month]) {
        self.months = OrderedSet(months)
        isExclusion = false
    }

    /// True when all months are held.
    package var isEverything: Bool { isExclusion && months.isEmpty }

    /// Returns true when a month is held.
    package func holds(_ month: Month) -> Bool { months.contains(month) != isExclusion }

    /// Returns true when all months of a range are held.
    package func holds(_ range: ClosedRange<Month>) -> Bool {
        if isEverything { return true }
        var month = range.lowerBound
        while month <= range.upperBound {
            guard holds(month) else { return false }
            month = month.next
        }
        return true
    }

    /// The day from which on what happened within a range of days is held; nil when all of it is.
    package func heldSince(_ days: ClosedRange<Day>) -> Day? {
        if isEverything { return nil }
        var month = Month(of: days.upperBound)
        while month >= Month(of: days.lowerBound) {
            if !holds(month) { return month.next.first }
            month = month.previous
        }
        return nil
    }

    /// Returns true when the events are held that say what became of a dose: those of its month,
    /// and, since a dose may be logged a day before it is due or after, those of the months around.
    package func knows(_ scheduled: Instant, now: Instant) -> Bool {
        if isEverything { return true }
        let day = CivilTime.dayMilliseconds
        let before = scheduled.advanced(byMilliseconds: -day)
        let after = max(scheduled, min(now, scheduled.advanced(byMilliseconds: day)))
        return holds(Month(of: before)...Month(of: after))
    }

    /// Returns true when the events of all doses of a day are held, in whichever zone the day is
    /// lived.
    package func knows(_ day: Day, now: Instant) -> Bool {
        if isEverything { return true }
        let today = CivilTime.floorDivision(now.milliseconds, by: CivilTime.dayMilliseconds)
        let last = max(day, min(day.advanced(byDays: 2), Day(number: today)))
        return holds(Month(of: day.advanced(byDays: -2))...Month(of: last))
    }
}
