import LinnetCRDT
import Testing

@testable import LinnetMedication

struct ZoneRulesTests {
    /// What Python's `zoneinfo` gave for the same files.
    @Test(arguments: [
        ("Europe/Dublin", "2026-01-15T12:00:00Z", 0, "GMT"),
        ("Europe/Dublin", "2026-07-15T12:00:00Z", 3_600, "IST"),
        ("Europe/Dublin", "2100-07-15T12:00:00Z", 3_600, "IST"),
        ("Asia/Kathmandu", "2026-07-15T12:00:00Z", 20_700, "+0545"),
        ("Australia/Lord_Howe", "2026-01-15T12:00:00Z", 39_600, "+11"),
        ("Australia/Lord_Howe", "2026-07-15T12:00:00Z", 37_800, "+1030"),
        ("America/Sao_Paulo", "2019-01-15T12:00:00Z", -7_200, "-02"),
        ("America/Sao_Paulo", "2020-01-15T12:00:00Z", -10_800, "-03"),
        ("Africa/Casablanca", "2026-03-01T12:00:00Z", 0, "+00"),
        ("Africa/Casablanca", "2026-04-01T12:00:00Z", 3_600, "+01"),
        ("Pacific/Apia", "2011-12-30T09:59:59Z", -36_000, "-10"),
        ("Pacific/Apia", "2011-12-30T10:00:00Z", 50_400, "+14"),
        ("Europe/Berlin", "1890-01-01T00:00:00Z", 3_208, "LMT"),
    ])
    func `offsets and abbreviations are those of the database`(
        zone: String, text: String, offsetSeconds: Int64, abbreviation: String
    ) throws {
        let rules = try TestZones.rules(zone)
        let instant = try #require(Instant(text))
        #expect(rules.offsetSeconds(at: instant) == offsetSeconds)
        #expect(rules.abbreviation(at: instant) == abbreviation)
    }

    /// A sum over the offsets of two centuries, and the number and sum of the changes of offset
    /// from 1970 to 2060; Python's `zoneinfo` read the same files for them.
    @Test(arguments: [
        ("Africa/Casablanca", 2_112_280_025_794_145_828, 129, 235_062_075_600),
        ("America/Los_Angeles", 706_190_473_795_106_735, 180, 255_780_396_000),
        ("America/New_York", 328_585_854_924_816_164, 180, 255_778_452_000),
        ("America/Nuuk", 532_330_611_794_171_189, 159, 250_865_665_200),
        ("America/Sao_Paulo", 258_886_548_025_234_673, 68, 69_664_500_000),
        ("Asia/Kathmandu", 1_634_776_122_493_309_721, 1, 504_901_800),
        ("Asia/Tokyo", 453_850_608_105_559_457, 0, 0),
        ("Australia/Lord_Howe", 1_586_947_265_026_308_420, 158, 251_829_325_800),
        ("Etc/UTC", 478_179_420_666_744_385, 0, 0),
        ("Europe/Berlin", 585_297_687_149_695_322, 160, 252_564_192_000),
        ("Europe/Dublin", 225_975_459_676_422_711, 177, 255_696_148_800),
        ("Pacific/Apia", 634_331_284_473_981_132, 23, 33_258_222_000),
        ("Pacific/Auckland", 383_306_402_992_065_873, 171, 254_934_756_000),
        ("Pacific/Honolulu", 1_897_737_886_423_137_114, 0, 0),
        ("Pacific/Kiritimati", 1_879_033_792_469_313_616, 2, 1_096_490_400),
    ])
    func `two centuries of offsets agree with another reader`(
        zone: String, sum: UInt64, changes: Int, sumOfChanges: Int64
    ) throws {
        let rules = try TestZones.rules(zone)
        var offsets: UInt128 = 0
        var seconds: Int64 = -2_208_988_800
        while seconds < 4_102_444_800 {
            let offset = rules.offsetSeconds(at: Instant(seconds: seconds))
            offsets = (offsets * 31 + UInt128(offset + 100_000)) % ((1 << 61) - 1)
            seconds += 17 * 86_400 + 3_607
        }
        #expect(offsets == UInt128(sum))

        var found: [Int64] = []
        var span = rules.span(at: 0)
        while span.end < 2_840_140_800 {
            let next = rules.span(at: span.end)
            if next.type.offsetSeconds != span.type.offsetSeconds { found.append(span.end) }
            span = next
        }
        #expect(found.count == changes)
        #expect(found.reduce(0, +) == sumOfChanges)
    }

