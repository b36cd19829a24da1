import LinnetCompanion

/// The content of messages and transfers between a phone and its watch: property-list values under
/// names.
public typealias CompanionDictionary = [String: CompanionValue]

/// A property-list value; companion transfers carry no others.
public enum CompanionValue: Equatable, Sendable {
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A floating-point number; NaN is refused.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// A point in time, in Unix milliseconds.
    case date(milliseconds: Int64)
    /// Values in order.
    case array([CompanionValue])
    /// Values under names.
    case dictionary(CompanionDictionary)
}

extension CompanionValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral
{
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .int(value) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// A floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
}

extension CompanionValue {
    /// Takes over a value that the lanes carried.
    init(_ value: PropertyValue) {
        self =
            switch value {
            case .bool(let value): .bool(value)
            case .int(let value): .int(value)
            case .real(let value): .real(value)
            case .text(let value): .text(value)
            case .data(let value): .data(value)
            case .date(let milliseconds): .date(milliseconds: milliseconds)
            case .array(let values): .array(values.map { CompanionValue($0) })
            case .dictionary(let values): .dictionary(values.values)
            }
    }

    /// The value in the form that the lanes carry.
    var property: PropertyValue {
        switch self {
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .real(let value): .real(value)
        case .text(let value): .text(value)
        case .data(let value): .data(value)
        case .date(let milliseconds): .date(wallMilliseconds: milliseconds)
        case .array(let values): .array(values.map(\.property))
        case .dictionary(let values): .dictionary(PropertyDictionary(values))
        }
    }
}

extension PropertyDictionary {
    init(_ values: CompanionDictionary) {
        self.init()
        for (key, value) in values { self[key] = value.property }
    }

    /// The values in the form that applications read.
    var values: CompanionDictionary {
        CompanionDictionary(
            entries.map { ($0.key, CompanionValue($0.value)) },
            uniquingKeysWith: { first, _ in first })
    }
}
