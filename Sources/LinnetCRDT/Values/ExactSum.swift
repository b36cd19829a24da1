import LinnetWire

/// A sum of numbers that loses nothing: the numbers of each power of ten are added apart, in 128
/// bits, which 2^64 of them do not fill.
package struct ExactSum: Sendable {
    private var totals: OrderedTable<Int, Int128> = OrderedTable()
    /// The number of terms.
    package private(set) var count: Int64 = 0

    /// Begins with nothing.
    package init() {}

    /// Adds a number.
    package mutating func add(_ term: Decimal64) {
        totals[Int(term.exponent), default: 0] += Int128(term.mantissa)
        count += 1
    }

    /// Adds a whole number.
    package mutating func add(_ term: Int64) {
        totals[0, default: 0] += Int128(term)
        count += 1
    }

    /// The sum of whole numbers; nil when it does not fit 64 bits.
    package var whole: Int64? { Int64(exactly: totals[0] ?? 0) }

    /// The sum; nil when it is no decimal number of this type.
    package var total: Decimal64? {
        guard let (digits, exponent) = exact, let mantissa = Int64(exactly: digits),
            let power = Int8(exactly: exponent)
        else { return nil }
        return Decimal64(mantissa: mantissa, exponent: power)
    }

    /// The mean, and whether it is exact; else it is rounded to 18 significant digits, half to
    /// even. Nil without terms, and when the sum has more digits than 128 bits hold.
    package var mean: (value: Decimal64, isExact: Bool)? {
        guard count > 0, var (digits, exponent) = exact else { return nil }
        let isNegative = digits < 0
        // A magnitude of 2^127 does not come about: the sums of each power are far smaller.
        if isNegative { digits = -digits }
        var (quotient, rest) = digits.quotientAndRemainder(dividingBy: Int128(count))
        while rest != 0, quotient < Self.ceiling / 10 {
            let (next, left) = (rest * 10).quotientAndRemainder(dividingBy: Int128(count))
            (quotient, rest) = (quotient * 10 + next, left)
            exponent -= 1
        }
        if rest == 0, let value = Self.number(quotient, exponent, isNegative) {
            return (value, true)
        }
        // What is left is compared with a half; digits that go join it.
        var isPastHalf = rest * 2 > Int128(count)
        var isHalf = rest * 2 == Int128(count)
        var isClean = rest == 0
        while quotient >= Self.ceiling {
            let (shorter, digit) = quotient.quotientAndRemainder(dividingBy: 10)
            isPastHalf = digit > 5 || digit == 5 && !isClean
            isHalf = digit == 5 && isClean
            isClean = isClean && digit == 0
            (quotient, exponent) = (shorter, exponent + 1)
        }
        if isPastHalf || isHalf && !quotient.isMultiple(of: 2) { quotient += 1 }
        return Self.number(quotient, exponent, isNegative).map { ($0, false) }
    }

    /// Returns a number of these digits; nil if it does not fit.
    private static func number(
        _ digits: Int128, _ exponent: Int, _ isNegative: Bool
    ) -> Decimal64? {
        var (digits, exponent) = (digits, exponent)
        if digits == 0 { return .zero }
        while digits.isMultiple(of: 10) { (digits, exponent) = (digits / 10, exponent + 1) }
        guard let mantissa = Int64(exactly: isNegative ? -digits : digits),
            let power = Int8(exactly: exponent)
        else { return nil }
        return Decimal64(mantissa: mantissa, exponent: power)
    }

    /// The first number of 19 digits.
    private static let ceiling: Int128 = 1_000_000_000_000_000_000

    /// The sum as digits that end in no zero, and a power of ten; nil when 128 bits do not hold it.
    private var exact: (digits: Int128, exponent: Int)? {
        var totals = totals
        // What ends in a zero belongs to the next power, so that opposite numbers meet.
        var next = totals.keys.first
        while let power = next, let total = totals[power] {
            guard total.isMultiple(of: 10) else { break }
            totals.removeValue(forKey: power)
            if total != 0 { totals[power + 1, default: 0] += total / 10 }
            next = totals.keys.first
        }
        guard let lowest = totals.keys.first, let highest = totals.keys.last else { return (0, 0) }
        var digits: Int128 = 0
        // Once a sum of the higher powers fills 128 bits, the lower ones do not bring it back.
        for power in (lowest...highest).reversed() {
            let (longer, isLong) = digits.multipliedReportingOverflow(by: 10)
            let (sum, isFull) = longer.addingReportingOverflow(totals[power] ?? 0)
            if isLong || isFull { return nil }
            digits = sum
        }
        return (digits, lowest)
    }
}
