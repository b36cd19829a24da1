import Testing

@testable import LinnetCLI

struct ByteProgressTests {
    private static let mebibyte: UInt64 = 1 << 20

    private func text(_ done: UInt64, _ total: UInt64, _ milliseconds: Int64) -> String {
        var rate = ProgressRate()
        rate.note(0, at: 0)
        rate.note(Double(done), at: milliseconds)
        return ByteProgress.text(done, of: total, rate, at: milliseconds)
    }

    @Test func `a rate and the time left appear after a second`() {
        let half = Self.mebibyte / 2
        #expect(
            text(half, Self.mebibyte * 2, 999) == "0.5 of 2.0 MiB (25 %), time left not known yet")
        #expect(
            text(half, Self.mebibyte * 2, 1000) == "0.5 of 2.0 MiB (25 %), 0.5 MiB/s, 3.0 s left")
        #expect(text(half, Self.mebibyte * 200, 1000).hasSuffix("0.5 MiB/s, 6 min left"))
    }

    @Test func `nothing done, nothing to do and more done than known are no trouble`() {
        #expect(text(0, 0, 1_000) == "0.0 of 0.0 MiB (0 %), time left not known yet")
        #expect(text(0, .max, 10_000).hasSuffix("(0 %), nothing new for 10 s"))
        #expect(text(Self.mebibyte * 3, Self.mebibyte, 1000).contains("(100 %), 3.0 MiB/s, 0 s"))
    }

    @Test func `no time is told as long as the same bytes have another way to go`() {
        var rate = ProgressRate()
        rate.note(0, at: 0)
        rate.note(1_048_576, at: 2_000)
        let text = ByteProgress.text(1_048_576, of: 4_194_304, rate, isLast: false, at: 2_000)
        #expect(text == "1.0 of 4.0 MiB (25 %), 0.5 MiB/s, time left not known yet")
    }
}
