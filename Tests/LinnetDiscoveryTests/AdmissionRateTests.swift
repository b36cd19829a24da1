import LinnetDiscovery
import Testing

struct AdmissionRateTests {
    @Test func `a clock that goes back gives nothing and takes nothing`() {
        var rate = AdmissionRate(perMinute: 2)
        #expect(rate.take(atMilliseconds: 100_000) == true)
        #expect(rate.take(atMilliseconds: 100_000) == true)
        #expect(rate.take(atMilliseconds: 0) == false)
        #expect(rate.take(atMilliseconds: 29_999) == false)
        #expect(rate.take(atMilliseconds: 30_000) == true)
    }

    @Test func `a long silence fills the bucket once`() {
        var rate = AdmissionRate(perMinute: 2)
        #expect(rate.take(atMilliseconds: 0) == true)
        #expect(rate.take(atMilliseconds: 0) == true)
        for _ in 0..<2 { #expect(rate.take(atMilliseconds: .max) == true) }
        #expect(rate.take(atMilliseconds: .max) == false)
    }
}
