import LinnetCRDT
import Testing

@testable import LinnetMedication

@Suite struct ReminderPlanTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house(_ timing: TimingDraft = TimingDraft("08:00", "20:00")) throws -> Household {
        var house = try Household()
        try house.commit(
            house.planner(at: "2026-01-09T21:00:00Z", intent: "m").add(
                MedicationDraft("Metformin"), timing: timing))
        return house
    }

    private func plan(
        _ house: Household, at now: String, limit: Int = 64, before: Int64 = 5
    ) throws -> ReminderPlan {
        try house.books[0].reminders(
            now: time(now), zones: house.zones, limit: limit, minutesBefore: before)
    }

    private func said(_ reminders: some Sequence<Reminder>) -> [String] {
        reminders.map { $0.kind.rawValue + " " + $0.fire.description.prefix(16) }
    }

    @Test func `each dose has one reminder before it and one when it is missed`() throws {
        let plan = try plan(house(), at: "2026-01-09T22:00:00Z")
        #expect(plan.reminders.count == 28)
        #expect(
            said(plan.reminders.prefix(4)) == [
                "upcoming 2026-01-10T06:55", "missed 2026-01-10T07:15",
                "upcoming 2026-01-10T18:55", "missed 2026-01-10T19:15",
            ])
        let early = try self.plan(house(), at: "2026-01-09T22:00:00Z", before: 30)
        #expect(early.reminders.first?.fire == (try time("2026-01-10T06:30:00Z")))
        #expect(Set(plan.reminders.map(\.id)).count == 28)
    }

    @Test func `taken and skipped doses need none, put off ones another`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-10T07:01:00Z", intent: "a").snooze(id))
        #expect(
            said(try plan(house, at: "2026-01-10T07:02:00Z").reminders.prefix(2))
                == ["snoozed 2026-01-10T07:11", "missed 2026-01-10T07:26"])
        try house.commit(house.planner(at: "2026-01-10T07:03:00Z", intent: "b").take(id))
        #expect(
            said(try plan(house, at: "2026-01-10T07:04:00Z").reminders.prefix(1))
                == ["upcoming 2026-01-10T18:55"])
        try house.commit(house.planner(at: "2026-01-10T18:56:00Z", intent: "c").skip(id))
        #expect(
            said(try plan(house, at: "2026-01-10T18:57:00Z").reminders.prefix(1))
                == ["upcoming 2026-01-11T06:55"])
        try house.commit(house.planner(at: "2026-01-10T18:58:00Z", intent: "d").undo(id))
        #expect(
            said(try plan(house, at: "2026-01-10T18:59:00Z").reminders.prefix(1))
                == ["upcoming 2026-01-10T18:55"])
    }

    @Test func `a plan has the soonest that a phone keeps, and tells what is due now`() throws {
        var timing = TimingDraft()
        timing.interval = (hours: 1, anchor: try time("2026-01-09T21:30:00Z"))
        let house = try house(timing)
        let all = try plan(house, at: "2026-01-09T22:00:00Z", limit: 10_000)
        let cut = try plan(house, at: "2026-01-09T22:00:00Z")
        #expect(all.reminders.count == 336 && cut.reminders.count == 64)
        #expect(cut.reminders == Array(all.reminders.prefix(64)))
        #expect(try plan(house, at: "2026-01-09T22:00:00Z", limit: -1).reminders.isEmpty)
        let now = try time("2026-01-09T22:26:00Z")
        #expect(
            said(try plan(house, at: "2026-01-09T22:26:00Z").due(at: now)) == [
                "upcoming 2026-01-09T22:25"
            ])
        #expect(
            said(
                try plan(house, at: "2026-01-09T22:46:00Z").due(
                    at: try time("2026-01-09T22:46:00Z"))) == [
                    "missed 2026-01-09T22:45"
                ])
    }

    @Test func `a missed dose is not put off`() throws {
        let plan = try plan(house(), at: "2026-01-09T22:00:00Z")
        #expect(plan.reminders[0].actions == [.take, .skip, .snooze, .open])
        #expect(plan.reminders[1].actions == [.take, .skip, .open])
    }
}
