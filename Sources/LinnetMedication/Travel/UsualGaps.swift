/// The gaps between doses in an ordinary week.
package struct UsualGaps: Hashable, Sendable {
    /// The shortest, in minutes.
    package let shortestMinutes: Int64
    /// The longest, in minutes.
    package let longestMinutes: Int64

    /// The gaps of a timing; nil for doses as needed.
    package init?(_ timing: Timing) {
        switch timing.pattern {
        case .asNeeded:
            return nil
        case .interval(let hours, _):
            shortestMinutes = Int64(hours) * 60
            longestMinutes = shortestMinutes
        case .times(let times):
            let week = Weekday.allCases.filter { timing.daysOfWeek.includes($0) }.flatMap { day in
                times.map { (day.rawValue - 1) * 1_440 + $0.minuteOfDay }
            }
            guard let first = week.first, let last = week.last else { return nil }
            var shortest = first + 7 * 1_440 - last
            var longest = shortest
            for (minute, next) in zip(week, week.dropFirst()) {
                shortest = min(shortest, next - minute)
                longest = max(longest, next - minute)
            }
            shortestMinutes = Int64(shortest)
            longestMinutes = Int64(longest)
        }
    }

    /// Returns what is unusual about a gap: below half the shortest, above one and a half of the
    /// longest.
    package func warning(gapMinutes: Int64) -> GapWarning? {
        if gapMinutes * 2 < shortestMinutes { return .short }
        return gapMinutes * 2 > longestMinutes * 3 ? .long : nil
    }

    /// The gaps of two timings taken together.
    func joined(_ other: UsualGaps) -> UsualGaps {
        UsualGaps(
            shortestMinutes: min(shortestMinutes, other.shortestMinutes),
            longestMinutes: max(longestMinutes, other.longestMinutes))
    }

    private init(shortestMinutes: Int64, longestMinutes: Int64) {
        self.shortestMinutes = shortestMinutes
        self.longestMinutes = longestMinutes
    }
}

/// A warning about an unusual time between two doses.
public enum GapWarning: String, Sendable {
    /// Less than half the shortest usual gap.
    case short
    /// More than one and a half of the longest usual gap.
    case long
}
