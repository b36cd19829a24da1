import LinnetCRDT

/// The comparison of values in conditions and sorts.
enum ValueOrder {
    /// Returns true when both are the same; a whole number equals a decimal or a floating-point one
    /// of the same size.
    static func same(_ left: Value, _ right: Value) -> Bool {
        left == right || precedes(left, right) == false && precedes(right, left) == false
    }

    /// Returns true when one value comes before the other; nil when they have no order.
    static func precedes(_ left: Value, _ right: Value) -> Bool? {
        switch (left, right) {
        case (.bool(let left), .bool(let right)): !left && right
        case (.int(let left), .int(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.int(let left), .double(let right)): Double(left) < right
        case (.double(let left), .int(let right)): left < Double(right)
        case (.decimal(let left), .decimal(let right)): left < right
        case (.int(let left), .decimal(let right)):
            Decimal64(mantissa: left, exponent: 0).map { $0 < right }
        case (.decimal(let left), .int(let right)):
            Decimal64(mantissa: right, exponent: 0).map { left < $0 }
        case (.text(let left), .text(let right)):
            left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        case (.instant(let left), .instant(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        default: nil
        }
    }

    /// Returns true when one value sorts before the other; those that have no order sort by their
    /// type.
    static func sortsBefore(_ left: Value, _ right: Value) -> Bool {
        precedes(left, right) ?? (rank(left) < rank(right))
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .double, .decimal: 2
        case .date: 3
        case .instant: 4
        case .text: 5
        case .bytes: 6
        case .list: 7
        }
    }
}

extension Comparison {
    /// Returns true when a field's value passes the comparison.
    func holds(_ value: Value, _ operand: Value) -> Bool {
        switch self {
        case .equal: return ValueOrder.same(value, operand)
        case .notEqual: return !ValueOrder.same(value, operand)
        case .less: return ValueOrder.precedes(value, operand) == true
        case .greater: return ValueOrder.precedes(operand, value) == true
        case .lessOrEqual: return ValueOrder.precedes(operand, value) == false
        case .greaterOrEqual: return ValueOrder.precedes(value, operand) == false
        case .contains:
            if case .list(let elements) = value {
                return elements.contains { ValueOrder.same($0, operand) }
            }
            guard case (.text(let text), .text(let part)) = (value, operand) else { return false }
            return Self.contains(Array(text.utf8), Array(part.utf8))
        case .matches:
            guard case .text(let words) = operand else { return false }
            if case .text(let text) = value { return SearchWords(words).match(text) }
            guard case .list(let elements) = value else { return false }
            return elements.contains { holds($0, operand) }
        case .beginsWith:
            guard case (.text(let text), .text(let part)) = (value, operand) else { return false }
            return text.utf8.starts(with: part.utf8)
        }
    }

    private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0...].starts(with: part) }
    }
}
