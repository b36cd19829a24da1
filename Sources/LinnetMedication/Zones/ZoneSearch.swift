import LinnetCRDT

/// Finds instants of many wall clock times in one zone; the last span found is tried first.
struct ZoneSearch {
    let rules: ZoneRules
    private var known: ZoneSpan?

    /// No two offsets are further apart than this.
    private static let spreadSeconds =
        LocalTimeType.offsets.upperBound - LocalTimeType.offsets.lowerBound

    init(rules: ZoneRules) {
        self.rules = rules
    }

    /// As `ZoneRules.instant(day:hour:minute:)`.
    mutating func instant(day: Day, hour: Int, minute: Int) -> Instant? {
        let local = day.number * 86_400 + Int64(hour) * 3_600 + Int64(minute) * 60
        if let known {
            // This far behind its start no earlier span can reach as late a time of the wall clock.
            let seconds = local - known.type.offsetSeconds
            if seconds < known.end,
                known.start == .min
                    || seconds >= known.start + Self.spreadSeconds
            {
                return Instant(seconds: seconds)
            }
        }
        return search(local: local, day: day)
    }

    /// The earliest second at which the wall clock shows `local` or more.
    private mutating func search(local: Int64, day: Day) -> Instant? {
        var span = rules.span(at: local - LocalTimeType.offsets.upperBound - 1)
        while local - span.type.offsetSeconds >= span.end {
            span = rules.span(at: span.end)
        }
        known = span
        let wanted = local - span.type.offsetSeconds
        guard wanted < span.start else { return Instant(seconds: wanted) }
        return afterGap(before: span, day: day)
    }

    private func afterGap(before span: ZoneSpan, day: Day) -> Instant? {
        let last = rules.span(at: span.start - 1)
        let gapStart = span.start + last.type.offsetSeconds
        let gapEnd = span.start + span.type.offsetSeconds
        let midnight = day.number * 86_400
        if gapStart <= midnight, gapEnd >= midnight + 86_400 { return nil }
        // Old offsets have seconds; doses are given at full minutes.
        let minute = gapEnd + CivilTime.floorRemainder(-gapEnd, by: 60)
        let seconds = minute - span.type.offsetSeconds
        return Instant(seconds: seconds < span.end ? seconds : span.start)
    }
}
