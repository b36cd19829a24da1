public import LinnetCRDT

extension Value: ExpressibleByStringLiteral {
    /// A text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension Value: ExpressibleByIntegerLiteral {
    /// A whole number, which a decimal field takes too.
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension Value: ExpressibleByBooleanLiteral {
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension Value: ExpressibleByNilLiteral {
    /// No value.
    public init(nilLiteral: ()) { self = .null }
}

extension Value: ExpressibleByArrayLiteral {
    /// A list, or a group as a whole.
    public init(arrayLiteral elements: Value...) { self = .list(elements) }
}
