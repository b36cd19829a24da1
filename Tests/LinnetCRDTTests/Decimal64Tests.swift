import LinnetCRDT
import Testing

@Suite struct Decimal64Tests {
    @Test(arguments: [
        ("0", 0, 0), ("-0", 0, 0), ("0.000", 0, 0), ("2.5", 25, -1), ("-0.03", -3, -2),
        ("2.50", 25, -1), ("007", 7, 0), ("1200", 12, 2), ("100.100", 1_001, -1),
        ("9223372036854775807", Int64.max, 0), ("-9223372036854775808", Int64.min, 0),
        ("0.9223372036854775807", Int64.max, -19), ("92233720368547758070", Int64.max, 1),
    ])
    func `texts become reduced numbers`(text: String, mantissa: Int64, exponent: Int8) throws {
        let number = try #require(Decimal64(parsing: text))
        #expect(number.mantissa == mantissa && number.exponent == exponent)
        #expect(Decimal64(parsing: number.description) == number)
    }

    @Test(arguments: [
        "", "-", ".", ".5", "5.", "1.2.3", "1e3", "+1", " 1", "1 ", "1,5", "--1", "1-", "٣", "½",
        "9223372036854775808", "-9223372036854775809", "0.12345678901234567891", "NaN",
    ])
    func `anything that is no exact decimal is refused`(text: String) {
        #expect(Decimal64(parsing: text) == nil)
    }

    @Test func `exponents end where eight bits end`() {
        let zeros = { (count: Int) in String(repeating: "0", count: count) }
        #expect(Decimal64(parsing: "1" + zeros(127))?.exponent == 127)
        #expect(Decimal64(parsing: "1" + zeros(128)) == nil)
        #expect(Decimal64(parsing: "0." + zeros(127) + "1")?.exponent == -128)
        #expect(Decimal64(parsing: "0." + zeros(128) + "1") == nil)
        #expect(Decimal64(parsing: "0." + zeros(500)) == .zero)
        #expect(Decimal64(mantissa: 10, exponent: 127) == nil)
        #expect(Decimal64(mantissa: 0, exponent: 127) == .zero)
        #expect(Decimal64(mantissa: .min, exponent: -128)?.description.utf8.count == 131)
    }

    @Test func `the text form is plain`() {
        #expect(Decimal64(mantissa: 25, exponent: -1)?.description == "2.5")
        #expect(Decimal64(mantissa: -3, exponent: -2)?.description == "-0.03")
        #expect(Decimal64(mantissa: 12, exponent: 2)?.description == "1200")
        #expect(Decimal64.zero.description == "0")
    }

    @Test(arguments: 0..<20) func `the order is that of numbers`(seed: Int) throws {
        var seeded = Seeded(seed)
        for _ in 0..<200 {
            let (left, right) = (seeded.below(4_001) - 2_000, seeded.below(4_001) - 2_000)
            let scale = Int8(seeded.below(5)) - 2
            let first = try #require(Decimal64(mantissa: Int64(left), exponent: scale))
            let second = try #require(Decimal64(mantissa: Int64(right), exponent: scale))
            #expect((first < second) == (left < right))
            #expect((first == second) == (left == right))
        }
    }

    @Test func `numbers of very different size keep their order`() throws {
        let texts = [
            "-9223372036854775808", "-100", "-0.5", "-0.05", "0", "0.05", "0.5", "0.51", "9", "10",
            "100", "9223372036854775807",
        ]
        let numbers = texts.compactMap(Decimal64.init(parsing:))
        #expect(numbers.count == texts.count)
        #expect(numbers.reversed().sorted() == numbers)
    }
}
