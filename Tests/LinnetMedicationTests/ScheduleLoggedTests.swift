import LinnetCRDT
import Testing

@testable import LinnetMedication

struct ScheduleLoggedTests {
    /// A zone that gives up its summer time from one version of its rules to the next.
    private func versions() throws -> (old: ZoneTable, new: ZoneTable) {
        let old = try ZoneRules(
            name: "Test/Land", file: ZoneFile(footer: "TST-1TDT,M3.5.0,M10.5.0/3").bytes)
        let new = try ZoneRules(name: "Test/Land", file: ZoneFile(footer: "TST-1").bytes)
        return (ZoneTable([old]), ZoneTable([new]))
    }

    @Test func `when a zone's rules change future doses move`() throws {
        let (old, new) = try versions()
        let schedule = try TestDoses.schedule(["08:00"], "Test/Land")
        let range = try TestDoses.range("2026-07-01T00:00:00Z", "2026-07-02T00:00:00Z")
        #expect(
            try schedule.occurrences(in: range, zones: old).map(\.id)
                == ["s@2026-07-01T06:00:00.000Z"])
        #expect(
            try schedule.occurrences(in: range, zones: new).map(\.id)
                == ["s@2026-07-01T07:00:00.000Z"])
    }

    @Test func `what was logged under the old rules stands for the same dose`() throws {
        let (old, new) = try versions()
        let schedule = try TestDoses.schedule(["08:00", "20:00"], "Test/Land")
        let range = try TestDoses.range("2026-07-01T00:00:00Z", "2026-07-04T00:00:00Z")
        let before = try schedule.occurrences(in: range, zones: old)
        let logged = before.prefix(4).map(\.scheduled)
        let after = try schedule.occurrences(in: range, zones: new, logged: Array(logged))
        #expect(after.count == before.count)
        #expect(after.prefix(4).map(\.id) == before.prefix(4).map(\.id))
        #expect(
            after.dropFirst(4).map(\.id)
                == ["s@2026-07-03T07:00:00.000Z", "s@2026-07-03T19:00:00.000Z"])
    }

    @Test func `one dose logged under both rules is claimed once, and the other stands alone`()
        throws
    {
        let (_, new) = try versions()
        let schedule = try TestDoses.schedule(["08:00"], "Test/Land")
        let range = try TestDoses.range("2026-07-01T00:00:00Z", "2026-07-03T00:00:00Z")
        let logged = ["2026-07-01T06:00:00Z", "2026-07-01T07:00:00Z"].compactMap(Instant.init)
        #expect(
            try schedule.occurrences(in: range, zones: new, logged: logged).map(\.id) == [
                "s@2026-07-01T06:00:00.000Z", "s@2026-07-01T07:00:00.000Z",
                "s@2026-07-02T07:00:00.000Z",
            ])
    }

    @Test func `what was logged far from any dose stands alone`() throws {
        let (_, new) = try versions()
        let timing = try Timing(
            pattern: Pattern(reading: "08:00"), daysOfWeek: DaysOfWeek([.monday]),
            referenceZone: "Test/Land")
        let schedule = Schedule(
            id: try TestDoses.id("s"), medication: try TestDoses.id("m"), timing: timing)
        let range = try TestDoses.range("2026-07-06T00:00:00Z", "2026-07-13T00:00:00Z")
        let logged = try #require(Instant("2026-07-09T07:00:00Z"))
        #expect(
            try schedule.occurrences(in: range, zones: new, logged: [logged, logged]).map(\.id)
                == ["s@2026-07-06T07:00:00.000Z", "s@2026-07-09T07:00:00.000Z"])
    }

    @Test func `ranges cut anywhere give each dose once`() throws {
        let (_, new) = try versions()
        let schedule = try TestDoses.schedule(["08:00", "20:00"], "Test/Land")
        var random = TestRandom(seed: 3)
        let start = try #require(Instant("2026-07-01T00:00:00Z"))
        let logged = (0..<12).map { _ in start.advanced(byMinutes: Int64(random.below(10_000))) }
        let end = start.advanced(byMinutes: 10_000)
        let whole = try schedule.occurrences(in: start..<end, zones: new, logged: logged)
        for _ in 0..<20 {
            let cut = start.advanced(byMinutes: Int64(random.below(10_000)))
            let parts =
                try schedule.occurrences(in: start..<cut, zones: new, logged: logged)
                + schedule.occurrences(in: cut..<end, zones: new, logged: logged)
            #expect(parts == whole)
        }
    }
}
