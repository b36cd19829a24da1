import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Schedules in zones of which this device has no rules.
struct MissingZoneTests {
    @Test func `a schedule in an unknown zone blanks nothing but itself`() throws {
        var home = try Household()
        let now = "2026-11-20T06:00:00Z"
        try home.commit(
            home.planner(at: now, intent: "a").add(
                MedicationDraft("One"), timing: TimingDraft("08:00"), stock: number("10")))
        try home.commit(
            home.planner(at: now, intent: "b").add(
                MedicationDraft("Two"), timing: TimingDraft("09:00"), stock: number("10")))
        var book = home.books[0]
        let id = try #require(RecordID("a"))
        let timing = try Timing(
            pattern: Pattern(reading: "08:00"), referenceZone: "Mars/Olympus",
            since: try time(now))
        guard case .set(let written) = ScheduleRecord.change(to: timing) else { return }
        book.apply(
            RecordView(
                collection: Schema.schedule.id, id: id,
                fields: [
                    FieldValues(1, [.text("a")]), FieldValues(2, written.values.map(\.value)),
                ]))
        let at = try time("2026-11-20T12:00:00Z")
        let zone = try TestZones.rules("Europe/Berlin")
        let lines = try book.lines(
            of: zone.local(at: at).day, now: at, zone: zone, zones: home.zones)
        #expect(lines.map(\.name) == ["Two"])
        #expect(
            book.missingZones(home.zones)
                == [MissingZone(schedule: id, medication: id, zone: "Mars/Olympus")])
        #expect(book.missingZone(for: id, home.zones) == "Mars/Olympus")
        #expect(try book.stock(of: id, now: at, zones: home.zones)?.daysLeft == nil)
        #expect(
            try book.stock(of: #require(RecordID("b")), now: at, zones: home.zones)?.daysLeft == 10)
        #expect(try book.today(now: at, zone: zone, zones: home.zones).progress.due == 1)
        #expect(try book.reminders(now: at, zones: home.zones).reminders.count > 0)
        // Its recorded doses stay in sight.
        let due = try time("2026-11-20T07:00:00Z")
        book.apply(
            DoseEvent(
                id: try #require(RecordID("2026-11/x")), medication: id, schedule: id,
                scheduled: due, kind: .known(.taken), at: due, timeZone: "Etc/UTC"
            ).record)
        #expect(
            try book.lines(of: zone.local(at: at).day, now: at, zone: zone, zones: home.zones)
                .map(\.name) == ["One", "Two"])
    }

    @Test func `a change of zone is proposed for the schedules that can be told`() throws {
        var home = try Household()
        let now = "2026-11-20T06:00:00Z"
        for (intent, name) in [("a", "One"), ("b", "Two")] {
            try home.commit(
                home.planner(at: now, intent: intent).add(
                    MedicationDraft(name), timing: TimingDraft("08:00")))
        }
        let later = "2026-11-21T12:00:00Z"
        let noticed = try home.planner(at: later, zone: "Asia/Tokyo", intent: "n").notice()
        try home.commit(
            MedicationPlan(noticed, medication: try #require(RecordID("a"))))
        let zones = ZoneTable([
            try TestZones.rules("Asia/Tokyo"), try TestZones.rules("Europe/Berlin"),
        ])
        let planner = try MedicationPlanner(
            book: home.books[0], now: time(later), zone: "Asia/Tokyo", zones: zones, intent: "p")
        #expect(try planner.proposals().count == 2)
        let poor = try MedicationPlanner(
            book: home.books[0], now: time(later), zone: "Asia/Tokyo",
            zones: ZoneTable([try TestZones.rules("Asia/Tokyo")]), intent: "p")
        #expect(try poor.proposals().isEmpty)
    }
}
