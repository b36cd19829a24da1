import LinnetCRDT
import Testing

@Suite struct Decimal64ArithmeticTests {
    private static func number(_ mantissa: Int64, _ exponent: Int8) throws -> Decimal64 {
        try #require(Decimal64(mantissa: mantissa, exponent: exponent))
    }

    @Test(arguments: 0..<100) func `the sum is that of whole tenths, in any order`(seed: Int) throws
    {
        var seeded = Seeded(seed)
        let tenths = (0..<seeded.below(50)).map { _ in Int64(seeded.below(2_000)) - 1_000 }
        var terms = try tenths.map { try Self.number($0, -1) }
        let sum = Decimal64.sum(terms)
        #expect(sum == (try Self.number(tenths.reduce(0, +), -1)))
        terms.sort { $0.mantissa < $1.mantissa }
        #expect(Decimal64.sum(terms) == sum && Decimal64.sum(terms.reversed()) == sum)
    }

    @Test(arguments: 0..<100) func `no order and no grouping of wide numbers tells`(seed: Int)
        throws
    {
        var seeded = Seeded(seed)
        var terms: [Decimal64] = []
        for _ in 0..<(2 + seeded.below(12)) {
            let exponent = Int8(truncatingIfNeeded: seeded.below(256))
            let mantissa = Int64(truncatingIfNeeded: seeded.word()) >> seeded.below(60)
            guard let term = Decimal64(mantissa: mantissa, exponent: exponent) else { continue }
            terms.append(term)
        }
        let sum = Decimal64.sum(terms)
        let negated = terms.compactMap { Decimal64(mantissa: -$0.mantissa, exponent: $0.exponent) }
        #expect(Decimal64.sum(terms + negated) == .zero)
        let mirrored = Decimal64.sum(negated)
        #expect(mirrored.mantissa == -sum.mantissa && mirrored.exponent == sum.exponent)
        for index in terms.indices.dropFirst() {
            terms.swapAt(index, seeded.below(index))
        }
        #expect(Decimal64.sum(terms) == sum)
    }

    @Test(arguments: 0..<100) func `both ways to the sum agree where both go`(seed: Int) throws {
        var seeded = Seeded(seed)
        let terms = try (0..<(1 + seeded.below(8))).map { _ throws in
            try Self.number(
                Int64(truncatingIfNeeded: seeded.word()) >> (8 + seeded.below(50)),
                Int8(seeded.below(9)) - 4)
        }
        // A pair that cancels out and lies too far away for the short way.
        let far = [try Self.number(7, 120), try Self.number(-7, 120)]
        #expect(Decimal64.sum(terms) == Decimal64.sum(far + terms))
    }

    @Test func `sums that are exact are exact`() throws {
        #expect(Decimal64.sum([]) == .zero)
        let (big, tiny) = (try Self.number(1, 127), try Self.number(1, -128))
        #expect(Decimal64.sum([big]) == big && Decimal64.sum([tiny]) == tiny)
        let lowest = try Self.number(.min, 0)
        #expect(Decimal64.sum([lowest]) == lowest)
        #expect(Decimal64.sum([lowest, try Self.number(.max, 0)]) == (try Self.number(-1, 0)))
        #expect(Decimal64.sum([big, tiny, try Self.number(-1, 127)]) == tiny)
        let many = [Decimal64](repeating: try Self.number(.max, 0), count: 10)
        #expect(Decimal64.sum(many) == (try Self.number(.max, 1)))
    }

    @Test func `a sum with too many digits rounds to 18, half to even`() throws {
        // Of a sum that starts with 95 the half way is 19 digits that do not fit.
        let cases: [(mantissa: Int64, exponent: Int8, rounded: Int64)] = [
            (500, 0, 950_000_000_000_000_000), (501, 0, 950_000_000_000_000_001),
            (1_500, 0, 950_000_000_000_000_002), (1_499, 0, 950_000_000_000_000_001),
            (5_001, -1, 950_000_000_000_000_001), (5_000_001, -4, 950_000_000_000_000_001),
        ]
        for (mantissa, exponent, rounded) in cases {
            let sum = Decimal64.sum([try Self.number(95, 19), try Self.number(mantissa, exponent)])
            #expect(sum == (try Self.number(rounded, 3)))
            let negative = [try Self.number(-95, 19), try Self.number(-mantissa, exponent)]
            #expect(Decimal64.sum(negative) == (try Self.number(-rounded, 3)))
        }
        let nines = Decimal64.sum([try Self.number(1, 20), try Self.number(-1, -1)])
        #expect(nines == (try Self.number(1, 20)))
    }

    @Test func `a sum beyond every exponent is the largest number of its sign`() throws {
        let huge = try Self.number(.max, 127)
        #expect(Decimal64.sum([huge, huge]) == huge)
        let negative = try Self.number(-.max, 127)
        #expect(Decimal64.sum([negative, negative, negative]) == negative)
        #expect(Decimal64.sum([huge, huge, negative]) == huge)
    }
}
