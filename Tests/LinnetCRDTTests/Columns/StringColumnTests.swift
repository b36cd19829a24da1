import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct StringColumnTests {
    private func strings(_ texts: [String]) -> ByteStrings {
        var strings = ByteStrings(count: texts.count, bytes: 0)
        for text in texts { strings.append(Array(text.utf8)[...]) }
        return strings
    }

    private func written(_ texts: [String]) -> [UInt8] {
        var writer = ColumnWriter()
        StringColumn.write(strings(texts), to: &writer)
        return writer.bytes
    }

    private func read(
        _ bytes: [UInt8], _ count: Int, allowance: Int = 100_000
    ) throws -> [String] {
        var reader = ColumnReader(bytes, allowance: allowance)
        let strings = try StringColumn.read(count, from: &reader)
        #expect(reader.isAtEnd)
        return (0..<strings.count).map { String(decoding: strings[$0], as: UTF8.self) }
    }

    @Test(
        arguments: [
            [], [""], ["", ""], ["a"], ["a", "a"], ["", "a"], ["mg", "ml", "mg", "mg", "IU", "mg"],
            ["00:30", "11:59"], ["med-1", "med-2", "med-10"], ["x\u{0}", "yé"],
            ["dev-00ff", "dev-a0f1"], ["1234567890123456789012", "9999999990000000000000"],
        ] as [[String]])
    func `strings are read as they were written`(texts: [String]) throws {
        #expect(try read(written(texts), texts.count) == texts)
    }

    @Test(arguments: 0..<100) func `random strings are read as they were written`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let alphabet = Array("0123456789abcdefghé-")
        let length = 1 + seeded.below(9)
        let isFixed = seeded.below(2) == 0
        let texts = (0..<1 + seeded.below(50)).map { _ in
            String(
                (0..<(isFixed ? length : seeded.below(9))).map { _ in
                    alphabet[seeded.below(seeded.below(2) == 0 ? 10 : alphabet.count)]
                })
        }
        #expect(try read(written(texts), texts.count) == texts)
    }

    @Test func `each form is taken where it is the shortest`() {
        #expect(written(["mg", "mg"])[0] == 0)
        #expect(written(["mg", "ml", "IU", "mcg", "mg", "ml", "mg", "IU"])[0] == 1)
        #expect(written((0..<20).map { "med-\(1_000 + $0 * 7)" })[0] == 2)
        #expect(written((0..<20).map { "a longer name of \($0)" })[0] == 3)
    }

    @Test func `what strings expand to is bounded before they are made`() {
        for bytes in [
            [0, 4] + Array("abcd".utf8), [1, 2, 3, 97, 97, 97, 4, 97, 97, 97, 97, 0xff],
            [2, 1, 4 << 2 | 3] + [UInt8](repeating: 97, count: 32),
            [3, 0, 0, 0, 4] + [UInt8](repeating: 97, count: 32),
        ] as [[UInt8]] {
            #expect(throws: WireError.tooLarge) { try read(bytes, 8, allowance: 23) }
            #expect(throws: Never.self) { try read(bytes, 8, allowance: 32) }
        }
    }

    @Test func `forms that contradict themselves are refused`() {
        #expect(throws: WireError.unexpectedType) { try read([4], 1) }
        // A number outside a dictionary of three, and a dictionary of one.
        #expect(throws: WireError.tooLarge) { try read([1, 3, 0, 1, 97, 1, 98, 3], 3) }
        #expect(throws: WireError.nonCanonical) { try read([1, 1, 0, 0], 2) }
        // More in common than there is, parts of no length, digits past their places.
        #expect(throws: WireError.badLength) { try read([3, 0, 1, 0, 0], 1) }
        #expect(throws: WireError.badLength) { try read([2, 0], 1) }
        #expect(throws: WireError.badLength) { try read([2, 1, 0], 1) }
        #expect(throws: WireError.badLength) { try read([2, 1, 19 << 2 | 1, 0, 0], 1) }
        #expect(throws: WireError.tooLarge) { try read([2, 1, 1 << 2 | 1, 0, 10], 1) }
        #expect(throws: WireError.badPadding) { try read([2, 1, 1 << 2 | 2, 0x10], 1) }
    }
}
