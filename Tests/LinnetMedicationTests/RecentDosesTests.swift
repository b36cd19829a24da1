import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Doses that lie too close together, and more of them than are allowed.
@Suite struct RecentDosesTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house(
        _ timing: TimingDraft = TimingDraft(),
        _ change: (inout MedicationDraft) throws -> Void = { _ in }
    ) throws -> Household {
        var house = try Household()
        var (draft, timing) = (MedicationDraft("Metformin"), timing)
        timing.referenceZone = timing.isEmpty ? nil : "Etc/UTC"
        try change(&draft)
        try house.commit(
            house.planner(at: "2026-01-01T00:00:00Z", intent: "m").add(draft, timing: timing))
        return house
    }

    private func take(
        _ house: inout Household, _ at: String, dose: String? = nil, isAdditional: Bool = false,
        zone: String = "Europe/Berlin"
    ) throws {
        var note = DoseNote()
        note.scheduled = try dose.map { try time($0 + ":00Z") }
        note.isAdditional = isAdditional
        let planner = try house.planner(at: at + ":00Z", zone: zone, intent: "t" + at)
        try house.commit(planner.take(id, note))
    }

    /// Each alert about doses, with the instants that it lists.
    private func alerts(_ house: Household, _ now: String) throws -> [String] {
        let alerts = try house.books[0].alerts(
            now: time(now + ":00Z"), zone: TestZones.rules("Europe/Berlin"), zones: house.zones)
        return alerts.compactMap { alert in
            switch alert {
            case .possibleDoubleDose(_, let doses), .aboveMaximum(_, _, let doses):
                ([alert.word] + doses.map { String($0.at.description.prefix(16).suffix(11)) })
                    .joined(separator: " ")
            default: nil
            }
        }
    }

    @Test func `yesterday's dose beside today's is told, and only the close pair is listed`() throws
    {
        var house = try house(TimingDraft("08:00", "20:00"))
        try take(&house, "2026-01-10T08:00")
        // The evening's dose, taken the next morning together with the morning's.
        try take(&house, "2026-01-11T07:58", dose: "2026-01-10T20:00")
        try take(&house, "2026-01-11T08:00")
        #expect(
            try alerts(house, "2026-01-11T08:01") == [
                "possibleDoubleDose 01-11T07:58 01-11T08:00"
            ])
        #expect(try alerts(house, "2026-01-12T08:01") == [])
    }

    @Test(arguments: [("13:59", true), ("14:00", false)])
    func `half the gap of the plan is the bound`(clock: String, isClose: Bool) throws {
        var house = try house(TimingDraft("08:00", "20:00"))
        try take(&house, "2026-01-10T08:00")
        try take(&house, "2026-01-10T" + clock, dose: "2026-01-10T20:00")
        #expect(try alerts(house, "2026-01-10T15:00").isEmpty == !isClose)
    }

    @Test func `a weekly dose twice within days is told`() throws {
        var timing = TimingDraft("08:00")
        timing.daysOfWeek = DaysOfWeek([.monday])
        var house = try house(timing)
        try take(&house, "2026-01-12T08:00")
        try take(&house, "2026-01-15T08:00", isAdditional: true)
        #expect(
            try alerts(house, "2026-01-15T09:00") == [
                "possibleDoubleDose 01-12T08:00 01-15T08:00"
            ])
    }

    @Test func `times of two schedules make one plan, and an earlier timing its own time`() throws {
        var house = try house(TimingDraft("08:00"))
        let planner = try house.planner(at: "2026-01-09T12:00:00Z", intent: "s")
        var second = TimingDraft("14:00")
        second.referenceZone = "Etc/UTC"
        try house.commit(
            MedicationPlan(
                [
                    try planner.newSchedule(
                        planner.intent, of: id, try planner.newTiming(second, over: nil))
                ], medication: id))
        #expect(
            house.books[0].closestMilliseconds(of: id, at: try time("2026-01-10T00:00:00Z"))
                == 3 * 3_600_000)
        var other = try self.house(TimingDraft("08:00"))
        try other.commit(
            other.planner(at: "2026-01-05T12:00:00Z", intent: "e").edit(
                id, MedicationDraft(), timing: TimingDraft("08:00", "12:00")))
        let half = { (at: String) in
            other.books[0].closestMilliseconds(of: id, at: try time(at)) / 3_600_000
        }
        #expect(try half("2026-01-04T00:00:00Z") == 12 && half("2026-01-10T00:00:00Z") == 2)
    }

    @Test func `what is prescribed by hours without a schedule has that gap`() throws {
        // Earlier versions took such a medication without times.
        var house = try house { $0.frequency = .set(.asNeeded) }
        let write = Write(
            Schema.medication.id, id, [.set(FieldWrite(11, .text("every 8 hours")))])
        try house.commit(MedicationPlan([write], medication: id))
        try take(&house, "2026-01-10T08:00")
        try take(&house, "2026-01-10T11:59")
        #expect(try alerts(house, "2026-01-10T12:00").count == 1)
    }

    @Test func `the maximum counts any 24 hours, across midnight and flights`() throws {
        var house = try house {
            $0.frequency = .set(.asNeeded)
            $0.maximumPerDay = .set(3)
        }
        let places = [
            ("2026-01-10T08:00", "Europe/Berlin"), ("2026-01-10T14:00", "Europe/Berlin"),
            ("2026-01-10T22:00", "America/New_York"), ("2026-01-11T08:00", "Asia/Tokyo"),
        ]
        for (at, zone) in places { try take(&house, at, zone: zone) }
        #expect(try alerts(house, "2026-01-11T08:01") == [])
        try take(&house, "2026-01-11T13:59", zone: "Asia/Tokyo")
        #expect(
            try alerts(house, "2026-01-11T14:00") == [
                "aboveMaximum 01-10T14:00 01-10T22:00 01-11T08:00 01-11T13:59"
            ])
        // It is told for a day, and a dose that is taken back does not count.
        #expect(try alerts(house, "2026-01-12T13:59").count == 1)
        #expect(try alerts(house, "2026-01-12T14:00") == [])
        try house.commit(house.planner(at: "2026-01-11T14:01:00Z", intent: "u").undo(id))
        #expect(try alerts(house, "2026-01-11T14:02") == [])
    }

    @Test func `a maximum is above zero, is read back and is cleared`() throws {
        #expect(throws: MedicationError.invalid(.maximumPerDay, .positive)) {
            try self.house { $0.maximumPerDay = .set(0) }
        }
        var house = try self.house { $0.maximumPerDay = .set(4) }
        #expect(house.books[0].medications[id]?.maximumPerDay == 4)
        var draft = MedicationDraft()
        draft.maximumPerDay = .cleared
        try house.commit(house.planner(at: "2026-01-02T00:00:00Z", intent: "e").edit(id, draft))
        #expect(house.books[0].medications[id]?.maximumPerDay == nil)
    }
}
