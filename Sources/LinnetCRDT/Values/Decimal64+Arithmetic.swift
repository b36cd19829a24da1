extension Decimal64 {
    /// Returns the sum of numbers, which does not depend on their order.
    ///
    /// The sum is exact where that is a decimal number of this type. Otherwise it is the exact sum
    /// rounded to 18 significant digits, half to even, and beyond the largest exponent ±(2^63 - 1)
    /// × 10^127.
    package static func sum(_ terms: [Decimal64]) -> Decimal64 {
        shortSum(terms) ?? longSum(terms)
    }

    /// Returns the exact sum; nil unless it fits and all terms fit 128 bits in their smallest unit.
    private static func shortSum(_ terms: [Decimal64]) -> Decimal64? {
        var (lowest, highest) = (0, 0)
        for term in terms {
            lowest = min(lowest, Int(term.exponent))
            highest = max(highest, Int(term.exponent))
        }
        guard highest - lowest <= 18 else { return nil }
        var total: Int128 = 0
        for term in terms {
            let unit = power(of: Int(term.exponent) - lowest)
            let (sum, overflow) = total.addingReportingOverflow(Int128(term.mantissa) * unit)
            if overflow { return nil }
            total = sum
        }
        while total != 0 && total.isMultiple(of: 10) {
            total /= 10
            lowest += 1
        }
        guard let mantissa = Int64(exactly: total), let exponent = Int8(exactly: lowest) else {
            return nil
        }
        return Decimal64(mantissa: mantissa, exponent: exponent)
    }

    /// Returns any sum, found from exact digits: nine to a limb, the lowest of weight 10^-128.
    private static func longSum(_ terms: [Decimal64]) -> Decimal64 {
        var limbs = [Int64](repeating: 0, count: 40)
        for term in terms {
            let shift = Int(term.exponent) + 128
            var rest = Int128(term.mantissa) * power(of: shift % 9)
            var limb = shift / 9
            while rest != 0 {
                limbs[limb] += Int64(truncatingIfNeeded: rest % limbBase)
                rest /= limbBase
                limb += 1
            }
        }
        var isNegative = false
        if carry(&limbs) < 0 {
            isNegative = true
            for limb in limbs.indices { limbs[limb] = -limbs[limb] }
            // The rest above the highest limb cancels the one that the first pass left there.
            _ = carry(&limbs)
        }
        let digits = limbs.flatMap { limb in
            (0..<9).map { UInt8(limb / Int64(power(of: $0)) % 10) }
        }
        return rounded(digits, isNegative: isNegative)
    }

    /// Brings every limb into 0 ..< 10^9 and returns the rest above the highest.
    private static func carry(_ limbs: inout [Int64]) -> Int64 {
        var over: Int64 = 0
        for limb in limbs.indices {
            let total = limbs[limb] + over
            let kept = (total % Int64(limbBase) + Int64(limbBase)) % Int64(limbBase)
            over = (total - kept) / Int64(limbBase)
            limbs[limb] = kept
        }
        return over
    }

    /// Returns the number that digits stand for, the lowest first and of weight 10^-128, rounded if
    /// it must be.
    private static func rounded(_ digits: [UInt8], isNegative: Bool) -> Decimal64 {
        guard let lowest = digits.firstIndex(where: { $0 != 0 }),
            let highest = digits.lastIndex(where: { $0 != 0 })
        else { return .zero }
        if let exact = number(digits[lowest...highest], isNegative, roundingUp: false) {
            return exact
        }
        let first = max(lowest, highest - 17)
        let isOdd = !digits[first].isMultiple(of: 2)
        let isUp =
            first > lowest
            && (digits[first - 1] > 5
                || digits[first - 1] == 5 && (isOdd || lowest < first - 1))
        let largest = Decimal64(mantissa: isNegative ? -.max : .max, exponent: .max)
        return number(digits[first...highest], isNegative, roundingUp: isUp) ?? largest ?? .zero
    }

    /// Returns the number that these digits stand for in their place; nil if it does not fit.
    private static func number(
        _ digits: ArraySlice<UInt8>, _ isNegative: Bool, roundingUp: Bool
    ) -> Decimal64? {
        guard digits.count <= 19, let exponent = Int8(exactly: digits.startIndex - 128) else {
            return nil
        }
        var magnitude: Int128 = 0
        for digit in digits.reversed() { magnitude = magnitude * 10 + Int128(digit) }
        if roundingUp { magnitude += 1 }
        guard let mantissa = Int64(exactly: isNegative ? -magnitude : magnitude) else { return nil }
        return Decimal64(mantissa: mantissa, exponent: exponent)
    }

    private static let limbBase: Int128 = 1_000_000_000

    /// Returns 10^exponent for an exponent from 0 to 18.
    private static func power(of exponent: Int) -> Int128 {
        var power: Int128 = 1
        for _ in 0..<exponent { power *= 10 }
        return power
    }
}
