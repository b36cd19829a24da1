package import LinnetCRDT
import LinnetWire

/// A property-list value, which is all that the lanes carry.
package enum PropertyValue: Equatable, Sendable {
    /// True or false.
    case bool(Bool)
    /// A whole number.
    case int(Int64)
    /// A floating-point number, never NaN.
    case real(Double)
    /// A text.
    case text(String)
    /// Bytes.
    case data([UInt8])
    /// A point in time, in Unix milliseconds.
    case date(wallMilliseconds: Int64)
    /// Values in order.
    case array([PropertyValue])
    /// Values under names.
    case dictionary(PropertyDictionary)

    /// The property-list value of a field's value; throws `payloadUnsupportedTypes` for the kinds
    /// that property lists do not have: null, exact decimals, calendar days.
    package init(_ value: Value) throws(CompanionError) {
        switch value {
        case .bool(let value): self = .bool(value)
        case .int(let value): self = .int(value)
        case .double(let value): self = .real(value)
        case .text(let value): self = .text(value)
        case .bytes(let value): self = .data(value)
        case .instant(let milliseconds): self = .date(wallMilliseconds: milliseconds)
        case .list(let values):
            var array: [PropertyValue] = []
            for value in values { array.append(try PropertyValue(value)) }
            self = .array(array)
        case .null, .decimal, .date: throw .payloadUnsupportedTypes
        }
    }
}

extension PropertyValue {
    /// The first number of an array item says what the array stands for.
    private enum Form: UInt64 {
        case array = 0
        case date = 1
    }

    /// Deepest nesting of arrays and dictionaries below the outermost dictionary.
    static let depthMaximum = 8

    func write(to writer: inout CBORWriter, depth: Int) throws(CompanionError) {
        switch self {
        case .bool(let value): writer.bool(value)
        case .int(let value): writer.signed(value)
        case .real(let value):
            guard !value.isNaN else { throw .payloadUnsupportedTypes }
            writer.double(value)
        case .text(let value): writer.text(value)
        case .data(let value): writer.bytes(value)
        case .date(let milliseconds):
            writer.array(2)
            writer.unsigned(Form.date.rawValue)
            writer.signed(milliseconds)
        case .array(let values):
            guard depth < PropertyValue.depthMaximum else { throw .payloadUnsupportedTypes }
            writer.array(values.count + 1)
            writer.unsigned(Form.array.rawValue)
            for value in values { try value.write(to: &writer, depth: depth + 1) }
        case .dictionary(let dictionary):
            guard depth < PropertyValue.depthMaximum else { throw .payloadUnsupportedTypes }
            try dictionary.write(to: &writer, depth: depth + 1)
        }
    }

    static func read(
        from reader: inout CBORReader, depth: Int
    ) throws(WireError) -> PropertyValue {
        switch try reader.peek() {
        case .bool: return .bool(try reader.bool())
        case .unsigned, .negative: return .int(try reader.signed())
        case .double: return .real(try reader.double())
        case .text: return .text(try reader.text(max: Payload.bytesMaximum))
        case .bytes: return .data(try reader.bytes(max: Payload.bytesMaximum))
        case .map:
            guard depth < depthMaximum else { throw .tooDeep }
            return .dictionary(try PropertyDictionary.read(from: &reader, depth: depth + 1))
        case .array: break
        case .null: throw .unexpectedType
        }
        let count = try reader.array(max: Payload.bytesMaximum)
        guard count > 0 else { throw .badLength }
        switch Form(rawValue: try reader.unsigned()) {
        case .date:
            guard count == 2 else { throw .badLength }
            return .date(wallMilliseconds: try reader.signed())
        case .array:
            guard depth < depthMaximum else { throw .tooDeep }
            var values: [PropertyValue] = []
            for _ in 1..<count { values.append(try read(from: &reader, depth: depth + 1)) }
            return .array(values)
        case nil: throw .unexpectedType
        }
    }
}
