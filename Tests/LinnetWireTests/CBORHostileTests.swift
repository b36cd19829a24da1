import LinnetWire
import Testing

@Suite struct CBORHostileTests {
    @Test(arguments: [
        ("9f00ff", WireError.nonCanonical),  // indefinite array
        ("bf0000ff", .nonCanonical), ("5f4100ff", .nonCanonical), ("7f6100ff", .nonCanonical),
        ("ff", .unexpectedType),  // break alone
        ("1817", .nonCanonical), ("1900ff", .nonCanonical), ("1a0000ffff", .nonCanonical),
        ("1b00000000ffffffff", .nonCanonical), ("3817", .nonCanonical),
        ("580100", .nonCanonical), ("780161", .nonCanonical), ("980100", .nonCanonical),
        ("b8010000", .nonCanonical),
        ("1c", .nonCanonical), ("1d", .nonCanonical), ("1e", .nonCanonical),
        ("c000", .unexpectedType), ("d9d9f700", .unexpectedType),  // tags
        ("f7", .unexpectedType), ("f0", .unexpectedType), ("f820", .unexpectedType),
        ("f97e00", .unexpectedType), ("fa3f800000", .unexpectedType),  // short floats
        ("fb7ff8000000000000", .nonCanonical), ("fb7ff8000000000001", .nonCanonical),
        ("fbfff8000000000000", .nonCanonical), ("fb7ff0000000000001", .nonCanonical),
        ("fb8000000000000000", .nonCanonical),  // minus zero
        ("a201000100", .nonCanonical), ("a202000100", .nonCanonical),  // duplicate, unsorted
        ("a2616200616100", .nonCanonical), ("a218180017000000", .nonCanonical),
        ("61ff", .badText), ("62c080", .badText), ("63eda080", .badText),
        ("64f4908080", .badText), ("61c3", .badText), ("6180", .badText),
        ("", .truncated), ("18", .truncated), ("1b00", .truncated), ("41", .truncated),
        ("7a0001000061", .truncated), ("fb00", .truncated), ("8200", .truncated),
        ("a100", .truncated), ("a0a0", .trailingBytes), ("0000", .trailingBytes),
        ("9affffffff", .tooLarge), ("9bffffffffffffffff", .tooLarge),
        ("bbffffffffffffffff", .tooLarge), ("5bffffffffffffffff", .tooLarge),
        ("7b7fffffffffffffff", .tooLarge), ("9b8000000000000000", .tooLarge),
        ("99ffff00", .truncated), ("b84000", .truncated), ("b84100", .tooLarge),
    ])
    func `a single bad item is named`(encoded: String, error: WireError) throws {
        let bytes = try #require(Hex.decode(encoded))
        #expect(throws: error) { try CBORHostileTests.readWhole(bytes) }
    }

    @Test func `nesting stops at the limit, however long the run of heads`() throws {
        for count in [Limits.cborDepth + 1, 1_000, 200_000] {
            let bomb = [UInt8](repeating: 0x81, count: count)
            #expect(throws: WireError.tooDeep) { try CBORHostileTests.readWhole(bomb + [0]) }
        }
        let maps = Array(repeatElement([0xa1, 0x00] as [UInt8], count: 100_000).joined())
        #expect(throws: WireError.tooDeep) { try CBORHostileTests.readWhole(maps + [0]) }
        for innermost: [UInt8] in [[0x80], [0x81, 0]] {
            let heads = [UInt8](repeating: 0x81, count: Limits.cborDepth - 1)
            try CBORHostileTests.readWhole(heads + innermost)
        }
    }

    @Test func `nested heads that each fit the rest do not add up`() {
        // Every head announces 4,096 items, and that many bytes follow each of them.
        var bomb: [UInt8] = []
        for _ in 0..<1_000 {
            bomb += [0x99, 0x10, 0x00]
        }
        bomb += [UInt8](repeating: 0xf6, count: 8_192)
        #expect(throws: WireError.tooDeep) { try CBORHostileTests.readWhole(bomb) }
    }

    @Test func `as many items as the budget has are read, and one more is refused`() throws {
        // The head of the array is an item, too.
        let most = Limits.cborItems - 1
        let fitting = [0x99, 0xff, 0xff] + [UInt8](repeating: 0, count: most)
        try CBORHostileTests.readWhole(fitting)
        let full: [UInt8] = [0x9a, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0, count: most + 1)
        #expect(throws: WireError.tooLarge) { try CBORHostileTests.readWhole(full) }
        let nested = [0x82] + [0x99, 0xff, 0xff] + [UInt8](repeating: 0, count: 65_535) + [0x00]
        #expect(throws: WireError.tooLarge) { try CBORHostileTests.readWhole(nested) }
    }

    @Test(arguments: [0x5a, 0x7a] as [UInt8])
    func `a string as long as the limit is read, and a longer one refused`(head: UInt8) throws {
        let most = Limits.cborStringBytes
        try CBORHostileTests.readWhole(
            [head, 0x00, 0x01, 0x00, 0x00] + [UInt8](repeating: 0x61, count: most))
        let long = [head, 0x00, 0x01, 0x00, 0x01] + [UInt8](repeating: 0x61, count: most + 1)
        #expect(throws: WireError.tooLarge) { try CBORHostileTests.readWhole(long) }
    }

    @Test func `a map has as many keys as the limit says, and one more is refused`() throws {
        func map(_ count: Int) -> [UInt8] {
            var writer = CBORWriter()
            writer.map(count)
            for key in 0..<count {
                writer.unsigned(UInt64(key))
                writer.null()
            }
            return writer.bytes
        }
        try CBORHostileTests.readWhole(map(Limits.cborMapKeys))
        #expect(throws: WireError.tooLarge) {
            try CBORHostileTests.readWhole(map(Limits.cborMapKeys + 1))
        }
    }

    private static func readWhole(_ bytes: [UInt8]) throws {
        var reader = CBORReader(bytes)
        #expect(try reader.rawItem().count == reader.offset)
        try reader.finish()
    }
}
