public import LinnetCRDT

/// One figure about many records.
///
/// Records in which the field has no value count for `count` alone.
public enum Aggregate: Hashable, Sendable {
    /// The number of records.
    case count
    /// The sum of a field of whole or decimal numbers, which is exact.
    case sum(String)
    /// The smallest value of a field.
    case min(String)
    /// The largest value of a field.
    case max(String)
    /// The mean of a field of whole or decimal numbers, a decimal number.
    case average(String)

    /// The field, named as in ``Condition``; nil for the number of records.
    public var field: String? {
        switch self {
        case .count: nil
        case .sum(let field), .min(let field), .max(let field), .average(let field): field
        }
    }

    /// The figure's name, such as `sum`.
    public var name: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .min: "min"
        case .max: "max"
        case .average: "average"
        }
    }
}

/// A figure as it came out.
public struct Figure: Equatable, Sendable {
    /// The value; `null` when no record has a value in the field. A sum without any is zero.
    public let value: Value
    /// True when the value is exact. Only an average can be rounded: to 18 significant digits, half
    /// to even.
    public let isExact: Bool

    /// Joins the parts.
    package init(_ value: Value, isExact: Bool = true) {
        self.value = value
        self.isExact = isExact
    }
}

/// The figures of those records that have the same values in the fields by which they are grouped.
public struct FigureGroup: Equatable, Sendable {
    /// The values of these fields, in their order; `null` for a field without one.
    public let by: [Value]
    /// The figures, in the order in which they were asked for.
    public let figures: [Figure]

    /// Joins the parts.
    package init(by: [Value], figures: [Figure]) {
        self.by = by
        self.figures = figures
    }
}
