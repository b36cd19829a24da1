import LinnetDiscovery
import Testing

struct BackoffTests {
    @Test func `pauses double up to the ceiling and start again after a reset`() {
        var backoff = Backoff(firstMilliseconds: 500, ceilingMilliseconds: 3_000)
        let pauses = (0..<5).map { _ in backoff.pauseMilliseconds() }
        #expect(pauses == [500, 1_000, 2_000, 3_000, 3_000])
        backoff.reset()
        #expect(backoff.pauseMilliseconds() == 500)
    }
}
