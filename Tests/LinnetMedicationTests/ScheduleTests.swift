import LinnetCRDT
import Testing

@testable import LinnetMedication

struct ScheduleTests {
    private let zones: ZoneTable

    init() throws {
        zones = try TestZones.table()
    }

    private func due(
        _ schedule: Schedule, _ from: String, _ until: String
    ) throws -> [String] {
        try schedule.occurrences(in: TestDoses.range(from, until), zones: zones)
            .map(\.scheduled.description)
    }

    @Test func `doses are due at the times of each day, ascending`() throws {
        let schedule = try TestDoses.schedule(["20:00", "08:00"], "Asia/Kathmandu")
        #expect(
            try due(schedule, "2026-11-21T00:00:00Z", "2026-11-23T00:00:00Z") == [
                "2026-11-21T02:15:00.000Z", "2026-11-21T14:15:00.000Z",
                "2026-11-22T02:15:00.000Z", "2026-11-22T14:15:00.000Z",
            ])
    }

    @Test func `a range takes its first instant and leaves its last`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Etc/UTC")
        #expect(
            try due(schedule, "2026-11-21T08:00:00Z", "2026-11-22T08:00:00Z")
                == ["2026-11-21T08:00:00.000Z"])
        #expect(try due(schedule, "2026-11-21T08:00:00Z", "2026-11-21T08:00:00Z") == [])
    }

    @Test func `days of the week, a first day and a last day are those of the zone`() throws {
        let timing = try Timing(
            pattern: Pattern(reading: "00:30"), daysOfWeek: DaysOfWeek([.monday, .thursday]),
            referenceZone: "Pacific/Auckland")
        let schedule = Schedule(
            id: try TestDoses.id("s"), medication: try TestDoses.id("m"), timing: timing,
            startDay: Day("2026-11-23"), endDay: Day("2026-11-30"))
        // 00:30 on a Monday in Auckland is 11:30 on Sunday in UTC.
        #expect(
            try due(schedule, "2026-11-01T00:00:00Z", "2026-12-31T00:00:00Z") == [
                "2026-11-22T11:30:00.000Z", "2026-11-25T11:30:00.000Z",
                "2026-11-29T11:30:00.000Z",
            ])
    }

    @Test func `an interval keeps its pace over a change of the clocks`() throws {
        let timing = try Timing(
            pattern: Pattern(reading: "every 36 h from 2026-03-28T20:00:00.000Z"),
            referenceZone: "Europe/Berlin")
        let schedule = Schedule(
            id: try TestDoses.id("s"), medication: try TestDoses.id("m"), timing: timing,
            endDay: Day("2026-04-01"))
        #expect(
            try due(schedule, "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z") == [
                "2026-03-28T20:00:00.000Z", "2026-03-30T08:00:00.000Z",
                "2026-03-31T20:00:00.000Z",
            ])
    }

    @Test func `doses as needed, and those of a schedule that is off, are never due`() throws {
        let needed = Schedule(
            id: try TestDoses.id("s"), medication: try TestDoses.id("m"),
            timing: try Timing(pattern: .asNeeded, referenceZone: "Etc/UTC"))
        let off = Schedule(
            id: try TestDoses.id("s"), medication: try TestDoses.id("m"),
            timing: try Timing(pattern: Pattern(reading: "08:00"), referenceZone: "Etc/UTC"),
            isActive: false)
        for schedule in [needed, off] {
            #expect(try due(schedule, "2026-11-21T00:00:00Z", "2026-11-28T00:00:00Z") == [])
        }
    }

    @Test func `two doses of a skipped hour stay two, and keep their order`() throws {
        let schedule = try TestDoses.schedule(["02:00", "02:45", "03:00"], "Europe/Berlin")
        #expect(
            try due(schedule, "2026-03-29T00:00:00Z", "2026-03-29T12:00:00Z") == [
                "2026-03-29T01:00:00.000Z", "2026-03-29T01:01:00.000Z",
                "2026-03-29T01:02:00.000Z",
            ])
    }

    @Test func `a dose that a gap moves past midnight stays apart from the next day's`() throws {
        let schedule = try TestDoses.schedule(["00:00", "23:50"], "America/Nuuk")
        for start in ["2026-03-27T12:00:00Z", "2026-03-29T01:00:00Z"] {
            #expect(
                try due(schedule, start, "2026-03-29T12:00:00Z").suffix(2)
                    == ["2026-03-29T01:00:00.000Z", "2026-03-29T01:01:00.000Z"])
        }
    }

    @Test func `a dose at a repeated time happens once`() throws {
        let schedule = try TestDoses.schedule(["02:30"], "Europe/Berlin")
        #expect(
            try due(schedule, "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z") == [
                "2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z",
            ])
    }

    @Test func `a day that does not exist has no dose, and the doses keep their pace`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Pacific/Apia")
        #expect(
            try due(schedule, "2011-12-28T12:00:00Z", "2012-01-01T12:00:00Z") == [
                "2011-12-28T18:00:00.000Z", "2011-12-29T18:00:00.000Z",
                "2011-12-30T18:00:00.000Z", "2011-12-31T18:00:00.000Z",
            ])
    }

    @Test func `past doses stay when the timing changes, and cut ranges give the same`() throws {
        let schedule = try TestDoses.schedule(
            ["09:00"], "Asia/Tokyo", since: "2026-11-22T00:00:00Z",
            earlier: [
                ("2026-11-20T00:00:00Z", "08:00", "Europe/Berlin"),
                ("2026-11-21T12:00:00Z", "08:00,20:00", "Europe/Berlin"),
            ])
        let all = try due(schedule, "2026-11-18T00:00:00Z", "2026-11-24T00:00:00Z")
        #expect(
            all == [
                "2026-11-18T07:00:00.000Z", "2026-11-19T07:00:00.000Z",
                "2026-11-20T07:00:00.000Z", "2026-11-20T19:00:00.000Z",
                "2026-11-21T07:00:00.000Z", "2026-11-22T00:00:00.000Z",
                "2026-11-23T00:00:00.000Z",
            ])
        var pieces: [String] = []
        for hour in 0..<144 {
            let start = try #require(Instant("2026-11-18T00:00:00Z"))
            let from = start.advanced(byMinutes: Int64(hour * 60))
            pieces += try schedule.occurrences(
                in: from..<from.advanced(byMinutes: 60), zones: zones
            ).map(\.scheduled.description)
        }
        #expect(pieces == all)
    }

    @Test func `the identifier of a dose names its schedule and its instant`() throws {
        let schedule = try TestDoses.schedule(["08:00 morning"], "Etc/UTC")
        let range = try TestDoses.range("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z")
        let dose = try #require(try schedule.occurrences(in: range, zones: zones).first)
        #expect(dose.id == "s@2026-11-21T08:00:00.000Z")
        #expect(dose.label == "morning")
    }

    @Test func `too long a range and an unknown zone are refused`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Mars/Olympus")
        let forever = Instant(milliseconds: .min)..<Instant(milliseconds: .max)
        #expect(throws: MedicationError.rangeTooLong) {
            try schedule.occurrences(in: forever, zones: zones)
        }
        #expect(throws: MedicationError.unknownZone("Mars/Olympus")) {
            try due(schedule, "2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z")
        }
    }

    @Test func `doses at the ends of time do not trap`() throws {
        let schedule = try TestDoses.schedule(["08:00"], "Europe/Berlin")
        let interval = Schedule(
            id: schedule.id, medication: schedule.medication,
            timing: try Timing(
                pattern: .interval(hours: 5, anchor: Instant(milliseconds: .min)),
                referenceZone: "Europe/Berlin"))
        for schedule in [schedule, interval] {
            let day: Int64 = 86_400_000
            for range in [Int64.min..<(.min + day), (.max - day)..<Int64.max] {
                let instants =
                    Instant(
                        milliseconds: range.lowerBound)..<Instant(
                        milliseconds: range.upperBound)
                #expect(try schedule.occurrences(in: instants, zones: zones).count < 6)
            }
        }
    }

    @Test(arguments: TestZones.names)
    func `a year of doses is what each day gives alone`(zone: String) throws {
        let rules = try zones.zone(named: zone)
        let schedule = try TestDoses.schedule(["00:05", "02:15", "14:40", "23:50"], zone)
        let range = try TestDoses.range("2026-01-01T00:00:00Z", "2027-01-01T00:00:00Z")
        var expected: [Instant] = []
        for number in -1...366 as ClosedRange<Int64> {
            let day = Day(number: 20_454 + number)
            for time in schedule.timing.times {
                expected.append(
                    try #require(
                        rules.instant(day: day, hour: time.hour, minute: time.minute)))
            }
        }
        #expect(
            try schedule.occurrences(in: range, zones: zones).map(\.scheduled)
                == expected.filter(range.contains))
    }
}
