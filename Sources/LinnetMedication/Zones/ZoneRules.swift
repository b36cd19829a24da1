/// The rules of one time zone.
///
/// RFC 9636 says what a file of rules means: its transitions, and past the last of them the rule
/// in its footer.
public struct ZoneRules: Equatable, Sendable {
    /// The name in the IANA database, such as `Europe/Dublin`.
    public let name: String
    /// Unix seconds of the transitions, ascending.
    let transitions: [Int64]
    /// For each transition the position in `types` of what begins with it.
    let indices: [UInt8]
    /// The kinds of local time; the first one holds before the first transition.
    let types: [LocalTimeType]
    /// The rule that holds after the last transition, if the file says so.
    let footer: PosixRule?

    /// Seconds east of UTC at an instant.
    public func offsetSeconds(at instant: Instant) -> Int64 {
        span(at: instant.seconds).type.offsetSeconds
    }

    /// Returns the name of the zone's time at an instant, such as `CEST`.
    public func abbreviation(at instant: Instant) -> String {
        span(at: instant.seconds).type.abbreviation
    }

    /// Returns true when the zone has daylight saving time at an instant.
    public func isDaylight(at instant: Instant) -> Bool {
        span(at: instant.seconds).type.isDaylight
    }

    /// Returns the time that wall clocks in the zone show at an instant.
    public func local(at instant: Instant) -> LocalTime {
        let seconds = instant.seconds
        return LocalTime(seconds: seconds + span(at: seconds).type.offsetSeconds)
    }

    /// Returns the instant at which wall clocks reach a time of a day; nil when the zone has no
    /// such day.
    ///
    /// A time that the zone skips becomes the first minute after the gap; a time that it has twice
    /// is the first of the two. Later times of the wall clock never come earlier.
    public func instant(day: Day, hour: Int, minute: Int) -> Instant? {
        var search = ZoneSearch(rules: self)
        return search.instant(day: day, hour: hour, minute: minute)
    }

    /// The time around `seconds` during which the offset stays the same.
    func span(at seconds: Int64) -> ZoneSpan {
        let next = firstTransition(after: seconds)
        if next == transitions.count, let footer {
            let span = footer.span(at: seconds)
            return ZoneSpan(
                start: max(span.start, transitions.last ?? .min), end: span.end, type: span.type)
        }
        return ZoneSpan(
            start: next == 0 ? .min : transitions[next - 1],
            end: next == transitions.count ? .max : transitions[next],
            type: next == 0 ? types[0] : types[Int(indices[next - 1])])
    }

    private func firstTransition(after seconds: Int64) -> Int {
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= seconds {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
