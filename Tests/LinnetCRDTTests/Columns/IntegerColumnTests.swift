import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct IntegerColumnTests {
    private func written(_ values: [UInt64]) -> [UInt8] {
        var writer = ColumnWriter()
        IntegerColumn.write(values, to: &writer)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8], _ count: Int) throws -> [UInt64] {
        var reader = ColumnReader(bytes, allowance: 0)
        let values = try IntegerColumn.read(count, from: &reader)
        #expect(reader.isAtEnd)
        return values
    }

    @Test(
        arguments: [
            [], [7], [7, 7, 7], [0, 1, 0, 1, 1], [.max, 0], [.max, .max - 1, .max - 3],
            [1, 3, 5, 1_000], [100, 125, 1_000_000], [0, 1 << 62, 1 << 63, .max], [5, 4, 3, 2, 1],
        ] as [[UInt64]])
    func `numbers are read as they were written`(values: [UInt64]) throws {
        #expect(try read(written(values), values.count) == values)
    }

    @Test(arguments: 0..<200) func `random numbers are read as they were written`(
        seed: Int
    ) throws {
        var seeded = Seeded(seed)
        let width = UInt64(seeded.below(64))
        var values = (0..<1 + seeded.below(150)).map { _ in seeded.word() >> width }
        if seeded.below(2) == 0 { values.sort() }
        #expect(try read(written(values), values.count) == values)
    }

    @Test func `each form is taken where it is the shortest`() {
        #expect(written([300, 300, 300])[0] >> 6 == 0)
        #expect(written([9, 2, 7, 3])[0] == 1 << 6 | 3)
        #expect(written((0..<100).map { $0 * $0 })[0] >> 6 == 2)
        #expect(written([0, 1 << 60, 1, 2, 3, 4])[0] >> 6 == 3)
    }

    @Test func `multiples of a number are counted in it`() throws {
        let values: [UInt64] = (0..<80).map { ($0 * 37 % 100) * 25 + 7 }
        #expect(written(values).count <= 4 + 80 * 7 / 8)
        #expect(try read(written(values), 80) == values)
    }

    @Test func `numbers past 64 bits, loose bits and lengths that lie are refused`() {
        let most: [UInt8] = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]
        #expect(throws: WireError.tooLarge) { try read([3 << 6] + most.dropLast() + [2], 1) }
        #expect(throws: WireError.tooLarge) { try read([1 << 6 | 2] + most + most + [3], 1) }
        #expect(throws: WireError.tooLarge) { try read([2 << 6] + most + [1], 2) }
        #expect(throws: WireError.badPadding) { try read([1 << 6 | 2, 0, 0x7f], 3) }
        #expect(throws: WireError.nonCanonical) { try read([1, 0], 1) }
        #expect(throws: WireError.nonCanonical) { try read([0, 0x80, 0], 1) }
        #expect(throws: WireError.truncated) { try read([1 << 6 | 8, 0, 1], 2) }
        #expect(throws: WireError.truncated) { try read([], 1) }
    }

    @Test(
        arguments: [
            [0], [-1, 1], [.min, .max], [.min, .min], [5, -5, 0, 5], [.max, .max - 1],
        ] as [[Int64]])
    func `numbers of both signs are read as they were written`(values: [Int64]) throws {
        var writer = ColumnWriter()
        IntegerColumn.writeSigned(values, to: &writer)
        var reader = ColumnReader(writer.bytes, allowance: 0)
        #expect(try IntegerColumn.readSigned(values.count, from: &reader) == values)
        #expect(reader.isAtEnd)
    }

    @Test func `a signed number past its range is refused`() {
        // Least 1, then a distance of 2^63 - 1.
        var reader = ColumnReader(
            [2, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f], allowance: 0)
        #expect(throws: WireError.tooLarge) { try IntegerColumn.readSigned(1, from: &reader) }
    }
}
