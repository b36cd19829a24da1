import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// What a person does, on one device and on several apart.
@Suite struct MedicationPlannerTests {
    /// Devices that know a medication due at 08:00 and 20:00 in Berlin, 30 pieces of it.
    private func house(devices: Int = 1) throws -> Household {
        var house = try Household(devices: devices)
        let planner = try house.planner(at: "2026-01-09T12:00:00Z", intent: "m")
        try house.commit(
            planner.add(
                MedicationDraft("Metformin"), timing: TimingDraft("08:00", "20:00"),
                stock: number("30")))
        house.meet()
        return house
    }

    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func today(_ house: Household, _ device: Int = 0, at now: String) throws -> TodayView {
        try house.books[device].today(
            now: time(now), zone: TestZones.rules("Europe/Berlin"), zones: house.zones)
    }

    @Test func `the same dose on two devices apart is one dose with two witnesses`() throws {
        var house = try house(devices: 2)
        let (first, second) = ("2026-01-10T07:01:00Z", "2026-01-10T07:04:00Z")
        try house.commit(house.planner(0, at: first, intent: "a").take(id), on: 0)
        try house.commit(house.planner(1, at: second, intent: "b").take(id), on: 1)
        house.meet()
        for device in 0...1 {
            #expect(try house.stock("m", device) == "29")
            let lines = try today(house, device, at: second).lines
            #expect(lines.map(\.witnesses) == [2, 0])
            #expect(lines.map(\.status.word) == ["taken", "upcoming"])
        }
    }

    @Test func `different doses on two devices are two`() throws {
        var house = try house(devices: 2)
        try house.commit(
            house.planner(0, at: "2026-01-10T07:01:00Z", intent: "a").take(id), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T19:04:00Z", intent: "b").take(id), on: 1)
        house.meet()
        #expect(try house.stock("m", 0) == "28")
        #expect(try today(house, at: "2026-01-10T19:05:00Z").progress.taken == 2)
    }

    @Test func `a second tap and a retry write nothing`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-10T07:01:00Z", intent: "a").take(id))
        let again = try house.planner(at: "2026-01-10T07:02:00Z", intent: "b").take(id)
        #expect(again.isDone && again.event?.description == "2026-01/a")
        let retry = try house.planner(at: "2026-01-10T19:02:00Z", intent: "a").take(id)
        #expect(retry.isDone && retry.event?.description == "2026-01/a")
        #expect(try house.stock("m") == "29")
    }

