import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// Decisions that two devices made apart.
struct DisputeTests {
    private let start = "2026-11-20T06:00:00Z"
    private let landed = "2026-11-20T18:00:00Z"

    /// Two devices, a medicine, a flight that both know of, and two decisions made apart.
    private func apart() throws -> Household {
        var home = try Household(devices: 3)
        try home.commit(
            home.planner(at: start, intent: "a").add(
                MedicationDraft("One"), timing: TimingDraft("08:00", "20:00")))
        home.meet()
        let id = try #require(RecordID("a"))
        let noticed = try planner(home, 0, landed, "n").notice()
        try home.commit(MedicationPlan(noticed, medication: id))
        home.meet()
        for (device, strategy) in [
            (0, TravelStrategy.usualGradualShift), (1, .keepLocalTime),
        ] {
            let writes = try planner(home, device, landed, "d\(device)").confirm(strategy)
            #expect(writes.count == 2)
            try home.commit(MedicationPlan(writes, medication: id), on: device)
        }
        home.meet()
        return home
    }

    private func planner(
        _ home: Household, _ device: Int, _ now: String, _ intent: String
    ) throws -> MedicationPlanner {
        try home.planner(device, at: now, zone: "America/New_York", intent: intent)
    }

    private func due(_ home: Household, _ device: Int) throws -> [Instant] {
        let schedule = try #require(home.books[device].schedules.first?.value)
        let range = try TestDoses.range(landed, "2026-12-05T00:00:00Z")
        return try schedule.occurrences(in: range, zones: home.zones).map(\.scheduled)
    }

    @Test func `both strategies are shown on every device until somebody confirms`() throws {
        var home = try apart()
        for book in home.books {
            let dispute = try #require(book.disputes.first)
            #expect(dispute.counts?.strategy == "keepLocalTime")
            #expect(dispute.counts?.device == "device 1")
            #expect(dispute.superseded.map(\.strategy) == ["gradualShift"])
            #expect(dispute.superseded.map(\.device) == ["device 0"])
        }
        let before = try due(home, 2)
        let writes = try planner(home, 2, "2026-11-20T19:00:00Z", "c").confirm(.keepLocalTime)
        #expect(writes.count == 2)
        try home.commit(
            MedicationPlan(writes, medication: try #require(RecordID("a"))), on: 2)
        #expect(home.books[0].disputes.count == 1)
        home.meet()
        for device in 0..<3 {
            #expect(home.books[device].disputes.isEmpty)
            #expect(try due(home, device) == before)
            #expect(
                home.books[device].histories.first?.value.superseded.map(\.strategy)
                    == ["gradualShift"])
        }
        #expect(try planner(home, 0, "2026-11-20T20:00:00Z", "e").confirm(.keepHomeTime).isEmpty)
    }

    @Test func `who confirms the decision that lost gets its doses`() throws {
        var home = try apart()
        let lost = try #require(home.books[0].disputes.first?.superseded.first)
        let writes = try planner(home, 0, "2026-11-20T19:00:00Z", "c").confirm(.usualGradualShift)
        try home.commit(MedicationPlan(writes, medication: try #require(RecordID("a"))))
        home.meet()
        let timing = try #require(home.books[1].schedules.first?.value.timing)
        #expect(timing.shift == lost.after.shift && timing.shift != nil)
        #expect(home.books[1].disputes.isEmpty)
        let gaps = zip(try due(home, 1), try due(home, 1).dropFirst()).map {
            $1.milliseconds(since: $0) / 3_600_000
        }
        #expect(gaps.allSatisfy { (6...18).contains($0) })
    }

    @Test func `a third strategy settles the matter too, and editing the times does`() throws {
        var home = try apart()
        var other = home
        let id = try #require(RecordID("a"))
        let writes = try planner(home, 0, "2026-11-20T19:00:00Z", "c").confirm(
            .custom([DoseTime(hour: 9, minute: 0), DoseTime(hour: 21, minute: 0)]))
        try home.commit(MedicationPlan(writes, medication: id))
        #expect(home.books[0].disputes.isEmpty)
        try other.commit(
            planner(other, 0, "2026-11-20T19:00:00Z", "c").edit(
                id, MedicationDraft(), timing: TimingDraft("08:00", "20:00")))
        #expect(other.books[0].disputes.isEmpty)
    }

    @Test func `a decision made twice in the same way is confirmed by one of them`() throws {
        var home = try Household(devices: 2)
        try home.commit(
            home.planner(at: start, intent: "a").add(
                MedicationDraft("One"), timing: TimingDraft("08:00", "20:00")))
        home.meet()
        let id = try #require(RecordID("a"))
        try home.commit(
            MedicationPlan(try planner(home, 0, landed, "n").notice(), medication: id))
        home.meet()
        for device in 0..<2 {
            let writes = try planner(home, device, landed, "d\(device)").confirm(.keepLocalTime)
            try home.commit(MedicationPlan(writes, medication: id), on: device)
        }
        home.meet()
        #expect(home.books[0].disputes.isEmpty && home.books[1].disputes.isEmpty)
        #expect(home.books[0].histories.first?.value.superseded.count == 1)
    }
}

/// Shifts of which no dose moves faster than its person asked for.
struct ShiftStepTests {
    @Test(arguments: [
        ("Europe/Berlin", "America/New_York"), ("Europe/Berlin", "Asia/Tokyo"),
        ("Pacific/Auckland", "Pacific/Honolulu"), ("Asia/Kathmandu", "Europe/Berlin"),
    ])
    func `no dose moves by more than a step a day, at whatever hour it is decided`(
        from: String, to: String
    ) throws {
        let zones = try TestZones.table()
        for times in [["08:00"], ["08:00", "20:00"], ["06:00", "14:00", "22:00"]] {
            let schedule = try TestDoses.schedule(times, from)
            for quarter: Int64 in 0..<96 {
                let now = try time("2026-11-20T00:10:00Z").advanced(byMinutes: quarter * 15)
                let change = ZoneChange(id: try TestDoses.id("z"), from: from, to: to, at: now)
                let proposal = try #require(
                    try Proposal(
                        schedule: schedule, change: change, decidedZone: nil, now: now,
                        zones: zones, days: 30))
                let option = try #require(try proposal.option(.gradualShift(minutesPerDay: 45)))
                let before = try schedule.occurrences(
                    in: now.advanced(byMinutes: -2 * 1_440)..<now, zones: zones)
                let due = (before + option.doses.map(\.occurrence)).map(\.scheduled)
                for (dose, next) in zip(due, due.dropFirst(times.count)) {
                    let moved = next.milliseconds(since: dose) / 60_000 - 1_440
                    #expect(abs(moved) <= 45, "decided at \(now): \(dose) to \(next)")
                }
                let last = try #require(option.doses.last)
                let clock = LocalTime.text(hour: last.here.hour, minute: last.here.minute)
                #expect(times.contains(clock), "decided at \(now)")
            }
        }
    }
}
