import CZlib
import Testing

@testable import LinnetWire

/// Short inputs are compressed without zlib, into the bytes that zlib makes of them.
@Suite struct FixedDeflateTests {
    private static func check(_ input: [UInt8], from place: SourceLocation = #_sourceLocation) {
        let stream = FixedDeflate.compress(input)
        #expect(
            stream == Deflate.compress(input, strategy: Z_FIXED), "\(Hex.encode(input))",
            sourceLocation: place)
        #expect(throws: Never.self, sourceLocation: place) {
            let result = try Deflate.decompress(stream + [0xff], exactly: input.count)
            #expect(result.output == input, sourceLocation: place)
            #expect(result.consumed == stream.count, sourceLocation: place)
        }
    }

    @Test func `every length of one byte, of none that repeats and of zeros at the end`() {
        for count in 0...FixedDeflate.inputMaximum {
            Self.check([UInt8](repeating: 0x61, count: count))
            Self.check([UInt8](repeating: 0, count: count))
            Self.check((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ $0 / 7) })
            let half = (0..<count / 2).map { UInt8(truncatingIfNeeded: $0 % 11) }
            Self.check(half + [UInt8](repeating: 0, count: count - half.count))
        }
    }

    @Test(arguments: 0..<24)
    func `inputs of few and many different bytes, with and without repetitions`(seed: Int) {
        var seeded = Seeded(seed)
        for _ in 0..<200 {
            let count = seeded.below(FixedDeflate.inputMaximum + 1)
            let alphabet = seeded.bytes(1 << seeded.below(9))
            let repeats = seeded.below(4)
            var input: [UInt8] = []
            while input.count < count {
                if !input.isEmpty, seeded.below(8) < repeats {
                    let start = seeded.below(input.count)
                    let part = input[start...].prefix(1 + seeded.below(300))
                    input += part
                } else {
                    input.append(alphabet[seeded.below(alphabet.count)])
                }
            }
            Self.check(Array(input.prefix(count)))
        }
    }
}
