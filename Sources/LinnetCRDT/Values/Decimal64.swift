/// An exact decimal number: mantissa × 10^exponent, reduced.
///
/// Reduced means that the mantissa ends in no zero, and that zero is 0 × 10^0, so that equal
/// numbers have equal parts.
public struct Decimal64: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The significant digits with their sign.
    public let mantissa: Int64
    /// The power of ten.
    public let exponent: Int8

    /// Zero.
    public static let zero = Decimal64(reducedMantissa: 0, exponent: 0)

    /// Makes the number mantissa × 10^exponent, reduced; nil if the reduced exponent exceeds 127.
    public init?(mantissa: Int64, exponent: Int8) {
        var digits = mantissa
        var power = Int(exponent)
        while digits != 0 && digits.isMultiple(of: 10) {
            digits /= 10
            power += 1
        }
        guard let reduced = Int8(exactly: digits == 0 ? 0 : power) else { return nil }
        self.init(reducedMantissa: digits, exponent: reduced)
    }

    /// Reads digits with an optional minus sign and an optional fraction, such as "-0.03".
    ///
    /// The result is nil for anything else and for numbers that do not fit exactly.
    public init?(parsing text: String) {
        var digits: [UInt8] = []
        var fractionCount: Int?
        var rest = text.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        for character in rest {
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(character - UInt8(ascii: "0"))
                if let count = fractionCount { fractionCount = count + 1 }
            case UInt8(ascii: ".") where fractionCount == nil && !digits.isEmpty:
                fractionCount = 0
            default:
                return nil
            }
        }
        guard !digits.isEmpty, fractionCount != 0 else { return nil }
        var power = -(fractionCount ?? 0)
        while digits.last == 0 {
            digits.removeLast()
            power += 1
        }
        var mantissa: Int64 = 0
        for digit in digits {
            let (shifted, tooLong) = mantissa.multipliedReportingOverflow(by: 10)
            let (sum, tooLarge) =
                isNegative
                ? shifted.subtractingReportingOverflow(Int64(digit))
                : shifted.addingReportingOverflow(Int64(digit))
            guard !tooLong && !tooLarge else { return nil }
            mantissa = sum
        }
        guard let exponent = Int8(exactly: digits.isEmpty ? 0 : power) else { return nil }
        self.init(reducedMantissa: mantissa, exponent: exponent)
    }

    private init(reducedMantissa: Int64, exponent: Int8) {
        mantissa = reducedMantissa
        self.exponent = exponent
    }

    /// The exact number without an exponent, such as "2.5" or "1200".
    public var description: String {
        let sign = mantissa < 0 ? "-" : ""
        let digits = String(mantissa.magnitude)
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        if exponent >= 0 { return sign + digits + zeros(Int(exponent)) }
        let fractionCount = -Int(exponent)
        let padded = zeros(max(0, fractionCount + 1 - digits.utf8.count)) + digits
        return sign + padded.dropLast(fractionCount) + "." + padded.suffix(fractionCount)
    }

    /// Orders by number.
    public static func < (left: Decimal64, right: Decimal64) -> Bool {
        if left.mantissa.signum() != right.mantissa.signum() {
            return left.mantissa.signum() < right.mantissa.signum()
        }
        return left.mantissa < 0
            ? magnitudeIsLess(right, left) : magnitudeIsLess(left, right)
    }

    private static func magnitudeIsLess(_ left: Decimal64, _ right: Decimal64) -> Bool {
        let leftDigits = String(left.mantissa.magnitude).utf8
        let rightDigits = String(right.mantissa.magnitude).utf8
        let leftSize = leftDigits.count + Int(left.exponent)
        let rightSize = rightDigits.count + Int(right.exponent)
        if leftSize != rightSize { return leftSize < rightSize }
        return leftDigits.lexicographicallyPrecedes(rightDigits)
    }
}
