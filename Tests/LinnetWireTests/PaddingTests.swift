import LinnetWire
import Testing

@Suite struct PaddingTests {
    @Test(arguments: [
        (0, 0), (1, 1), (2, 2), (3, 3), (8, 8), (9, 10), (15, 16), (17, 18), (100, 104),
        (1_000, 1_024), (196_614, 200_704), (262_144, 262_144), (262_145, 270_336),
        (1_000_000, 1_015_808),
    ])
    func `sizes follow the algorithm`(count: Int, padded: Int) {
        #expect(Padding.padme(count) == padded)
    }

    @Test func `padding costs at most 12 percent, never shrinks and repeats itself`() {
        var previous = 0
        for count in 0..<70_000 {
            let padded = Padding.padme(count)
            #expect(padded >= count && padded >= previous)
            #expect((padded - count) * 100 <= count * 12)
            #expect(Padding.padme(padded) == padded)
            previous = padded
        }
    }

    @Test func `a size below zero is our own bug`() async {
        await #expect(processExitsWith: .failure) {
            _ = Padding.padme(-1)
        }
    }
}
