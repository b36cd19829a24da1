package import LinnetWire

// These functions write and read values of any size where no payload carries them: between
// processes of one device, and in the places of a query. Every value has such a form, so that none
// needs a substitute.

private enum Form: UInt64 {
    case list = 0
    case decimal = 1
    case instant = 2
    case date = 3
    case double = 4
}

extension CBORWriter {
    /// Writes a value, however large it is.
    package mutating func whole(_ value: Value) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .int(let value): signed(value)
        case .text(let value): text(value)
        case .bytes(let value): bytes(value)
        case .double(let value):
            form(.double, 1)
            unsigned(value.bitPattern)
        case .decimal(let value):
            form(.decimal, 2)
            signed(value.mantissa)
            signed(Int64(value.exponent))
        case .instant(let milliseconds):
            form(.instant, 1)
            signed(milliseconds)
        case .date(let days):
            form(.date, 1)
            signed(days)
        case .list(let values):
            form(.list, values.count)
            for value in values { whole(value) }
        }
    }

    private mutating func form(_ form: Form, _ count: Int) {
        array(1 + count)
        unsigned(form.rawValue)
    }
}

extension CBORReader {
    /// Reads a value that `whole` wrote; the reader's number of items bounds it.
    package mutating func whole(depth: Int = Limits.cborDepth) throws(WireError) -> Value {
        switch try peek() {
        case .null:
            try null()
            return .null
        case .bool: return .bool(try bool())
        case .unsigned, .negative: return .int(try signed())
        case .text: return .text(try text(max: .max))
        case .bytes: return .bytes(try bytes(max: .max))
        case .array: return try wholeForm(depth: depth)
        case .double, .map: throw .unexpectedType
        }
    }

    private mutating func wholeForm(depth: Int) throws(WireError) -> Value {
        guard depth > 0 else { throw .tooLarge }
        let count = try array(max: .max)
        guard count > 0 else { throw .badLength }
        switch (Form(rawValue: try unsigned()), count) {
        case (.list, _):
            var values: [Value] = []
            for _ in 1..<count { values.append(try whole(depth: depth - 1)) }
            return .list(values)
        case (.decimal, 3):
            let (mantissa, power) = (try signed(), try signed())
            guard let exponent = Int8(exactly: power),
                let decimal = Decimal64(mantissa: mantissa, exponent: exponent)
            else { throw .tooLarge }
            return .decimal(decimal)
        case (.instant, 2): return .instant(try signed())
        case (.date, 2): return .date(try signed())
        case (.double, 2): return .double(Double(bitPattern: try unsigned()))
        default: throw .unexpectedType
        }
    }
}
