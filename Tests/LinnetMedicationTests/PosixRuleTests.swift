import LinnetCRDT
import Testing

@testable import LinnetMedication

struct PosixRuleTests {
    private func rules(_ footer: String) throws -> ZoneRules {
        try ZoneRules(name: footer, file: ZoneFile(footer: footer).bytes)
    }

    /// The changes of 2026 by Python's `zoneinfo` from files of these footers; for the rule with a
    /// day counted from 0 by the C library, since Python counts such days from 1.
    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("IST-1GMT0,M10.5.0,M3.5.0/1", ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("NZST-12NZDT,M9.5.0,M4.1.0/3", ["2026-04-04T14:00:00Z", "2026-09-26T14:00:00Z"]),
        ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", ["2026-04-04T15:00:00Z", "2026-10-03T15:30:00Z"]),
        ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", ["2026-03-29T01:00:00Z", "2026-10-25T01:00:00Z"]),
        ("IST-2IDT,M3.4.4/26,M10.5.0", ["2026-03-27T00:00:00Z", "2026-10-24T23:00:00Z"]),
        ("AAA0BBB,J60,J300/1:30:15", ["2026-03-01T02:00:00Z", "2026-10-27T00:30:15Z"]),
        ("AAA0BBB,59,299/167", ["2026-03-01T02:00:00Z", "2026-11-02T22:00:00Z"]),
        ("AAA0BBB,M4.1.0/-167,M10.1.0/2", ["2026-03-29T01:00:00Z", "2026-10-04T01:00:00Z"]),
    ])
    func `clocks change when the rule says`(footer: String, changes: [String]) throws {
        let zone = try rules(footer)
        let found = TestZones.changes(of: zone, from: 1_767_225_600, until: 1_798_761_600)
        #expect(found.map(Instant.init(seconds:)) == changes.compactMap(Instant.init))
    }

    @Test(arguments: ["EST5EDT,0/0,J365/25", "XXX3EDT4,0/0,J365/23"])
    func `daylight saving time all year is never interrupted`(footer: String) throws {
        let zone = try rules(footer)
        for day in 20_450..<20_900 as Range<Int64> {
            for second in [0, 10_799, 10_800, 14_399, 14_400, 18_000] as [Int64] {
                let instant = Instant(seconds: day * 86_400 + second)
                #expect(zone.offsetSeconds(at: instant) == -14_400)
                #expect(zone.isDaylight(at: instant))
            }
        }
    }

    @Test(arguments: [
        "A", "AA0", "AAA", "AAA25", "AAA0BBB", "AAA0BBB,M1.1.0", "AAA0BBB,M13.1.0,M1.1.0",
        "AAA0BBB,M1.6.0,M2.1.0", "AAA0BBB,M1.1.7,M2.1.0", "AAA0BBB,J0,J1", "AAA0BBB,366,1",
        "AAA0BBB,1/168,2", "AAA0BBB,1/-168,2", "AAA0BBB,1,2,3", "<AAA0", "<A>0", "AAA0:60",
        "AAA0:00:60", "AAA--1", "AAA0BBB,1/,2", "AAA24:59BBB-24:59:59,1,2x", "\u{7f}",
        "AAA99999999999999999999",
    ])
    func `a text that is no rule is refused`(footer: String) {
        #expect(throws: MedicationError.badZone(.badFooter)) { try rules(footer) }
    }
}
