public import LinnetCRDT

/// A type whose values a field may hold.
///
/// An enumeration with texts as raw values needs only the name of this protocol: it becomes a
/// choice.
public protocol FieldValue: Sendable {
    /// The type of the field.
    static var fieldType: ValueType { get }
    /// The value of a field that was never written; nil when there is none.
    static var blank: Self? { get }
    /// The value in the form that a field holds.
    var fieldValue: Value { get }
    /// Reads a field; nil when it holds something else.
    init?(fieldValue: Value)
}

extension FieldValue {
    /// Nil: there is no such value.
    public static var blank: Self? { nil }
}

extension FieldValue where Self: RawRepresentable & CaseIterable, RawValue == String {
    /// The type of a choice among the cases.
    public static var fieldType: ValueType { .choice(allCases.map(\.rawValue)) }
    /// The raw value.
    public var fieldValue: Value { .text(rawValue) }
    /// Reads the raw value of a case.
    public init?(fieldValue: Value) {
        guard case .text(let text) = fieldValue else { return nil }
        self.init(rawValue: text)
    }
}

extension String: FieldValue {
    /// The type of a text.
    public static var fieldType: ValueType { .text }
    /// The empty text.
    public static var blank: String? { "" }
    /// The text.
    public var fieldValue: Value { .text(self) }
    /// Reads a text.
    public init?(fieldValue: Value) {
        guard case .text(let text) = fieldValue else { return nil }
        self = text
    }
}

extension Int: FieldValue {
    /// The type of a whole number.
    public static var fieldType: ValueType { .int }
    /// Zero.
    public static var blank: Int? { 0 }
    /// The number.
    public var fieldValue: Value { .int(Int64(self)) }
    /// Reads a whole number.
    public init?(fieldValue: Value) {
        guard case .int(let number) = fieldValue else { return nil }
        self.init(exactly: number)
    }
}

extension Double: FieldValue {
    /// The type of a floating-point number.
    public static var fieldType: ValueType { .double }
    /// Zero.
    public static var blank: Double? { 0 }
    /// The number.
    public var fieldValue: Value { .double(self) }
    /// Reads a floating-point number.
    public init?(fieldValue: Value) {
        guard case .double(let number) = fieldValue else { return nil }
        self = number
    }
}

extension Bool: FieldValue {
    /// The type of a truth value.
    public static var fieldType: ValueType { .bool }
    /// False.
    public static var blank: Bool? { false }
    /// The truth value.
    public var fieldValue: Value { .bool(self) }
    /// Reads a truth value.
    public init?(fieldValue: Value) {
        guard case .bool(let truth) = fieldValue else { return nil }
        self = truth
    }
}

extension Decimal64: FieldValue {
    /// The type of an exact decimal number.
    public static var fieldType: ValueType { .decimal }
    /// Zero.
    public static var blank: Decimal64? { .zero }
    /// The number.
    public var fieldValue: Value { .decimal(self) }
    /// Reads a decimal number, or a whole one.
    public init?(fieldValue: Value) {
        switch fieldValue {
        case .decimal(let number): self = number
        case .int(let number): self.init(mantissa: number, exponent: 0)
        default: return nil
        }
    }
}

extension Optional: FieldValue where Wrapped: FieldValue {
    /// The type of the wrapped value.
    public static var fieldType: ValueType { Wrapped.fieldType }
    /// No value.
    public static var blank: Wrapped?? { .some(nil) }
    /// The wrapped value, or null.
    public var fieldValue: Value { self?.fieldValue ?? .null }
    /// Reads a value that may be missing.
    public init?(fieldValue: Value) {
        if case .null = fieldValue {
            self = nil
        } else {
            guard let wrapped = Wrapped(fieldValue: fieldValue) else { return nil }
            self = wrapped
        }
    }
}

extension Set: FieldValue where Element: FieldValue {
    /// The type of an element.
    public static var fieldType: ValueType { Element.fieldType }
    /// The set without elements.
    public static var blank: Set<Element>? { [] }
    /// The elements, in no order.
    public var fieldValue: Value { .list(map(\.fieldValue)) }
    /// Reads the elements; those of another type, which a newer version wrote, are left out.
    public init?(fieldValue: Value) {
        guard case .list(let elements) = fieldValue else { return nil }
        self.init(elements.compactMap(Element.init(fieldValue:)))
    }
}
