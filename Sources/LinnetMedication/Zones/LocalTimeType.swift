/// A kind of local time: how far from UTC, and what it is called.
struct LocalTimeType: Equatable, Sendable {
    /// Seconds east of UTC.
    let offsetSeconds: Int64
    /// True when the zone calls it daylight saving time.
    let isDaylight: Bool
    /// Such as `CET`, or digits with a sign where no abbreviation is in use.
    let abbreviation: String

    /// Offsets that RFC 9636, section 3.2, calls reasonable.
    static let offsets: ClosedRange<Int64> = -89_999...93_599
}
