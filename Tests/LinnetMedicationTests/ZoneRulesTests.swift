import LinnetCRDT
import Testing

@testable import LinnetMedication

struct ZoneRulesTests {
    /// Offsets that `zdump` and Python's `zoneinfo` gave for the same files.
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
    func `offsets are those of the database`(
        zone: String, instant: String, offsetSeconds: Int64, abbreviation: String
    ) throws {
        let rules = try TestZones.rules(zone)
        let instant = try #require(Instant(instant))
        #expect(rules.offsetSeconds(at: instant) == offsetSeconds)
        #expect(rules.abbreviation(at: instant) == abbreviation)
    }
}
