public import LinnetCRDT

/// A calendar day without a time zone, written as 2026-11-21.
public struct CalendarDay: Hashable, Codable, Comparable, Sendable, FieldValue {
    /// The number of days since 1970-01-01.
    public let days: Int32

    /// Makes a day from its number.
    public init(days: Int32) { self.days = days }

    /// Reads a day written YYYY-MM-DD; nil if there is no such day.
    public init?(_ text: String) {
        guard let value = Value(date: text) else { return nil }
        self.init(fieldValue: value)
    }

    /// Orders days in time.
    public static func < (left: CalendarDay, right: CalendarDay) -> Bool { left.days < right.days }

    /// The type of a date.
    public static var fieldType: ValueType { .date }
    /// The day.
    public var fieldValue: Value { .date(Int64(days)) }
    /// Reads a date.
    public init?(fieldValue: Value) {
        guard case .date(let number) = fieldValue, let days = Int32(exactly: number) else {
            return nil
        }
        self.days = days
    }
}
