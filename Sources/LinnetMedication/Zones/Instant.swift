import LinnetCRDT

/// A point in time: Unix milliseconds, UTC without leap seconds.
public struct Instant: Comparable, Hashable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    public let milliseconds: Int64

    /// The instant of that many Unix milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The instant of that many Unix seconds, or the nearest one that can be expressed.
    init(seconds: Int64) {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        milliseconds = overflow ? (seconds < 0 ? .min : .max) : product
    }

    /// Nil unless the text is RFC 3339 in UTC, such as 2026-11-21T10:00:00Z.
    public init?(_ text: String) {
        guard let milliseconds = CivilTime.parseInstant(text) else { return nil }
        self.milliseconds = milliseconds
    }

    /// Whole seconds since 1970, rounded down.
    public var seconds: Int64 { CivilTime.floorDivision(milliseconds, by: 1_000) }

    /// The instant that many milliseconds later, or the nearest one that can be expressed.
    public func advanced(byMilliseconds change: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(change)
        return Instant(milliseconds: overflow ? (change < 0 ? .min : .max) : sum)
    }

    /// The instant that many minutes later, or the nearest one that can be expressed.
    public func advanced(byMinutes minutes: Int64) -> Instant {
        let (change, overflow) = minutes.multipliedReportingOverflow(by: 60_000)
        return advanced(byMilliseconds: overflow ? (minutes < 0 ? .min : .max) : change)
    }

    /// Milliseconds from `earlier` to this instant, or the nearest number there is.
    public func milliseconds(since earlier: Instant) -> Int64 {
        let (difference, overflow) = milliseconds.subtractingReportingOverflow(
            earlier.milliseconds)
        return overflow ? (self < earlier ? .min : .max) : difference
    }

    /// The order of time.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Instant: CustomStringConvertible {
    /// The instant as RFC 3339 in UTC with milliseconds.
    public var description: String { CivilTime.instantText(milliseconds: milliseconds) }
}
