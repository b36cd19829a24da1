import Testing

@testable import LinnetCLI

struct CountProgressTests {
    @Test func `a rate and the time left are told once they are known`() {
        func text(_ done: Int, _ milliseconds: Int64) -> String {
            CountProgress.text("lines read", done, of: 5_000, elapsedMilliseconds: milliseconds)
        }
        #expect(text(100, 200) == "100 of 5000 lines read")
        #expect(text(1_000, 500) == "1000 of 5000 lines read, 2000/s, 2 s left")
        #expect(text(10, 1_000) == "10 of 5000 lines read, 10/s, 8 min left")
        #expect(text(6_000, 1_000) == "6000 of 6000 lines read, 6000/s, 0 s left")
    }
}