    @Test func `a deliberate second dose counts and raises an alert`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-10T07:01:00Z", intent: "a").take(id))
        var note = DoseNote()
        note.isAdditional = true
        try house.commit(house.planner(at: "2026-01-10T07:05:00Z", intent: "b").take(id, note))
        #expect(try house.stock("m") == "28")
        let alerts = try today(house, at: "2026-01-10T07:06:00Z").alerts.filter {
            $0.word != "missed"
        }
        #expect(
            alerts == [
                .possibleDoubleDose(
                    medication: id,
                    doses: try ["2026-01-10T07:01:00Z", "2026-01-10T07:05:00Z"].map {
                        TakenDose(
                            at: try time($0),
                            content: house.books[0].medications[id].map { DoseContent($0) })
                    })
            ])
        let undo = try house.planner(at: "2026-01-10T07:07:00Z", intent: "c").undo(id)
        try house.commit(undo)
        #expect(try house.stock("m") == "29")
        #expect(try today(house, at: "2026-01-10T07:08:00Z").alerts.map(\.word) == ["missed"])
    }

    @Test func `an undo gives back what its device had seen and nothing else`() throws {
        var house = try house(devices: 2)
        try house.commit(
            house.planner(0, at: "2026-01-10T07:01:00Z", intent: "a").take(id), on: 0)
        try house.commit(
            house.planner(0, at: "2026-01-10T07:02:00Z", intent: "u").undo(id), on: 0)
        #expect(try house.stock("m", 0) == "30")
        try house.commit(
            house.planner(1, at: "2026-01-10T07:03:00Z", intent: "b").take(id), on: 1)
        house.meet()
        for device in 0...1 {
            #expect(try house.stock("m", device) == "29")
            #expect(try today(house, device, at: "2026-01-10T07:05:00Z").progress.taken == 1)
        }
        try house.commit(
            house.planner(1, at: "2026-01-10T07:06:00Z", intent: "v").undo(id), on: 1)
        house.meet()
        #expect(try house.stock("m", 0) == "30")
        try house.commit(
            house.planner(0, at: "2026-01-10T07:08:00Z", intent: "w").take(id), on: 0)
        house.meet()
        #expect(try house.stock("m", 1) == "29")
    }

    @Test func `an undo lies in the month of what it takes back`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-31T19:00:00Z", intent: "a").take(id))
        let undo = try house.planner(at: "2026-02-01T06:00:00Z", intent: "u").undo(id)
        #expect(undo.event?.description == "2026-01/u")
        try house.commit(undo)
        #expect(try house.planner(at: "2026-02-01T06:01:00Z", intent: "u").undo(id).isDone)
        #expect(throws: MedicationError.invalid(.event, .somethingToUndo)) {
            try house.planner(at: "2026-02-01T06:02:00Z", intent: "w").undo(id)
        }
    }

    @Test func `a recount takes what it had seen into account and nothing else`() throws {
        var house = try house(devices: 2)
        try house.commit(
            house.planner(0, at: "2026-01-10T07:01:00Z", intent: "a").take(id), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T19:01:00Z", intent: "b").take(id), on: 1)
        try house.commit(
            house.planner(0, at: "2026-01-10T20:00:00Z", intent: "r").recount(
                id, to: number("12")), on: 0)
        house.meet()
        #expect(try house.stock("m", 0) == "11" && house.stock("m", 1) == "11")
        try house.commit(
            house.planner(1, at: "2026-01-10T20:01:00Z", intent: "f").refill(
                id, by: number("20")), on: 1)
        house.meet()
        #expect(try house.stock("m", 0) == "31")
    }

    @Test func `taken goes before skipped, and what was taken is not skipped`() throws {
        var house = try house(devices: 2)
        try house.commit(
            house.planner(0, at: "2026-01-10T07:01:00Z", intent: "a").skip(
                id, reason: "feltBetter"), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T07:02:00Z", intent: "b").take(id), on: 1)
        house.meet()
        #expect(try today(house, at: "2026-01-10T07:05:00Z").lines.first?.status.word == "taken")
        #expect(throws: MedicationError.invalid(.occurrence, .notTaken)) {
            try house.planner(at: "2026-01-10T07:06:00Z", intent: "c").skip(id)
        }
        #expect(throws: MedicationError.invalid(.occurrence, .notTaken)) {
            try house.planner(at: "2026-01-10T07:06:00Z", intent: "c").snooze(id)
        }
    }

    @Test func `an as-needed dose that two devices log within a slot is one`() throws {
        var house = try Household(devices: 2)
        var draft = MedicationDraft("Ibuprofen")
        draft.frequency = .set(.asNeeded)
        try house.commit(
            house.planner(at: "2026-01-09T12:00:00Z", intent: "m").add(draft, stock: number("10")))
        house.meet()
        try house.commit(
            house.planner(0, at: "2026-01-10T10:02:00Z", intent: "a").take(id), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T10:04:00Z", intent: "b").take(id), on: 1)
        house.meet()
        #expect(try house.stock("m") == "9")
        #expect(try today(house, at: "2026-01-10T10:05:00Z").lines.map(\.witnesses) == [2])
        // Just past the edge of the slot it is a double tap still.
        #expect(try house.planner(at: "2026-01-10T10:11:00Z", intent: "c").take(id).isDone)
        #expect(!(try house.planner(at: "2026-01-10T10:31:00Z", intent: "c").take(id).isDone))
    }

    @Test func `as-needed doses at both sides of a slot's edge raise an alert`() throws {
        var house = try Household(devices: 2)
        var draft = MedicationDraft("Ibuprofen")
        draft.frequency = .set(.asNeeded)
        try house.commit(house.planner(at: "2026-01-09T12:00:00Z", intent: "m").add(draft))
        house.meet()
        try house.commit(
            house.planner(0, at: "2026-01-10T10:09:00Z", intent: "a").take(id), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T10:11:00Z", intent: "b").take(id), on: 1)
        house.meet()
        #expect(
            try today(house, at: "2026-01-10T10:12:00Z").alerts.map(\.word)
                == ["possibleDoubleDose"])
    }

    @Test func `other times leave the past as it was, and are one write however often`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-10T07:01:00Z", intent: "a").take(id))
        let plan = try house.planner(at: "2026-01-10T12:00:00Z", intent: "e").edit(
            id, MedicationDraft(), timing: TimingDraft("09:00", "21:00"))
        try house.commit(plan)
        #expect(plan.writes.count == 2)
        #expect(
            try house.planner(at: "2026-01-10T12:00:01Z", intent: "e").edit(
                id, MedicationDraft(), timing: TimingDraft("09:00", "21:00")
            ).isDone)
        let view = try today(house, at: "2026-01-10T12:30:00Z")
        #expect(
            view.lines.map(\.scheduled) == [
                try time("2026-01-10T07:00:00Z"), try time("2026-01-10T20:00:00Z"),
            ])
        #expect(view.lines.map(\.status.word) == ["taken", "upcoming"])
    }

    @Test func `what was stopped is due no more, and comes back with a restore`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-11T07:01:00Z", intent: "a").take(id))
        #expect(throws: MedicationError.invalid(.medication, .stoppedFirst)) {
            try house.planner(at: "2026-01-12T08:00:00Z", intent: "d").delete(id)
        }
        try house.commit(house.planner(at: "2026-01-12T08:00:00Z", intent: "s").stop(id))
        #expect(try today(house, at: "2026-01-12T12:00:00Z").next == nil)
        let zone = try TestZones.rules("Europe/Berlin")
        let days = try #require(Day("2026-01-09"))...(try #require(Day("2026-01-20")))
        func adherence() throws -> Adherence {
            try house.books[0].adherence(
                over: days, now: time("2026-01-20T12:00:00Z"), zone: zone, zones: house.zones)
        }
        // The evening of the 9th, two on the 10th and on the 11th.
        #expect(try adherence().total == 5 && adherence().taken == 1)
        try house.commit(house.planner(at: "2026-01-12T08:01:00Z", intent: "d").delete(id))
        #expect(house.books[0].medications.isEmpty && house.books[0].deleted.count == 1)
        #expect(try adherence().total == 5)
        #expect(try today(house, at: "2026-01-11T12:00:00Z").lines.first?.name == "Metformin")
        try house.commit(house.planner(at: "2026-01-19T12:00:00Z", intent: "r").restore(id))
        #expect(try house.stock("m") == "29")
        #expect(try today(house, at: "2026-01-19T12:01:00Z").next?.name == "Metformin")
        #expect(try adherence().total == 7)
        #expect(try house.planner(at: "2026-01-19T12:02:00Z", intent: "r").restore(id).isDone)
    }

    @Test func `two devices edit different fields, and the dosage is never torn`() throws {
        var house = try house(devices: 2)
        var (first, second) = (MedicationDraft(), MedicationDraft())
        first.amount = .set(try number("2"))
        first.unit = .set("tablets")
        second.amount = .set(try number("10"))
        second.unit = .set("ml")
        second.instructions = .set("With food.")
        second.addedTags = ["morning"]
        try house.commit(
            house.planner(0, at: "2026-01-10T08:00:00Z", intent: "a").edit(id, first), on: 0)
        try house.commit(
            house.planner(1, at: "2026-01-10T08:01:00Z", intent: "b").edit(id, second), on: 1)
        house.meet()
        let known = try #require(house.books[0].medications[id])
        #expect(known == house.books[1].medications[id])
        #expect(known.dosage?.description == "10 ml" && known.instructions == "With food.")
        #expect(known.tags == ["morning"] && known.name == "Metformin")
    }

    @Test func `a flight is noticed once, proposed for and decided once`() throws {
        var house = try house(devices: 2)
        let landed = "2026-01-10T10:00:00Z"
        func planner(_ device: Int, _ intent: String) throws -> MedicationPlanner {
            try house.planner(device, at: landed, zone: "Asia/Tokyo", intent: intent)
        }
        #expect(try house.planner(at: landed, intent: "n").notice().isEmpty)
        try house.commit(MedicationPlan(planner(0, "n").notice(), medication: id))
        #expect(try planner(0, "n2").notice().isEmpty)
        house.meet()
        #expect(try planner(0, "p").proposals().count == 1)
        for (device, strategy) in [(0, TravelStrategy.keepLocalTime), (1, .keepHomeTime)] {
            let writes = try planner(device, "c\(device)").confirm(strategy)
            #expect(writes.count == 2)
            try house.commit(MedicationPlan(writes, medication: id), on: device)
        }
        house.meet()
        #expect(house.books[0].histories[id] == house.books[1].histories[id])
        #expect(house.books[0].histories[id]?.superseded.count == 1)
        // Decided apart: both show until somebody confirms one of them.
        for device in 0...1 { #expect(try planner(device, "q").proposals().count == 1) }
        let last = try planner(0, "last").confirm(.keepHomeTime)
        try house.commit(MedicationPlan(last, medication: id))
        house.meet()
        for device in 0...1 {
            #expect(try planner(device, "q").proposals().isEmpty)
            #expect(try planner(device, "c\(device)").confirm(.keepLocalTime).isEmpty)
        }
    }
}
