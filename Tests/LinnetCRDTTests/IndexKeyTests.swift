import LinnetCRDT
import Testing

struct IndexKeyTests {
    private func key(_ value: Value, limit: Int = .max) throws -> [UInt8] {
        try #require(IndexKey.bytes(of: value, limit: limit))
    }

    /// Values in ascending order have keys in ascending order, and differ.
    private func expectAscending(_ values: [Value]) throws {
        let keys = try values.map { try key($0) }
        for (index, pair) in zip(keys, keys.dropFirst()).enumerated() {
            #expect(pair.0.lexicographicallyPrecedes(pair.1), "\(values[index])")
        }
        for key in keys {
            #expect(IndexKey.missing.lexicographicallyPrecedes(key))
            #expect(!key.lexicographicallyPrecedes(IndexKey.least))
            #expect(key.lexicographicallyPrecedes(IndexKey.greatest))
        }
    }

    @Test func `keys sort as numbers do`() throws {
        try expectAscending(
            [Int64.min, -1_000, -12, -11, -10, -2, -1, 0, 1, 2, 9, 10, 11, 100, .max].map(Value.int)
        )
        let decimals = [
            "-9000000000000000000", "-1.25", "-1.2", "-1", "-0.5", "-0.03", "0", "0.001", "0.03",
            "0.5", "1", "1.2", "1.25", "9", "10", "10.5", "9000000000000000000",
        ]
        try expectAscending(
            try decimals.map { Value.decimal(try #require(Decimal64(parsing: $0))) })
        try expectAscending(
            [-Double.infinity, -1e300, -1, -1e-300, 0, 1e-300, 1, 1e300, .infinity]
                .map(Value.double))
    }

    @Test func `any two decimals sort as their keys do`() throws {
        var random = Seeded(7)
        let decimals = (0..<400).compactMap { _ in
            Decimal64(
                mantissa: Int64(bitPattern: random.word()) >> Int64(random.word() % 64),
                exponent: Int8(truncatingIfNeeded: Int(random.word() % 21)) - 10)
        }
        for (left, right) in zip(decimals, decimals.dropFirst()) {
            let (one, other) = (try key(.decimal(left)), try key(.decimal(right)))
            #expect((left < right) == one.lexicographicallyPrecedes(other), "\(left) \(right)")
            #expect((left == right) == (one == other), "\(left) \(right)")
        }
    }

    @Test func `a whole number and the equal decimal have one key, and so have both zeros`() throws
    {
        for number: Int64 in [0, 5, -5, 10, 1_000, -120, .max, .min] {
            let decimal = try #require(Decimal64(mantissa: number, exponent: 0))
            #expect(try key(.int(number)) == key(.decimal(decimal)))
        }
        #expect(try key(.double(0)) == key(.double(-0.0)))
    }

    @Test func `texts, bytes, days, instants and truth sort as they are`() throws {
        try expectAscending(["", "A", "a", "aa", "b", "ä", "\u{10ffff}"].map(Value.text))
        try expectAscending([[], [0], [0, 0], [1], [255]].map(Value.bytes))
        try expectAscending([-1, 0, 20_000].map(Value.date))
        try expectAscending([Int64.min, -1, 0, 1, .max].map(Value.instant))
        try expectAscending([.bool(false), .bool(true)])
    }

    @Test func `of a long text the beginning counts, and an end follows all that begin so`() throws
    {
        let long = String(repeating: "x", count: 100)
        #expect(try key(.text(long), limit: 64) == key(.text(long + "y"), limit: 64))
        #expect(try key(.text(long)) != key(.text(long + "y")))
        let end = IndexKey.end(ofTextsBeginningWith: "ab", limit: 64)
        #expect(try key(.text("ab\u{10ffff}")).lexicographicallyPrecedes(end))
        #expect(try end.lexicographicallyPrecedes(key(.text("ac"))))
        #expect(IndexKey.bytes(of: .list([])) == nil)
    }

    @Test func `a value is looked up where its type compares with the field's`() {
        #expect(IndexKey.compares(.int(1), with: .decimal))
        #expect(IndexKey.compares(.text("a"), with: .choice(["a"])))
        #expect(!IndexKey.compares(.int(1), with: .double))
        #expect(!IndexKey.compares(.text("2026-01-01"), with: .date))
    }
}
