import Testing

@testable import LinnetMedication

struct ZoneChangeTests {
    @Test func `a device notices that its zone is another one`() throws {
        let news = ZoneChange.noticed(
            known: "Europe/Berlin", current: "Asia/Tokyo", schedules: ["Europe/Berlin"])
        #expect(news?.from == "Europe/Berlin")
        #expect(news?.detection == .system)
        #expect(
            ZoneChange.noticed(known: "Asia/Tokyo", current: "Asia/Tokyo", schedules: []) == nil)
    }

    @Test func `a device first started elsewhere says so, one at home does not`() throws {
        let news = ZoneChange.noticed(
            known: nil, current: "Asia/Tokyo", schedules: ["Europe/Berlin", "Europe/Dublin"])
        #expect(news?.from == "Europe/Berlin")
        #expect(news?.detection == .firstStart)
        #expect(
            ZoneChange.noticed(
                known: nil, current: "Europe/Dublin", schedules: ["Europe/Berlin", "Europe/Dublin"])
                == nil)
        #expect(ZoneChange.noticed(known: nil, current: "Asia/Tokyo", schedules: []) == nil)
    }

    @Test func `the last change counts, whatever the order of arrival`() throws {
        let changes = try [("b", 5), ("a", 9), ("c", 9), ("d", 1)].map { name, at in
            ZoneChange(
                id: try TestDoses.id(name), from: "A", to: name, at: Instant(seconds: at))
        }
        #expect(ZoneChange.latest(changes)?.to == "c")
        #expect(ZoneChange.latest(changes.reversed())?.to == "c")
        #expect(ZoneChange.latest([]) == nil)
    }
}
