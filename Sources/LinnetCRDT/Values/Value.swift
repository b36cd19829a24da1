import LinnetWire

/// A value that a field may hold.
public enum Value: Sendable {
    /// No value.
    case null
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A floating-point number, never NaN; for anything that is counted or dosed use `decimal`.
    case double(Double)
    /// An exact decimal number.
    case decimal(Decimal64)
    /// A text, whose bytes are kept as given.
    case text(String)
    /// A byte string.
    case bytes([UInt8])
    /// A point in time, in Unix milliseconds.
    case instant(Int64)
    /// A calendar day, in days since 1970-01-01, within 32 bits.
    case date(Int64)
    /// Values in order; lists nest at most four deep.
    case list([Value])

    /// Reads the day of a date written YYYY-MM-DD; nil if there is no such day.
    public init?(date text: String) {
        guard let days = CivilTime.parseDate(text), Int32(exactly: days) != nil else { return nil }
        self = .date(days)
    }

    /// Reads the instant of a UTC time written as in RFC 3339, such as 2026-11-21T10:00:00.000Z;
    /// nil for any other text.
    public init?(instant text: String) {
        guard let milliseconds = CivilTime.parseInstant(text) else { return nil }
        self = .instant(milliseconds)
    }
}

extension Value: Equatable {
    /// Returns true when the stored bytes are equal: texts compare bytewise, and values of two
    /// kinds are never equal.
    public static func == (left: Value, right: Value) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.int(let left), .int(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
        case (.bytes(let left), .bytes(let right)): left == right
        case (.instant(let left), .instant(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }
}

extension Value: CustomStringConvertible {
    /// The value as a person reads it: dates and instants as text, bytes in hexadecimal.
    public var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .double(let value): String(value)
        case .decimal(let value): value.description
        case .text(let value): value
        case .bytes(let value): Hex.encode(value)
        case .instant(let milliseconds): CivilTime.instantText(milliseconds: milliseconds)
        case .date(let days): CivilTime.dateText(days: days)
        case .list(let values):
            FileValue(self)?.description
                ?? "[" + values.map(\.description).joined(separator: ", ") + "]"
        }
    }
}
