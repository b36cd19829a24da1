public import LinnetCRDT

/// The times at which doses are due: one value, replaced as a whole.
public struct Timing: Hashable, Sendable {
    /// Most times of a day.
    public static let maximumTimes = 48
    /// Longest interval between doses: four weeks.
    public static let maximumIntervalHours = 672

    /// The pattern that makes doses due.
    public let pattern: Pattern
    /// The days of the week, in the reference zone, to which times of the day apply.
    public let daysOfWeek: DaysOfWeek
    /// The zone, by its IANA name, whose wall clock the times of the day are read from.
    public let referenceZone: String
    /// The way from older times that is under way, if any.
    public let shift: GradualShift?
    /// No dose is due before this instant by this timing; nil for one that was never changed.
    public let since: Instant?
    /// The adjustment that made this timing out of another one; nil for the first.
    public let adjustment: RecordID?

    /// A timing; throws `badTimes`, `badInterval` or `badShift`. Times need not be sorted.
    public init(
        pattern: Pattern, daysOfWeek: DaysOfWeek = .everyDay, referenceZone: String,
        shift: GradualShift? = nil, since: Instant? = nil, adjustment: RecordID? = nil
    ) throws(MedicationError) {
        self.pattern = try Timing.checked(pattern, daysOfWeek)
        if let shift {
            guard let most = Timing.longestStepMinutes(self.pattern), shift.minutesPerDay <= most
            else { throw .badShift }
        }
        self.daysOfWeek = daysOfWeek
        self.referenceZone = referenceZone
        self.shift = shift
        self.since = since
        self.adjustment = adjustment
    }

    /// The times of the day; empty for an interval and for doses as needed.
    public var times: [DoseTime] {
        guard case .times(let times) = pattern else { return [] }
        return times
    }

    /// The same timing as an adjustment makes it.
    public func adjusted(by adjustment: RecordID) throws(MedicationError) -> Timing {
        try Timing(
            pattern: pattern, daysOfWeek: daysOfWeek, referenceZone: referenceZone, shift: shift,
            since: since, adjustment: adjustment)
    }

    /// The same timing with nothing due before an instant, and of no adjustment.
    public func beginning(at instant: Instant) throws(MedicationError) -> Timing {
        try Timing(
            pattern: pattern, daysOfWeek: daysOfWeek, referenceZone: referenceZone, shift: shift,
            since: instant)
    }

    /// The longest daily step of a shift that keeps the doses in order and half their gaps; nil
    /// when no shift is possible.
    static func longestStepMinutes(_ pattern: Pattern) -> Int? {
        guard case .times(let times) = pattern, let first = times.first, let last = times.last
        else { return nil }
        var gap = first.minuteOfDay + 1_440 - last.minuteOfDay
        for (time, next) in zip(times, times.dropFirst()) {
            gap = min(gap, next.minuteOfDay - time.minuteOfDay)
        }
        return gap < 2 ? nil : gap / 2
    }

    private static func checked(
        _ pattern: Pattern, _ days: DaysOfWeek
    ) throws(MedicationError) -> Pattern {
        switch pattern {
        case .times(let times):
            let sorted = times.sorted()
            guard (1...maximumTimes).contains(sorted.count),
                zip(sorted, sorted.dropFirst()).allSatisfy({ $0.minuteOfDay < $1.minuteOfDay })
            else { throw .badTimes }
            return .times(sorted)
        case .interval(let hours, _):
            guard (1...maximumIntervalHours).contains(hours), days.isEmpty else {
                throw .badInterval
            }
            return pattern
        case .asNeeded:
            return pattern
        }
    }
}
