import Testing

@testable import LinnetCLI

struct ByteProgressTests {
    private static let mebibyte: UInt64 = 1 << 20

    private func text(_ done: UInt64, _ total: UInt64, _ milliseconds: Int64) -> String {
        ByteProgress.text(done, of: total, elapsedMilliseconds: milliseconds)
    }

    @Test func `a rate and the time left appear after half a second`() {
        let half = Self.mebibyte / 2
        #expect(text(half, Self.mebibyte * 2, 499) == "0.5 of 2.0 MiB (25 %)")
        #expect(
            text(half, Self.mebibyte * 2, 500) == "0.5 of 2.0 MiB (25 %), 1.0 MiB/s, 2 s left")
        #expect(text(half, Self.mebibyte * 200, 1000).hasSuffix("0.5 MiB/s, 6 min left"))
    }

    @Test func `nothing done, nothing to do and more done than known are no trouble`() {
        #expect(text(0, 0, 10_000) == "0.0 of 0.0 MiB (0 %)")
        #expect(text(0, .max, 10_000).hasSuffix("(0 %)"))
        #expect(text(Self.mebibyte * 3, Self.mebibyte, 1000).contains("(100 %), 3.0 MiB/s, 0 s"))
    }
}
