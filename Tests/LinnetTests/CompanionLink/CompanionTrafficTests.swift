import Linnet
import Testing

struct CompanionTrafficTests {
    @Test func `a frame after two seconds of silence is a wake, one before is none`() {
        var meter = CompanionMeter()
        for time in [10_000, 11_999, 13_998, 15_998] as [Int64] {
            meter.received(bytes: 10, uptimeMilliseconds: time)
        }
        meter.sent(bytes: 5, uptimeMilliseconds: 10_001)
        #expect(meter.traffic.received == .init(frames: 4, bytes: 40, wakes: 2))
        #expect(meter.traffic.sent == .init(frames: 1, bytes: 5, wakes: 1))
        #expect(CompanionTraffic() == CompanionMeter().traffic)
    }
}
