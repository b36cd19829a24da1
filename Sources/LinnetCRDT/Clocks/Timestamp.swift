import LinnetWire

/// A hybrid logical timestamp: 48 bits of Unix milliseconds, then 16 bits of counter.
///
/// The format is that of Kulkarni et al., "Logical Physical Clocks", 2014, section 4.
public struct Timestamp: RawRepresentable, Hashable, Comparable, Sendable {
    /// The milliseconds shifted left by 16 bits, combined with the counter; never negative.
    public let rawValue: Int64

    /// The smallest timestamp: Unix time zero, counter zero.
    public static let zero = Timestamp(saturating: 0)
    /// The largest timestamp: millisecond 2^47 - 1, counter 65,535.
    public static let ceiling = Timestamp(saturating: .max)

    /// Makes a timestamp of its raw value; nil for a negative number.
    public init?(rawValue: Int64) {
        guard rawValue >= 0 else { return nil }
        self.rawValue = rawValue
    }

    /// Makes the first timestamp of a Unix millisecond, which is clamped to 0 ... 2^47 - 1.
    package init(wallMilliseconds: Int64) {
        let last = Limits.stampCeilingMilliseconds - 1
        rawValue = min(max(wallMilliseconds, 0), last) << 16
    }

    private init(saturating rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The Unix time in milliseconds.
    public var milliseconds: Int64 { rawValue >> 16 }

    /// The timestamp after this one; the ceiling follows itself.
    package var next: Timestamp { advanced(by: 1) ?? .ceiling }

    /// The timestamp `delta` steps later; nil above the ceiling.
    package func advanced(by delta: UInt64) -> Timestamp? {
        guard let step = Int64(exactly: delta) else { return nil }
        let (sum, overflow) = rawValue.addingReportingOverflow(step)
        return overflow ? nil : Timestamp(saturating: sum)
    }

    /// Orders by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.rawValue < right.rawValue
    }
}
