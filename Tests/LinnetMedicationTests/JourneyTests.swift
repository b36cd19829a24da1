import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Journeys drawn from a seed: several changes of zone, at any moment, decided in any way.
struct JourneyTests {
    private let zones: ZoneTable

    init() throws {
        zones = try TestZones.table()
    }

    @Test(arguments: 0..<60)
    func `no dose is lost or doubled on any journey`(seed: Int) throws {
        var random = TestRandom(seed: UInt64(seed))
        let perDay = [1, 2, 3, 4][random.below(4)]
        let first = random.below(1_440 / perDay)
        let times = (0..<perDay).map { index in
            let minute = first + index * 1_440 / perDay
            return LocalTime.text(hour: minute / 60, minute: minute % 60)
        }
        var schedule = try TestDoses.schedule(
            times, TestZones.names[random.below(TestZones.names.count)])
        let start = try #require(Instant("2025-01-05T00:00:00Z"))
            .advanced(byMinutes: Int64(random.below(700) * 1_440 + random.below(1_440)))
        var now = start
        var adjustments: [Adjustment] = []
        for trip in 0..<6 {
            let before = try past(of: schedule, until: now)
            if let adjustment = try decide(schedule, trip: trip, now: now, &random) {
                adjustments.append(adjustment)
                schedule = replaced(schedule, adjustment.after, adjustments)
            }
            #expect(try past(of: schedule, until: now) == before, "the past changed")
            // Sometimes the next change comes within hours, before the last one took effect.
            now = now.advanced(byMinutes: Int64(random.below([90, 600, 20_000][random.below(3)])))
        }
        try check(schedule, perDay: perDay, from: start, until: now)
    }

    private func decide(
        _ schedule: Schedule, trip: Int, now: Instant, _ random: inout TestRandom
    ) throws -> Adjustment? {
        let zone = TestZones.names[random.below(TestZones.names.count)]
        let change = ZoneChange(
            id: try TestDoses.id("z\(trip)"), from: schedule.timing.referenceZone, to: zone,
            at: now)
        guard
            let proposal = try Proposal(
                schedule: schedule, change: change, decidedZone: nil, now: now, zones: zones)
        else { return nil }
        let option = proposal.options[random.below(proposal.options.count)]
        return try proposal.confirming(option, id: TestDoses.id("a\(trip)"), at: now)
    }

    private func replaced(
        _ schedule: Schedule, _ timing: Timing, _ adjustments: [Adjustment]
    ) -> Schedule {
        let history = AdjustmentHistory(
            schedule: schedule.id, timing: timing, adjustments: adjustments)
        return schedule.replacing(timing: timing, earlier: history.earlier)
    }

    private func past(of schedule: Schedule, until now: Instant) throws -> [Occurrence] {
        try schedule.occurrences(in: now.advanced(byMinutes: -40_000)..<now, zones: zones)
    }

    /// Gaps stay between half and one and a half of the usual one, but for the hour by which
    /// clocks change; so there are neither too many nor too few.
    private func check(
        _ schedule: Schedule, perDay: Int, from start: Instant, until end: Instant
    ) throws {
        let range = start.advanced(byMinutes: -14_400)..<end.advanced(byMinutes: 43_200)
        let doses = try schedule.occurrences(in: range, zones: zones)
        let usual = Int64(1_440 / perDay)
        for (dose, next) in zip(doses, doses.dropFirst()) {
            let gap = next.scheduled.milliseconds(since: dose.scheduled) / 60_000
            #expect(gap >= usual / 2 - 60, "\(dose.id) to \(next.id)")
            #expect(gap <= usual * 3 / 2 + 60, "\(dose.id) to \(next.id)")
        }
    }
}

extension JourneyTests {
    @Test func `of changes within a day the last one decides, and each dose comes once`() throws {
        // Auckland to Los Angeles to New York within nine hours; each confirmed at once.
        var schedule = try TestDoses.schedule(["08:00"], "Pacific/Auckland")
        var adjustments: [Adjustment] = []
        for (name, zone, at) in [
            ("a", "America/Los_Angeles", "2026-11-20T20:00:00Z"),
            ("b", "America/New_York", "2026-11-21T05:00:00Z"),
        ] {
            let now = try #require(Instant(at))
            let proposal = try #require(
                try Proposal(
                    schedule: schedule,
                    change: ZoneChange(
                        id: TestDoses.id("z" + name), from: "", to: zone, at: now),
                    decidedZone: nil, now: now, zones: zones))
            adjustments.append(
                try proposal.confirming(proposal.options[0], id: TestDoses.id(name), at: now))
            schedule = replaced(schedule, adjustments[adjustments.count - 1].after, adjustments)
        }
        let range = try TestDoses.range("2026-11-19T00:00:00Z", "2026-11-24T00:00:00Z")
        // 19:00Z in Auckland; 16:00Z in Los Angeles, never reached; 13:00Z in New York.
        #expect(
            try schedule.occurrences(in: range, zones: zones).map(\.scheduled.description) == [
                "2026-11-19T19:00:00.000Z", "2026-11-20T19:00:00.000Z",
                "2026-11-21T13:00:00.000Z", "2026-11-22T13:00:00.000Z",
                "2026-11-23T13:00:00.000Z",
            ])
    }

    @Test func `concurrent confirmations give one schedule, and what was taken stays counted`()
        throws
    {
        let schedule = try TestDoses.schedule(["08:00", "20:00"], "Europe/Berlin")
        let now = try #require(Instant("2026-11-20T12:00:00Z"))
        let change = ZoneChange(
            id: try TestDoses.id("z"), from: "Europe/Berlin", to: "Asia/Kathmandu", at: now)
        let proposal = try #require(
            try Proposal(
                schedule: schedule, change: change, decidedZone: nil, now: now, zones: zones))
        let watch = try proposal.confirming(
            proposal.options[2], id: TestDoses.id("watch"), at: now)
        let phone = try proposal.confirming(
            proposal.options[0], id: TestDoses.id("phone"), at: now)
        // The watch alone lived two days by its own decision and logged each dose.
        let range = now..<now.advanced(byMinutes: 5 * 1_440)
        let onWatch = replaced(schedule, watch.after, [watch])
        let taken = try onWatch.occurrences(in: range, zones: zones).prefix(4).map(\.scheduled)

        let orders = [[watch, phone], [phone, watch]].map {
            AdjustmentHistory(schedule: schedule.id, timing: phone.after, adjustments: $0)
        }
        #expect(orders[0] == orders[1])
        #expect(orders[0].superseded == [watch])
        let merged = schedule.replacing(timing: phone.after, earlier: orders[0].earlier)
        let planned = try merged.occurrences(in: range, zones: zones)
        let shown = try merged.occurrences(in: range, zones: zones, logged: taken)
        #expect(shown.count == planned.count)
        #expect(shown.prefix(4).map(\.scheduled) == taken)
    }
}
