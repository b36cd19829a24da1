public import LinnetCRDT

/// A comparison of a field with a value.
public enum Comparison: UInt8, Sendable, CaseIterable {
    /// Both are the same; whole and decimal numbers compare as numbers.
    case equal = 0
    /// They differ, or the field has no value.
    case notEqual = 1
    /// The field comes before the value.
    case less = 2
    /// The field does not come after the value.
    case lessOrEqual = 3
    /// The field comes after the value.
    case greater = 4
    /// The field does not come before the value.
    case greaterOrEqual = 5
    /// A text holds the text, or a set the element.
    case contains = 6
    /// A text begins with the text.
    case beginsWith = 7
    /// Each word of the value begins a word of a text, without regard to case and accents.
    case matches = 8
}

/// A condition on a record, as a value that can be looked at, kept and sent.
///
/// A field is named as in the schema, a member of a group by its own name or as `field.member`;
/// `id` is the record's identifier where no field has that name. Texts compare bytewise, a date
/// never equals a text, and values of different types have no order, except that a whole number
/// compares with other numbers. If a field has several concurrent values, it is enough that one of
/// them meets the condition.
public indirect enum Condition: Equatable, Sendable {
    /// A comparison of a field with a value holds.
    case test(String, Comparison, Value)
    /// A field has no value.
    case isNull(String)
    /// All of these hold; true when there are none.
    case all([Condition])
    /// At least one of these holds; false when there are none.
    case any([Condition])
    /// This does not hold.
    case not(Condition)

    /// The largest depth to which conditions may nest.
    package static let maximumDepth = 32
}

/// The name of a field, to be compared in conditions: `FieldName("stock") < 10`.
public struct FieldName: Sendable {
    /// The name, as in ``Condition``.
    public let name: String

    /// Names a field.
    public init(_ name: String) { self.name = name }

    /// The condition that the field has no value.
    public var isNull: Condition { .isNull(name) }

    /// Returns the condition that a text holds a text, or a set an element.
    public func contains(_ value: Value) -> Condition { .test(name, .contains, value) }

    /// Returns the condition that a text begins with a text.
    public func begins(with text: String) -> Condition { .test(name, .beginsWith, .text(text)) }

    /// Returns the condition that each of these words begins a word of a text: `nunez jo` matches
    /// "José Núñez". Case, accents and punctuation do not matter. Records are read for it; no index
    /// has words.
    public func matches(_ words: String) -> Condition { .test(name, .matches, .text(words)) }

    /// Returns the condition that the field has this value.
    public static func == (field: FieldName, value: Value) -> Condition {
        .test(field.name, .equal, value)
    }

    /// Returns the condition that the field has another value, or none.
    public static func != (field: FieldName, value: Value) -> Condition {
        .test(field.name, .notEqual, value)
    }

    /// The field comes before the value.
    public static func < (field: FieldName, value: Value) -> Condition {
        .test(field.name, .less, value)
    }

    /// The field does not come after the value.
    public static func <= (field: FieldName, value: Value) -> Condition {
        .test(field.name, .lessOrEqual, value)
    }

    /// The field comes after the value.
    public static func > (field: FieldName, value: Value) -> Condition {
        .test(field.name, .greater, value)
    }

    /// The field does not come before the value.
    public static func >= (field: FieldName, value: Value) -> Condition {
        .test(field.name, .greaterOrEqual, value)
    }
}

extension Condition {
    /// Returns the condition that both hold.
    public static func && (left: Condition, right: Condition) -> Condition { .all([left, right]) }

    /// Returns the condition that at least one of them holds.
    public static func || (left: Condition, right: Condition) -> Condition { .any([left, right]) }

    /// Returns the condition that the given one does not hold.
    public static prefix func ! (condition: Condition) -> Condition { .not(condition) }
}
