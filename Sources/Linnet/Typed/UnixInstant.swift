public import LinnetCRDT

/// A point in time, in Unix milliseconds.
public struct UnixInstant: Hashable, Codable, Comparable, Sendable, FieldValue {
    /// The milliseconds since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    /// Makes an instant from its number.
    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Orders instants in time.
    public static func < (left: UnixInstant, right: UnixInstant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The type of an instant.
    public static var fieldType: ValueType { .instant }
    /// The instant.
    public var fieldValue: Value { .instant(milliseconds) }
    /// Reads an instant.
    public init?(fieldValue: Value) {
        guard case .instant(let milliseconds) = fieldValue else { return nil }
        self.milliseconds = milliseconds
    }
}
