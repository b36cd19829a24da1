/// The form of a value as bytes that sort as the values do, for indexes.
///
/// Values of one type come in the order of their numbers, days, instants or bytes, and null comes
/// before them. A whole number and the equal decimal have one key.
package enum IndexKey {
    /// The key of null, which comes before all others.
    package static let missing: [UInt8] = [0]
    /// A key that comes after null and before every value.
    package static let least: [UInt8] = [1]
    /// A key that comes after those of all values.
    package static let greatest: [UInt8] = [2]
    /// The number of bytes of a text or a byte string that count where the key is readable.
    package static let clearBytes = 64

    /// Returns the key of a value; nil for a list. Only the first `limit` bytes of a text or a byte
    /// string count.
    package static func bytes(of value: Value, limit: Int = .max) -> [UInt8]? {
        switch value {
        case .null: return missing
        case .bool(let value): return [1, value ? 1 : 0]
        case .int(let number): return decimal(number, exponent: 0)
        case .decimal(let number): return decimal(number.mantissa, exponent: Int(number.exponent))
        case .double(let number): return double(number)
        case .text(let text): return [1] + text.utf8.prefix(limit)
        case .bytes(let bytes): return [1] + bytes.prefix(limit)
        case .instant(let milliseconds): return whole(milliseconds)
        case .date(let days): return whole(days)
        case .list: return nil
        }
    }

    /// Returns a key after those of all texts that begin with `text`: no UTF-8 holds the byte 0xff.
    package static func end(ofTextsBeginningWith text: String, limit: Int) -> [UInt8] {
        [1] + text.utf8.prefix(limit) + [0xff]
    }

    /// Returns true when a condition on a field of this type can be looked up by the key of a
    /// value, because the field's own values compare with that value.
    package static func compares(_ value: Value, with type: ValueType) -> Bool {
        switch (type, value) {
        case (.text, .text), (.choice, .text), (.reference, .text), (.int, .int), (.int, .decimal),
            (.decimal, .int), (.decimal, .decimal), (.double, .double), (.bool, .bool),
            (.date, .date), (.instant, .instant), (.bytes, .bytes):
            true
        default: false
        }
    }

    private static func whole(_ number: Int64) -> [UInt8] {
        [1] + bigEndian(UInt64(bitPattern: number) ^ 1 << 63)
    }

    private static func double(_ number: Double) -> [UInt8] {
        // Both zeros are one number.
        let bits = (number == 0 ? 0 : number).bitPattern
        return [1] + bigEndian(bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
    }

    /// Returns the sign, the place of the first digit and the digits; below zero all but the sign
    /// is inverted.
    private static func decimal(_ mantissa: Int64, exponent: Int) -> [UInt8] {
        guard mantissa != 0 else { return [1, 1] }
        var digits = Array(String(mantissa.magnitude).utf8)
        // Numbers of 64 bits have at most 20 digits, so that the place easily fits two bytes.
        let place = UInt16(clamping: digits.count + exponent + 1 << 14)
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        let parts =
            [UInt8(truncatingIfNeeded: place >> 8), UInt8(truncatingIfNeeded: place)] + digits
        if mantissa > 0 { return [1, 2] + parts }
        // The end sorts after every digit: of two magnitudes the longer is the smaller number.
        return [1, 0] + parts.map { ~$0 } + [0xff]
    }

    private static func bigEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}
