import LinnetCRDT
import Testing

struct ExactSumTests {
    private func sum(_ terms: [String]) throws -> ExactSum {
        var sum = ExactSum()
        for term in terms { sum.add(try #require(Decimal64(parsing: term))) }
        return sum
    }

    private static func zeros(_ digits: String, _ count: Int) -> String {
        digits + String(repeating: "0", count: count)
    }

    @Test(arguments: [
        ([], "0"), (["0.1", "0.2"], "0.3"), (["-5", "5"], "0"), (["0.5", "0.5", "99"], "100"),
        ([zeros("1", 90), "1", zeros("-1", 90)], "1"),
        ([zeros("5", 90), zeros("5", 90), zeros("-1", 91), "0.25"], "0.25"),
        (["10", "-10", "7"], "7"),
    ])
    func `a sum loses nothing`(terms: [String], expected: String) throws {
        #expect(try sum(terms).total?.description == expected)
    }

    @Test func `a sum that its type does not hold is none, and one that comes back is`() throws {
        var whole = ExactSum()
        whole.add(Int64.max)
        #expect(whole.whole == .max)
        whole.add(Int64.max)
        #expect(whole.whole == nil)
        whole.add(-Int64.max)
        #expect(whole.whole == .max)
        #expect(try sum([Self.zeros("1", 60), "0.001"]).total == nil)
        #expect(try sum(["9223372036854775807", "1.5"]).total == nil)
    }

    @Test(arguments: [
        (["1", "2"], "1.5", true), (["10", "0", "0"], "3.33333333333333333", false),
        (["20", "0", "0"], "6.66666666666666667", false),
        (["-20", "0", "0"], "-6.66666666666666667", false),
        (["9223372036854775807", "9223372036854775807"], "9223372036854775807", true),
        (["0.001", "0.002", "0.006"], "0.003", true), (["0", "0"], "0", true),
    ])
    func `a mean says whether it is exact`(
        terms: [String], expected: String, isExact: Bool
    ) throws {
        let mean = try #require(try sum(terms).mean)
        #expect(mean.value.description == expected)
        #expect(mean.isExact == isExact)
    }

    @Test func `there is no mean of nothing`() {
        #expect(ExactSum().mean == nil)
    }

    @Test(arguments: 0..<50)
    func `sums and means are those of whole numbers of the smallest unit`(seed: Int) throws {
        var random = Seeded(seed)
        var sum = ExactSum()
        var units: Int128 = 0
        let count = 1 + random.below(60)
        for _ in 0..<count {
            let mantissa = Int64(random.below(2_000_000)) - 1_000_000
            let exponent = random.below(7) - 3
            sum.add(try #require(Decimal64(mantissa: mantissa, exponent: Int8(exponent))))
            var unit: Int128 = 1
            for _ in 0..<exponent + 3 { unit *= 10 }
            units += Int128(mantissa) * unit
        }
        let total = try #require(Int64(exactly: units))
        #expect(sum.total == Decimal64(mantissa: total, exponent: -3))
        let mean = try #require(sum.mean)
        guard total % Int64(count) == 0 else { return }
        #expect(mean.isExact)
        #expect(mean.value == Decimal64(mantissa: total / Int64(count), exponent: -3))
    }
}
