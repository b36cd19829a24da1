import LinnetWire

/// The type of a payload that is one of the frequent values, found from its bytes without making a
/// value.
enum PlainPayload: Equatable {
    case null, bool, int, double, decimal, text

    /// Recognises a payload; nil for every other one, well formed or not, among them integers
    /// beyond 32 bits, long texts, and texts beyond ASCII.
    init?(_ bytes: [UInt8]) { self.init(bytes, in: bytes.indices) }

    /// Recognises a payload that is a part of `bytes`.
    init?(_ bytes: [UInt8], in range: Range<Int>) {
        guard !range.isEmpty else { return nil }
        let head = bytes[range.lowerBound]
        let count = range.count
        switch head {
        case 0xf6 where count == 1: self = .null
        case 0xf4, 0xf5:
            guard count == 1 else { return nil }
            self = .bool
        case 0x00...0x3b:
            guard Self.isShortest(bytes, in: range, information: head & 0x1f) else { return nil }
            self = .int
        case 0x83 where count >= 4 && UInt64(bytes[range.lowerBound + 1]) == Value.decimalForm:
            guard Self.isDecimal(bytes, in: range.dropFirst(2)) else { return nil }
            self = .decimal
        case 0x60...0x77:
            guard count == 1 + Int(head & 0x1f), Self.isASCII(bytes, in: range.dropFirst())
            else { return nil }
            self = .text
        case 0xfb where count == 9:
            guard Self.isNumber(bytes, from: range.lowerBound + 1) else { return nil }
            self = .double
        case 0x78:
            guard count >= 26, count == 2 + Int(bytes[range.lowerBound + 1]),
                Self.isASCII(bytes, in: range.dropFirst(2))
            else { return nil }
            self = .text
        default: return nil
        }
    }

    /// Returns true when an integer of at most 32 bits stands alone in its shortest form.
    private static func isShortest(
        _ bytes: [UInt8], in range: Range<Int>, information: UInt8
    ) -> Bool {
        let next = range.lowerBound + 1
        return switch information {
        case ..<24: range.count == 1
        case 24: range.count == 2 && bytes[next] >= 24
        case 25: range.count == 3 && bytes[next] > 0
        case 26: range.count == 5 && (bytes[next] > 0 || bytes[next + 1] > 0)
        default: false
        }
    }

    /// Returns true when two integers of at most 32 bits are the mantissa and exponent of a reduced
    /// decimal.
    private static func isDecimal(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        var rest = range
        guard let mantissa = smallInteger(bytes, &rest), let power = smallInteger(bytes, &rest),
            rest.isEmpty, let exponent = Int8(exactly: power),
            let decimal = Decimal64(mantissa: mantissa, exponent: exponent)
        else { return false }
        return decimal.mantissa == mantissa && decimal.exponent == exponent
    }

    /// Takes an integer of at most 32 bits in its shortest form from the beginning of a range.
    private static func smallInteger(_ bytes: [UInt8], _ range: inout Range<Int>) -> Int64? {
        guard let head = range.first.map({ bytes[$0] }), head <= 0x3b else { return nil }
        let information = head & 0x1f
        let size = information < 24 ? 1 : 1 + 1 << (Int(information) - 24)
        guard information <= 26, range.count >= size,
            isShortest(bytes, in: range.prefix(size), information: information)
        else { return nil }
        var number = size == 1 ? Int64(information) : 0
        for index in range.prefix(size).dropFirst() { number = number << 8 | Int64(bytes[index]) }
        range = range.dropFirst(size)
        return head < 0x20 ? number : -1 - number
    }

    /// Returns true when eight bytes are a floating-point number other than NaN and negative zero.
    private static func isNumber(_ bytes: [UInt8], from start: Int) -> Bool {
        var bits: UInt64 = 0
        for index in start..<start + 8 { bits = bits << 8 | UInt64(bytes[index]) }
        let value = Double(bitPattern: bits)
        return !value.isNaN && !(value == 0 && value.sign == .minus)
    }

    private static func isASCII(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        var all: UInt8 = 0
        for index in range { all |= bytes[index] }
        return all < 0x80
    }
}

/// The frequent values that a field takes.
package struct PlainPayloads: OptionSet, Sendable {
    /// One bit for each kind of value.
    package let rawValue: UInt8

    /// Takes over bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    fileprivate init(_ payload: PlainPayload) {
        switch payload {
        case .null: self.init(rawValue: 1)
        case .bool: self.init(rawValue: 2)
        case .int: self.init(rawValue: 4)
        case .text: self.init(rawValue: 8)
        case .double: self.init(rawValue: 16)
        case .decimal: self.init(rawValue: 32)
        }
    }

    /// Takes the frequent values that a type admits.
    init(of type: ValueType) {
        self.init()
        for payload in [PlainPayload.null, .bool, .int, .double, .decimal, .text]
        where type.admits(payload) {
            insert(PlainPayloads(payload))
        }
    }

    /// Returns true when a part of `bytes` is one of these values; false for all others, which need
    /// a second look.
    package func contains(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard let payload = PlainPayload(bytes, in: range) else { return false }
        return contains(PlainPayloads(payload))
    }
}

extension ValueType {
    /// Returns true when a value such as the payload holds has this type: no type looks further
    /// than at the value's own type.
    func admits(_ payload: PlainPayload) -> Bool {
        switch payload {
        case .null: admits(Value.null)
        case .bool: admits(Value.bool(false))
        case .int: admits(Value.int(0))
        case .double: admits(Value.double(0))
        case .decimal: admits(Value.decimal(.zero))
        case .text: admits(Value.text(""))
        }
    }
}

extension Value {
    /// True when the value surely has canonical bytes within the limit.
    var isPlain: Bool {
        switch self {
        case .null, .bool, .int, .decimal: true
        case .text(let text): text.utf8.count < Limits.valueBytes / 2
        default: false
        }
    }
}
