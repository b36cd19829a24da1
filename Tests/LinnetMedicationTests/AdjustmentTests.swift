import LinnetCRDT
import Testing

@testable import LinnetMedication

struct AdjustmentTests {
    private let zones: ZoneTable
    private let now: Instant

    init() throws {
        zones = try TestZones.table()
        now = try #require(Instant("2026-11-20T12:00:00Z"))
    }

    @Test func `an adjustment is read as it was written`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let adjustment = try Adjustment.editing(
            schedule, to: TestDoses.timing(["09:00"], "Asia/Tokyo"), id: TestDoses.id("2026-11/a"),
            at: now, zones: zones)
        #expect(
            adjustment.beforeText
                == "times=08:00;zone=Europe/Berlin;until=2026-11-20T12:00:00.000Z")
        #expect(
            adjustment.afterText
                == "times=09:00;zone=Asia/Tokyo;since=2026-11-21T00:00:00.000Z;"
                + "adjustment=2026-11/a;decided=Asia/Tokyo")
        let read = try Adjustment(
            id: adjustment.id, schedule: schedule.id, zoneChange: nil, strategy: "edited",
            beforeText: adjustment.beforeText, afterText: adjustment.afterText, at: now)
        #expect(read == adjustment)
        #expect(throws: MedicationError.badTiming) {
            try Adjustment(
                id: adjustment.id, schedule: schedule.id, zoneChange: nil, strategy: "edited",
                beforeText: adjustment.afterText, afterText: adjustment.afterText, at: now)
        }
    }

    @Test(arguments: [
        // Moved to later and earlier times, before and after today's dose (07:00Z).
        ("2026-11-20T05:00:00Z", "09:00", "2026-11-20T08:00:00Z"),
        ("2026-11-20T07:30:00Z", "09:00", "2026-11-21T08:00:00Z"),
        ("2026-11-20T05:00:00Z", "06:30", "2026-11-20T05:30:00Z"),
        ("2026-11-20T06:00:00Z", "06:30", "2026-11-20T07:00:00Z"),
        ("2026-11-20T07:30:00Z", "06:30", "2026-11-21T05:30:00Z"),
        // More often: today's next time counts at once.
        ("2026-11-20T07:30:00Z", "08:00,14:00,20:00", "2026-11-20T13:00:00Z"),
    ])
    func `edited times neither lose the next dose nor double it`(
        at: String, times: String, next: String
    ) throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let instant = try #require(Instant(at))
        let adjustment = try Adjustment.editing(
            schedule, to: TestDoses.timing([times], "Europe/Berlin"), id: TestDoses.id("a"),
            at: instant, zones: zones)
        let edited = schedule.replacing(timing: adjustment.after, earlier: [adjustment.before])
        let found = try edited.occurrences(
            in: instant..<instant.advanced(byMinutes: 2_880), zones: zones)
        #expect(found.first?.scheduled == Instant(next))
    }

    @Test func `to and from doses as needed nothing is handed over`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let needed = try Timing(pattern: .asNeeded, referenceZone: "Europe/Berlin")
        let off = try Adjustment.editing(
            schedule, to: needed, id: TestDoses.id("a"), at: now, zones: zones)
        #expect(off.before.until == now)
        let back = try Adjustment.editing(
            schedule.replacing(timing: off.after, earlier: [off.before]), to: schedule.timing,
            id: TestDoses.id("b"), at: now.advanced(byMinutes: 60), zones: zones)
        #expect(back.after.since == now.advanced(byMinutes: 60))
    }

    @Test func `of two concurrent decisions one wins everywhere and the other is superseded`()
        throws
    {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let first = try Adjustment.editing(
            schedule, to: TestDoses.timing(["09:00"], "Asia/Tokyo"), id: TestDoses.id("a"),
            at: now, zones: zones)
        let second = try Adjustment.editing(
            schedule, to: TestDoses.timing(["10:00"], "Asia/Tokyo"), id: TestDoses.id("b"),
            at: now, zones: zones)
        let after = schedule.replacing(timing: second.after, earlier: [second.before])
        let third = try Adjustment.editing(
            after, to: TestDoses.timing(["11:00"], "Asia/Tokyo"), id: TestDoses.id("c"),
            at: now.advanced(byMinutes: 2_880), zones: zones)
        for order in [[first, second, third], [third, second, first]] {
            let history = AdjustmentHistory(
                schedule: schedule.id, timing: third.after, adjustments: order)
            #expect(history.earlier == [second.before, third.before])
            #expect(history.superseded == [first])
            #expect(history.isComplete)
        }
        let partial = AdjustmentHistory(
            schedule: schedule.id, timing: third.after, adjustments: [third])
        #expect(!partial.isComplete)
        #expect(partial.earlier == [third.before])
    }

    @Test func `adjustments that name each other in a circle come to an end`() throws {
        let one = try Timing(
            pattern: .asNeeded, referenceZone: "Etc/UTC", adjustment: TestDoses.id("a"))
        let adjustment = Adjustment(
            id: try TestDoses.id("a"), schedule: try TestDoses.id("s"), zoneChange: nil,
            strategy: "edited", before: .init(until: now, timing: one), after: one,
            zone: "Etc/UTC", at: now)
        let history = AdjustmentHistory(
            schedule: try TestDoses.id("s"), timing: one, adjustments: [adjustment])
        #expect(history.earlier.count == 1)
        #expect(!history.isComplete)
    }
}
