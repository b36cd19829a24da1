import LinnetWire
import Testing

@testable import LinnetCRDT

@Suite struct PlainPayloadTests {
    private let types: [ValueType] = [
        .text, .int, .decimal, .double, .bool, .date, .instant, .bytes, .choice(["a"]),
        .reference(2_000),
    ]

    /// What the long way makes of the same bytes.
    private func decoded(_ bytes: [UInt8]) -> PlainPayload? {
        switch try? Value.decode(bytes) {
        case .null: .null
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .decimal: .decimal
        case .text: .text
        default: nil
        }
    }

    @Test func `a plain payload is what decoding it says`() throws {
        let texts = [0, 1, 23, 24, 255, 256, 1_000].map { String(repeating: "x", count: $0) }
        let numbers: [Int64] = [
            0, 23, 24, 255, 256, 65_535, 65_536, 1 << 32, -1, -24, -25, -256, -257, .min, .max,
        ]
        let values: [Value] =
            texts.map(Value.text) + numbers.map(Value.int) + [
                .null, .bool(true), .bool(false), .text("ä"), .double(1), .double(-1.5), .double(0),
                .double(.infinity), .bytes([1]), .instant(1),
            ] + numbers.compactMap { Decimal64(mantissa: $0, exponent: -3).map(Value.decimal) }
        for value in values {
            let bytes = try value.encoded()
            let plain = PlainPayload(bytes)
            #expect(plain == nil || plain == decoded(bytes))
            #expect(!value.isPlain || bytes.count <= Limits.valueBytes)
            guard let plain else { continue }
            for type in types { #expect(type.admits(plain) == type.admits(value)) }
        }
        #expect(PlainPayload(try Value.text("plain").encoded()) == .text)
        #expect(PlainPayload(try Value.int(70_000).encoded()) == .int)
        #expect(PlainPayload(try Value.double(0.1).encoded()) == .double)
        let quarter = try #require(Decimal64(mantissa: -225, exponent: -2))
        #expect(PlainPayload(try Value.decimal(quarter).encoded()) == .decimal)
    }

    @Test func `a decimal is plain in its one form alone`() {
        var found = 0
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                for bytes in [
                    [0x83, 1, first, second], [0x83, 1, 0x18, first, second],
                    [0x83, 1, 0x39, first, second, 0x21], [0x83, 0, first, second],
                ] {
                    guard let plain = PlainPayload(bytes) else { continue }
                    #expect(plain == .decimal && plain == decoded(bytes))
                    found += 1
                }
            }
        }
        #expect(found > 1_000)
        for bytes: [UInt8] in [[0x83, 1, 0x19, 1], [0x83, 1, 1], [0x83, 1, 1, 0x20, 0]] {
            #expect(PlainPayload(bytes) == nil)
        }
    }

    @Test func `no bytes are plain that do not decode`() {
        var seeded = Seeded(3)
        for first in UInt8.min...UInt8.max {
            for count in 0..<40 {
                let bytes = [first] + seeded.bytes(count)
                if let plain = PlainPayload(bytes) { #expect(plain == decoded(bytes)) }
                let ascii = [first] + [UInt8](repeating: 0x20, count: count)
                if let plain = PlainPayload(ascii) { #expect(plain == decoded(ascii)) }
            }
        }
        #expect(PlainPayload([]) == nil)
        for odd in [-0.0, .nan, -.nan, .signalingNaN] {
            let bits = odd.bitPattern
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
            #expect(PlainPayload([0xfb] + bytes) == nil)
        }
    }
}