    @Test func `wall clocks show day, hour, minute and second`() throws {
        let rules = try TestZones.rules("Asia/Kathmandu")
        let local = rules.local(at: try #require(Instant("2026-11-21T18:20:07Z")))
        #expect(local.description == "2026-11-22 00:05")
        #expect(local.second == 7)
        #expect(local.day.weekday == .sunday)
    }

    @Test(arguments: [
        // Skipped: the first valid minute.
        ("Europe/Berlin", "2026-03-29", 2, 30, "2026-03-29T01:00:00Z"),
        ("Europe/Dublin", "2026-03-29", 1, 30, "2026-03-29T01:00:00Z"),
        ("Australia/Lord_Howe", "2026-10-04", 2, 15, "2026-10-03T15:30:00Z"),
        ("America/Sao_Paulo", "2018-11-04", 0, 30, "2018-11-04T03:00:00Z"),
        ("Africa/Casablanca", "2026-03-22", 2, 30, "2026-03-22T02:00:00Z"),
        // The hour before midnight of Saturday: the first valid minute is on Sunday.
        ("America/Nuuk", "2026-03-28", 23, 30, "2026-03-29T01:00:00Z"),
        // Repeated: once, at the first.
        ("Europe/Berlin", "2026-10-25", 2, 30, "2026-10-25T00:30:00Z"),
        ("Europe/Dublin", "2026-10-25", 1, 30, "2026-10-25T00:30:00Z"),
        ("Australia/Lord_Howe", "2026-04-05", 1, 45, "2026-04-04T14:45:00Z"),
        ("Africa/Casablanca", "2026-02-15", 2, 30, "2026-02-15T01:30:00Z"),
        // Abolished: no gap any more.
        ("America/Sao_Paulo", "2026-11-01", 0, 30, "2026-11-01T03:30:00Z"),
        // Around the day that Samoa left out.
        ("Pacific/Apia", "2011-12-29", 8, 0, "2011-12-29T18:00:00Z"),
        ("Pacific/Apia", "2011-12-31", 8, 0, "2011-12-30T18:00:00Z"),
        // After the last transition of the file.
        ("Europe/Berlin", "2300-07-01", 8, 0, "2300-07-01T06:00:00Z"),
        ("Pacific/Auckland", "2300-01-01", 8, 0, "2299-12-31T19:00:00Z"),
    ])
    func `a time of a day becomes the instant that the rules give`(
        zone: String, day: String, hour: Int, minute: Int, text: String
    ) throws {
        let rules = try TestZones.rules(zone)
        let instant = try #require(Instant(text))
        #expect(
            rules.instant(day: try #require(Day(day)), hour: hour, minute: minute) == instant)
    }

    @Test(arguments: [0, 8, 23])
    func `a day that a zone leaves out has no instants`(hour: Int) throws {
        let rules = try TestZones.rules("Pacific/Apia")
        let day = try #require(Day("2011-12-30"))
        #expect(rules.instant(day: day, hour: hour, minute: 0) == nil)
    }

    @Test func `any instant has a local time`() throws {
        for zone in ["Europe/Berlin", "Pacific/Apia", "Etc/UTC"] {
            let rules = try TestZones.rules(zone)
            let first = rules.local(at: Instant(milliseconds: .min))
            #expect(first.day.number == Int64(Int32.min))
            let last = Day(number: .max)
            #expect(rules.instant(day: last, hour: 23, minute: 59) != nil)
            #expect(rules.local(at: Instant(milliseconds: .max)).day == last)
        }
    }

    @Test(arguments: TestZones.names)
    func `instants are those of a walk through the minutes`(zone: String) throws {
        let rules = try TestZones.rules(zone)
        var random = TestRandom(seed: 7)
        let changes = TestZones.changes(of: rules, from: 0, until: 2_000_000_000)
        for round in 0..<12 {
            let near = changes.isEmpty ? 0 : changes[random.below(changes.count)]
            let around = round < 8 ? near : Int64(random.below(2_000_000_000))
            let day = rules.local(at: Instant(seconds: around)).day
                .advanced(byDays: Int64(random.below(3) - 1))
            let hour = random.below(24)
            let minute = random.below(60)
            #expect(
                rules.instant(day: day, hour: hour, minute: minute)
                    == MinuteWalk(rules: rules).instant(day: day, hour: hour, minute: minute),
                "\(zone) \(day) \(hour):\(minute)")
        }
    }
}

/// The obvious way to find instants: look at the clock each minute.
private struct MinuteWalk {
    let rules: ZoneRules

    func instant(day: Day, hour: Int, minute: Int) -> Instant? {
        let noon = Instant(seconds: day.number * 86_400 + 43_200)
        var minutes: [(instant: Instant, local: LocalTime)] = []
        for minute in -45 * 60..<45 * 60 {
            let instant = noon.advanced(byMinutes: Int64(minute))
            minutes.append((instant, rules.local(at: instant)))
        }
        guard minutes.contains(where: { $0.local.day == day }) else { return nil }
        return minutes.first {
            ($0.local.day, $0.local.hour, $0.local.minute) >= (day, hour, minute)
        }?.instant
    }
}
