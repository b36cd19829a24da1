import LinnetCRDT
public import LinnetMedication

/// A time zone around one instant: what a face needs of it, so that a widget needs no zone file.
public struct FaceZone: Equatable, Sendable {
    /// The zone's IANA name.
    public var name: String
    /// The offsets in the order of their beginnings; the first one holds before it too.
    public var spans: [Span]

    /// An offset and from when it holds.
    public struct Span: Equatable, Sendable {
        /// From when it holds.
        public var from: Instant
        /// Seconds to add to UTC, within a day of it.
        public var offsetSeconds: Int
        /// The name that people give it, as `CET`.
        public var abbreviation: String

        /// A span.
        public init(from: Instant, offsetSeconds: Int, abbreviation: String) {
            self.from = from
            self.offsetSeconds = offsetSeconds
            self.abbreviation = abbreviation
        }
    }

    /// A zone; without spans it is UTC.
    public init(name: String, spans: [Span]) {
        self.name = name
        self.spans = spans
    }

    /// Returns true when both are the same zone with the same changes of its offset. The first span
    /// begins where the zone was cut off, which means nothing.
    func isLike(_ other: FaceZone) -> Bool {
        name == other.name && spans.dropFirst() == other.spans.dropFirst()
            && spans.first?.offsetSeconds == other.spans.first?.offsetSeconds
    }

    /// The span at an instant.
    public func span(at instant: Instant) -> Span {
        spans.last { $0.from <= instant } ?? spans.first
            ?? Span(from: Instant(milliseconds: 0), offsetSeconds: 0, abbreviation: "UTC")
    }

    /// The local day, in days since 1970-01-01, and the minute in it from 0 to 1439.
    public func local(at instant: Instant) -> (day: Int64, minute: Int) {
        let offset = Int64(span(at: instant).offsetSeconds)
        let seconds = instant.milliseconds.dividedDown(by: 1_000).addingReportingOverflow(
            offset
        ).partialValue
        let day = seconds.dividedDown(by: 86_400)
        return (day, Int((seconds - day * 86_400) / 60))
    }

    /// The time of day as `08:05`.
    public func clock(at instant: Instant) -> String {
        let minute = local(at: instant).minute
        return Self.twoDigits(minute / 60) + ":" + Self.twoDigits(minute % 60)
    }

    /// Returns a word for the day of an instant, seen from another one: `Today`, `Tomorrow`,
    /// `Yesterday`, or the day of the week.
    public func dayWord(of instant: Instant, seenFrom now: Instant) -> String {
        let day = local(at: instant).day
        switch day - local(at: now).day {
        case 0: return "Today"
        case 1: return "Tomorrow"
        case -1: return "Yesterday"
        default: return Self.weekday(day)
        }
    }

    /// The day of the week of a day since 1970-01-01, a Thursday, in three letters.
    public static func weekday(_ day: Int64) -> String {
        let names = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        return names[Int((day % 7 + 7) % 7)]
    }

    /// A day since 1970-01-01 as `Sat 21 Nov`.
    public static func dateWords(_ day: Int64) -> String {
        "\(weekday(day)) \(dayAndMonth(day))"
    }

    /// A day since 1970-01-01 as `21 Nov`.
    public static func dayAndMonth(_ day: Int64) -> String {
        let months = [
            "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ]
        let date = CivilTime.civil(days: day)
        return "\(date.day) \(months[Int(max(0, min(11, date.month - 1)))])"
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

extension Int64 {
    /// The quotient rounded towards minus infinity.
    fileprivate func dividedDown(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
