import LinnetWire

extension Value {
    /// The first number of an array item, which says what the array stands for.
    private enum Form: UInt64 {
        case list = 0
        case decimal = 1
        case instant = 2
        case date = 3
    }

    /// The number that marks a decimal among the forms of an array.
    static var decimalForm: UInt64 { Form.decimal.rawValue }

    /// Returns the canonical bytes; throws for NaN, for a date outside 32 bits, and past the
    /// limits.
    package func encoded() throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter()
        try write(to: &writer, depth: 0)
        return try Value.checkSize(writer.bytes)
    }

    /// Returns the canonical bytes of a group's values: one array, all of it within the value
    /// limit.
    package static func encodeGroup(_ values: [Value]) throws(CRDTError) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(values.count)
        for value in values {
            try value.write(to: &writer, depth: 0)
        }
        return try checkSize(writer.bytes)
    }

    /// Reads the bytes of one value and nothing else.
    package static func decode(_ bytes: [UInt8]) throws(CRDTError) -> Value {
        var reader = CBORReader(try checkSize(bytes))
        let value = try read(from: &reader, depth: 0)
        try finish(reader)
        return value
    }

    /// Reads a part of some bytes, which is one value and nothing else.
    static func decode(_ bytes: [UInt8], in part: Range<Int>) throws(CRDTError) -> Value {
        guard part.count <= Limits.valueBytes else { throw .valueTooLarge }
        var reader = CBORReader(bytes, range: part)
        let value = try read(from: &reader, depth: 0)
        try finish(reader)
        return value
    }

    /// Reads the bytes of a group's values and nothing else.
    package static func decodeGroup(_ bytes: [UInt8]) throws(CRDTError) -> [Value] {
        var reader = CBORReader(try checkSize(bytes))
        let count = try wire { () throws(WireError) in try reader.array() }
        var values: [Value] = []
        for _ in 0..<count {
            values.append(try read(from: &reader, depth: 0))
        }
        try finish(reader)
        return values
    }

    private static func checkSize(_ bytes: [UInt8]) throws(CRDTError) -> [UInt8] {
        guard bytes.count <= Limits.valueBytes else { throw .valueTooLarge }
        return bytes
    }

    private static func finish(_ reader: CBORReader) throws(CRDTError) {
        try wire { () throws(WireError) in try reader.finish() }
    }

    private func write(to writer: inout CBORWriter, depth: Int) throws(CRDTError) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .int(let value): writer.signed(value)
        case .double(let value):
            guard !value.isNaN else { throw .notANumber }
            writer.double(value)
        case .decimal(let value):
            writer.array(3)
            writer.unsigned(Form.decimal.rawValue)
            writer.signed(value.mantissa)
            writer.signed(Int64(value.exponent))
        case .text(let value): writer.text(value)
        case .bytes(let value): writer.bytes(value)
        case .instant(let milliseconds):
            writer.array(2)
            writer.unsigned(Form.instant.rawValue)
            writer.signed(milliseconds)
        case .date(let days):
            guard Int32(exactly: days) != nil else { throw .valueTooLarge }
            writer.array(2)
            writer.unsigned(Form.date.rawValue)
            writer.signed(days)
        case .list(let values):
            guard depth < Limits.valueDepth else { throw .valueTooDeep }
            writer.array(values.count + 1)
            writer.unsigned(Form.list.rawValue)
            for value in values {
                try value.write(to: &writer, depth: depth + 1)
            }
        }
    }

    private static func read(
        from reader: inout CBORReader, depth: Int
    ) throws(CRDTError) -> Value {
        do throws(WireError) {
            switch try reader.peek() {
            case .null:
                try reader.null()
                return .null
            case .bool: return .bool(try reader.bool())
            case .unsigned, .negative: return .int(try reader.signed())
            case .double: return .double(try reader.double())
            case .text: return .text(try reader.text())
            case .bytes: return .bytes(try reader.bytes())
            case .array: break
            case .map: throw .unexpectedType
            }
        } catch {
            throw .wire(error)
        }
        return try readForm(from: &reader, depth: depth)
    }

    private static func readForm(
        from reader: inout CBORReader, depth: Int
    ) throws(CRDTError) -> Value {
        let count = try wire { () throws(WireError) in try reader.array() }
        guard count > 0 else { throw .unknownValue }
        let number = try wire { () throws(WireError) in try reader.unsigned() }
        switch (Form(rawValue: number), count) {
        case (.list, _):
            guard depth < Limits.valueDepth else { throw .valueTooDeep }
            var values: [Value] = []
            for _ in 1..<count {
                values.append(try read(from: &reader, depth: depth + 1))
            }
            return .list(values)
        case (.decimal, 3):
            let (mantissa, power) = try wire { () throws(WireError) in
                (try reader.signed(), try reader.signed())
            }
            guard let exponent = Int8(exactly: power) else { throw .valueTooLarge }
            guard let decimal = Decimal64(mantissa: mantissa, exponent: exponent),
                decimal.mantissa == mantissa, decimal.exponent == exponent
            else { throw .wire(.nonCanonical) }
            return .decimal(decimal)
        case (.instant, 2):
            return .instant(try wire { () throws(WireError) in try reader.signed() })
        case (.date, 2):
            let days = try wire { () throws(WireError) in try reader.signed() }
            guard Int32(exactly: days) != nil else { throw .valueTooLarge }
            return .date(days)
        default:
            throw .unknownValue
        }
    }
}

/// Runs a step of the wire module and wraps its error as a `CRDTError`.
func wire<Result>(_ body: () throws(WireError) -> Result) throws(CRDTError) -> Result {
    do throws(WireError) {
        return try body()
    } catch {
        throw .wire(error)
    }
}

/// Reads all of a payload, within the limit of a value.
func decoding<Result>(
    _ payload: [UInt8], _ body: (inout CBORReader) throws(WireError) -> Result
) throws(CRDTError) -> Result {
    guard payload.count <= Limits.valueBytes else { throw .valueTooLarge }
    var reader = CBORReader(payload)
    return try wire { () throws(WireError) in
        let result = try body(&reader)
        try reader.finish()
        return result
    }
}
