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
                .null, .bool(true), .bool(false), .text("ä"), .double(1), .bytes([1]), .instant(1),
            ]
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
    }
}
