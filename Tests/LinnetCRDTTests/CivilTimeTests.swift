import LinnetCRDT
import Testing

@Suite struct CivilTimeTests {
    @Test(arguments: [
        ("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2000-03-01", 11_017),
        ("2026-11-21", 20_778), ("0000-03-01", -719_468), ("9999-12-31", 2_932_896),
        ("+10000-01-01", 2_932_897), ("-0001-12-31", -719_529), ("1900-03-01", -25_508),
    ])
    func `dates and day counts are each other's inverse`(text: String, days: Int64) {
        #expect(CivilTime.parseDate(text) == days)
        #expect(CivilTime.dateText(days: days) == text)
    }

    @Test func `every day of eight centuries follows the one before it`() {
        var (year, month, day): (Int64, Int64, Int64) = (1_600, 1, 1)
        let lengths: [Int64] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        let start = CivilTime.days(year: 1_600, month: 1, day: 1)
        for days in start..<start + 292_194 {
            #expect(CivilTime.civil(days: days) == (year, month, day))
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let length = lengths[Int(month) - 1] + (month == 2 && isLeap ? 1 : 0)
            day = day % length + 1
            if day == 1 { month = month % 12 + 1 }
            if day == 1 && month == 1 { year += 1 }
        }
        #expect(year == 2_400 && month == 1 && day == 1)
    }

    @Test(arguments: [
        "", "2026", "2026-11", "2026-11-31", "2026-02-29", "1900-02-29", "2026-13-01",
        "2026-00-01", "2026-01-00", "26-01-01", "2026-1-1", "+2026-01-01", "-0000-01-01",
        "+02026-01-01", "2026-01-01 ", " 2026-01-01", "2026-01-01T", "2026/01/01", "20260101",
        "２０２６-01-01",
    ])
    func `a text that is no date is refused`(text: String) {
        #expect(CivilTime.parseDate(text) == nil)
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00.000Z", 0), ("2026-11-21T10:00:00.000Z", 1_795_255_200_000),
        ("1969-12-31T23:59:59.999Z", -1), ("0000-01-01T00:00:00.000Z", -62_167_219_200_000),
    ])
    func `instants and milliseconds are each other's inverse`(text: String, milliseconds: Int64) {
        #expect(CivilTime.parseInstant(text) == milliseconds)
        #expect(CivilTime.instantText(milliseconds: milliseconds) == text)
    }

    @Test func `a fraction has up to three digits or is left out`() {
        #expect(CivilTime.parseInstant("1970-01-01T00:00:01Z") == 1_000)
        #expect(CivilTime.parseInstant("1970-01-01T00:00:01.5Z") == 1_500)
        #expect(CivilTime.parseInstant("1970-01-01T00:00:01.05Z") == 1_050)
        #expect(CivilTime.parseInstant("1970-01-01T00:00:01.005Z") == 1_005)
    }

    @Test(arguments: [
        "", "1970-01-01", "1970-01-01T00:00:00", "1970-01-01T24:00:00Z", "1970-01-01T00:60:00Z",
        "1970-01-01T00:00:60Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00.0000Z",
        "1970-01-01 00:00:00Z", "1970-01-01T00:00:00z", "1970-01-01T00:00:00+00:00",
        "1970-01-01T0:00:00Z", "1970-01-01T00:00:00ZZ", "+999999999-12-31T00:00:00Z",
        "-999999999-12-31T00:00:00Z", "1970-02-30T00:00:00Z",
    ])
    func `a text that is no instant is refused`(text: String) {
        #expect(CivilTime.parseInstant(text) == nil)
    }

    @Test(arguments: [Int64.min, .min + 1, -1, 0, 1, .max - 1, .max])
    func `the first and the last instant have a text too`(milliseconds: Int64) {
        let text = CivilTime.instantText(milliseconds: milliseconds)
        #expect(CivilTime.parseInstant(text) == milliseconds)
    }

    @Test func `the furthest days have a text`() {
        #expect(CivilTime.dateText(days: .max).hasPrefix("+"))
        #expect(CivilTime.dateText(days: .min).hasPrefix("-"))
    }
}
