import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct PayloadColumnTests {
    private func written(_ payloads: [[UInt8]]) -> [UInt8] {
        var writer = ColumnWriter()
        var strings = ByteStrings()
        for payload in payloads { strings.append(payload[...]) }
        PayloadColumn.write(strings, to: &writer)
        return writer.bytes
    }

    private func read(_ bytes: [UInt8], _ count: Int) throws -> [[UInt8]] {
        var reader = ColumnReader(bytes, allowance: 100_000)
        let payloads = try PayloadColumn.read(count, from: &reader)
        #expect(reader.isAtEnd)
        return (0..<payloads.count).map { Array(payloads[$0]) }
    }

    static let columns: [(kind: UInt8, values: [Value])] = [
        (1, [.text("a"), .text(""), .text("é🦊"), .text(String(repeating: "x", count: 300))]),
        (2, [.bool(true), .bool(false), .bool(true)]),
        (3, [.int(0), .int(-1), .int(.max), .int(.min), .int(24), .int(256), .int(65_536)]),
        (5, [.double(0), .double(2.5), .double(-.infinity)]),
        (6, [.instant(0), .instant(-5), .instant(1 << 40)]),
        (7, [.date(0), .date(-20_000), .date(20_000)]),
        (0, [.null, .null]), (0, [.null, .int(1)]), (0, [.int(1), .text("1")]),
        (0, [.bytes([1, 2]), .bytes([])]), (0, [.list([.int(1)]), .list([])]),
        (0, [.instant(1), .date(1)]), (0, [.bool(true), .null]),
    ]

    @Test(arguments: columns)
    func `values of one kind have a column of their own`(
        column: (kind: UInt8, values: [Value])
    ) throws {
        let payloads = try column.values.map { try $0.encoded() }
        let bytes = written(payloads)
        #expect(bytes[0] == column.kind)
        #expect(try read(bytes, payloads.count) == payloads)
    }

    @Test func `decimals share an exponent where they can`() throws {
        let shared = try ["0", "12.5", "-0.25", "1000", "0.01"].map { text in
            try Value.decimal(#require(Decimal64(parsing: text))).encoded()
        }
        #expect(written(shared)[0] == 4)
        #expect(try read(written(shared), shared.count) == shared)
        let apart = try [Int8.min, 0, Int8.max].map { exponent in
            try Value.decimal(#require(Decimal64(mantissa: 3, exponent: exponent))).encoded()
        }
        #expect(written(apart)[0] == 0)
        #expect(try read(written(apart), apart.count) == apart)
    }

    @Test func `a payload that is not in its shortest form is kept as it is`() throws {
        let loose: [[UInt8]] = [[0x18, 5], [0x18, 6]]
        #expect(written(loose)[0] == 0)
        #expect(throws: WireError.nonCanonical) { try read(written(loose), 2) }
    }

    @Test func `values that no payload may hold are refused`() {
        #expect(throws: WireError.unexpectedType) { try read([8], 1) }
        #expect(throws: WireError.tooLarge) { try read([2, 0, 2], 1) }
        #expect(throws: WireError.badText) { try read([1, 0, 1, 0xff], 1) }
        // NaN and minus zero, bytes reversed.
        #expect(throws: WireError.nonCanonical) { try read([5, 0, 0xff, 0xf0, 0x03], 1) }
        #expect(throws: WireError.nonCanonical) { try read([5, 0, 0x80, 0x01], 1) }
        #expect(throws: WireError.truncated) { try read([0, 0, 0], 1) }
        #expect(throws: WireError.trailingBytes) { try read([0, 0, 2, 0, 0], 1) }
    }
}
