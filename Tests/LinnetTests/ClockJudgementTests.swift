import LinnetControl
import Testing

@testable import Linnet

struct ClockJudgementTests {
    private static let now: Int64 = 1_800_000_000_000

    private func states(
        skews: [Int64], newest: Int64 = now, at now: Int64 = now
    ) -> [HealthFinding] {
        ClockJudgement(
            now: now, newestStamp: newest,
            opinions: skews.enumerated().map { place, skew in
                ClockJudgement.Opinion(
                    device: Device(id: "\(place)", name: "D\(place)"), skewMilliseconds: skew,
                    agoMilliseconds: 60_000)
            }
        ).findings
    }

    @Test func `clocks that agree are good, and the finding says with whom they were compared`() {
        let findings = states(skews: [1_000, -119_000])
        #expect(findings.map(\.state) == [.good])
        #expect(findings[0].text.contains("2 other devices agreed"))
        #expect(states(skews: [])[0].text.contains("no other device was met"))
    }

    @Test func `each clock that differs is named with the difference`() {
        let findings = states(skews: [0, 7_200_000])
        #expect(findings.map(\.state) == [.warning])
        #expect(findings[0].text.contains("D1 is 7200 s ahead"))
        #expect(findings[0].text.contains("its zone were wrong by 2 h"))
    }

    @Test func `most of several devices can say that this clock is the wrong one`() {
        let findings = states(skews: [-500_000, -510_000, 0])
        #expect(findings[0].text.contains("this device's own clock seems to be ahead: 2 of 3"))
        #expect(findings.allSatisfy { $0.state == .warning } && findings.count == 3)
        // One against one tells nothing about which of the two is wrong.
        #expect(states(skews: [-500_000]).count == 1)
    }

    @Test func `a device that is alone is held against the newest change`() {
        let behind = states(skews: [], newest: Self.now + 3_600_000)
        #expect(behind.map(\.state) == [.warning])
        #expect(behind[0].text.contains("3600 s before the newest change"))
        #expect(states(skews: [], newest: Self.now + 60_000).map(\.state) == [.good])
    }

    @Test func `a date that cannot be is told`() {
        #expect(states(skews: [], newest: 0, at: 5).map(\.state) == [.warning])
    }
}
