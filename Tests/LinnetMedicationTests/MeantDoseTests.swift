import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Which dose a tap means: the one in front of the person, or a question.
@Suite struct MeantDoseTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house(_ times: String..., devices: Int = 1) throws -> Household {
        var house = try Household(devices: devices)
        var timing = TimingDraft()
        timing.times = times.map { text in
            let parts = text.split(separator: ":").compactMap { Int($0) }
            return (hour: parts[0], minute: parts[1], label: "")
        }
        timing.referenceZone = "Etc/UTC"
        try house.commit(
            house.planner(at: "2026-01-01T00:00:00Z", intent: "m").add(
                MedicationDraft("Metformin"), timing: timing, stock: number("30")))
        house.meet()
        return house
    }

    private func tap(
        _ house: inout Household, _ at: String, _ intent: String, on device: Int = 0,
        dose: String? = nil
    ) throws -> MedicationPlan {
        var note = DoseNote()
        note.scheduled = try dose.map { try time($0) }
        let plan = try house.planner(device, at: at, intent: intent).take(id, note)
        try house.commit(plan, on: device)
        return plan
    }

    /// The dose that a tap takes, or what stands in its way and the nearest dose.
    private func meant(_ house: Household, _ at: String) throws -> String {
        do throws(MedicationError) {
            let plan = try planner(house, at).take(id)
            return plan.dose?.stockKey ?? ""
        } catch {
            guard case .unclearDose(let unclear) = error else { throw error }
            let nearest = unclear.nearest.map { String($0.scheduled.description.prefix(16)) }
            return unclear.reason.rawValue + " " + (nearest ?? "-")
        }
    }

    private func planner(
        _ house: Household, _ at: String
    ) throws(MedicationError) -> MedicationPlanner {
        do {
            return try house.planner(at: at, intent: "x")
        } catch let error as MedicationError {
            throw error
        } catch {
            throw .rangeTooLong
        }
    }

    @Test(arguments: [
        ("2026-01-10T07:00", "m@2026-01-10T08:00:00.000Z"),
        ("2026-01-10T09:00", "m@2026-01-10T08:00:00.000Z"),
        ("2026-01-10T06:59", "early 2026-01-10T08:00"),
        ("2026-01-10T09:01", "late 2026-01-10T08:00"),
        ("2026-01-10T14:01", "early 2026-01-10T20:00"),
        ("2026-01-10T23:30", "late 2026-01-10T20:00"),
        ("2026-01-11T03:00", "early 2026-01-11T08:00"),
    ])
    func `a plain tap means the nearest dose, an hour early or late at most`(
        at: String, dose: String
    ) throws {
        #expect(try meant(house("08:00", "20:00"), at + ":00Z") == dose)
    }

    @Test func `yesterday's forgotten dose does not swallow today's, nor today's tomorrow's`()
        throws
    {
        var house = try house("08:00")
        // Nobody recorded the 9th; the tap of the 10th is the dose of the 10th.
        #expect(try meant(house, "2026-01-10T07:20:00Z") == "m@2026-01-10T08:00:00.000Z")
        _ = try tap(&house, "2026-01-10T07:20:00Z", "a")
        #expect(try meant(house, "2026-01-10T08:30:00Z") == "recorded 2026-01-10T08:00")
        // The evening's tap is no dose of tomorrow.
        #expect(try meant(house, "2026-01-10T21:00:00Z") == "early 2026-01-11T08:00")
        #expect(try house.stock("m") == "29")
        // The forgotten one, named, leaves the tap of today's dose what it is.
        _ = try tap(&house, "2026-01-11T07:59:00Z", "b", dose: "2026-01-09T08:00:00Z")
        #expect(try meant(house, "2026-01-11T08:00:00Z") == "m@2026-01-11T08:00:00.000Z")
    }

    @Test func `a finger that taps twice is one tap, also between two doses`() throws {
        var house = try house("08:00", "08:40")
        let first = try tap(&house, "2026-01-10T08:19:59Z", "a")
        #expect(first.dose?.stockKey == "m@2026-01-10T08:00:00.000Z")
        let again = try tap(&house, "2026-01-10T08:20:00Z", "b")
        #expect(again.isDone && again.event == first.event)
        #expect(try meant(house, "2026-01-10T08:20:01Z") == "recorded 2026-01-10T08:00")
        #expect(try meant(house, "2026-01-10T08:31:00Z") == "m@2026-01-10T08:40:00.000Z")
        #expect(try meant(house, "2026-01-10T08:19:00Z") == "m@2026-01-10T08:00:00.000Z")
    }

    @Test func `a second tap is the same one also past the hour, and later a question`() throws {
        var house = try house("08:00", "20:00")
        let first = try tap(&house, "2026-01-10T08:59:59Z", "a")
        #expect(try tap(&house, "2026-01-10T09:00:30Z", "b").event == first.event)
        #expect(try meant(house, "2026-01-10T09:20:00Z") == "recorded 2026-01-10T08:00")
        let named = try tap(&house, "2026-01-11T13:00:00Z", "c", dose: "2026-01-11T08:00:00Z")
        #expect(try tap(&house, "2026-01-11T13:00:01Z", "d").event == named.event)
    }

    @Test func `what was skipped is not taken by a plain tap, only by name`() throws {
        var house = try house("08:00")
        try house.commit(house.planner(at: "2026-01-10T08:01:00Z", intent: "s").skip(id))
        #expect(try meant(house, "2026-01-10T08:02:00Z") == "recorded 2026-01-10T08:00")
        let plan = try tap(&house, "2026-01-10T08:03:00Z", "a", dose: "2026-01-10T08:00:00Z")
        #expect(!plan.isDone)
        #expect(try house.planner(at: "2026-01-10T08:04:00Z", intent: "b").take(id).isDone)
    }

    @Test func `a dose that was put off is in front of the person an hour longer`() throws {
        var house = try house("08:00")
        try house.commit(house.planner(at: "2026-01-10T08:55:00Z", intent: "z").snooze(id))
        #expect(try meant(house, "2026-01-10T09:30:00Z") == "m@2026-01-10T08:00:00.000Z")
        #expect(try meant(house, "2026-01-10T10:06:00Z") == "late 2026-01-10T08:00")
    }

    @Test func `a weekly dose is not booked days before, and nothing is booked ahead of now`()
        throws
    {
        var house = try Household()
        var timing = TimingDraft("08:00")
        timing.daysOfWeek = DaysOfWeek([.monday])
        timing.referenceZone = "Etc/UTC"
        try house.commit(
            house.planner(at: "2026-01-01T00:00:00Z", intent: "m").add(
                MedicationDraft("Metformin"), timing: timing))
        #expect(try meant(house, "2026-01-08T08:00:00Z") == "nothingDue -")
        #expect(try meant(house, "2026-01-12T08:30:00Z") == "m@2026-01-12T08:00:00.000Z")
        var note = DoseNote()
        note.at = try time("2026-01-12T08:00:01Z")
        let planner = try house.planner(at: "2026-01-12T08:00:00Z", intent: "x")
        #expect(throws: MedicationError.invalid(.at, .notInFuture)) {
            try planner.take(id, note)
        }
        #expect(throws: MedicationError.invalid(.at, .notInFuture)) {
            try planner.skip(id, note)
        }
        #expect(throws: MedicationError.invalid(.at, .notInFuture)) {
            try planner.snooze(id, note)
        }
        note.isAdditional = true
        #expect(throws: MedicationError.invalid(.at, .notInFuture)) {
            try planner.take(id, note)
        }
    }

    @Test func `a retried intent is the same dose months later`() throws {
        var house = try house("08:00")
        let first = try tap(&house, "2026-01-10T08:00:00Z", "a")
        let retry = try tap(&house, "2026-05-02T08:00:00Z", "a")
        #expect(retry.isDone && retry.event == first.event && retry.dose == first.dose)
    }
}
