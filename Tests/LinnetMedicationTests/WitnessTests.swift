import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Every device on which a person tapped is a witness of its own.
@Suite struct WitnessTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house(_ frequency: Frequency? = nil) throws -> Household {
        var house = try Household(devices: 3)
        var draft = MedicationDraft("Metformin")
        if let frequency { draft.frequency = .set(frequency) }
        try house.commit(
            house.planner(at: "2026-01-09T12:00:00Z", intent: "m").add(
                draft, timing: frequency == nil ? TimingDraft("08:00") : TimingDraft(),
                stock: number("30")))
        house.meet()
        return house
    }

    private func tap(
        _ house: inout Household, _ device: Int, _ at: String, _ intent: String
    ) throws -> MedicationPlan {
        let plan = try house.planner(device, at: at, intent: intent).take(id)
        try house.commit(plan, on: device)
        return plan
    }

    private func undo(_ house: inout Household, _ device: Int, _ at: String) throws {
        try house.commit(house.planner(device, at: at, intent: "u\(device)").undo(id), on: device)
    }

    private func lines(_ house: Household, _ device: Int) throws -> [DoseLine] {
        try house.books[device].lines(
            in: TestDoses.range("2026-01-10T00:00:00Z", "2026-01-11T00:00:00Z"),
            now: time("2026-01-10T12:00:00Z"), zones: house.zones)
    }

    @Test(arguments: [nil, Frequency.asNeeded])
    func `a tap on what another device recorded outlives an undo there`(
        frequency: Frequency?
    ) throws {
        var house = try house(frequency)
        let first = try tap(&house, 0, "2026-01-10T07:01:00Z", "a")
        house.meet()
        let second = try tap(&house, 1, "2026-01-10T07:03:00Z", "b")
        #expect(!second.isDone && second.dose == first.dose && second.event != first.event)
        #expect(try house.stock("m", 1) == "29")
        // Not knowing of the second tap, the first device takes its own back.
        try undo(&house, 0, "2026-01-10T07:04:00Z")
        #expect(try house.stock("m", 0) == "30")
        house.meet()
        for device in 0...2 {
            let lines = try lines(house, device)
            #expect(lines.map(\.status.word) == ["taken"] && lines.map(\.witnesses) == [1])
            #expect(try house.stock("m", device) == "29")
        }
        // Whoever has seen all takes all back.
        try undo(&house, 2, "2026-01-10T07:10:00Z")
        house.meet()
        for device in 0...2 {
            #expect(try house.stock("m", device) == "30")
            #expect(try lines(house, device).contains { $0.status.isTaken } == false)
        }
    }

    @Test func `a second tap on a device that is a witness writes nothing`() throws {
        var house = try house()
        _ = try tap(&house, 0, "2026-01-10T07:01:00Z", "a")
        house.meet()
        let own = try tap(&house, 1, "2026-01-10T07:02:00Z", "b")
        let again = try tap(&house, 1, "2026-01-10T07:03:00Z", "c")
        #expect(again.isDone && again.event == own.event)
        house.meet()
        #expect(try tap(&house, 0, "2026-01-10T07:04:00Z", "d").event?.description == "2026-01/a")
        #expect(try house.stock("m", 0) == "29")
    }

    @Test func `devices of one name are told apart, and one that is renamed stays itself`() throws {
        var house = try house()
        func planner(_ name: String, _ witness: String?, _ intent: String) throws
            -> MedicationPlanner
        {
            try MedicationPlanner(
                book: house.books[0], now: time("2026-01-10T07:02:00Z"), zone: "Europe/Berlin",
                zones: house.zones, device: name, witness: witness, intent: intent)
        }
        try house.commit(planner("phone", "1", "a").take(id))
        #expect(try planner("phone", "1", "b").take(id).isDone)
        #expect(try planner("my phone", "1", "b").take(id).isDone)
        #expect(try !planner("phone", "2", "b").take(id).isDone)
        // An earlier version says no more than the name.
        #expect(try planner("phone", nil, "b").take(id).isDone)
    }

    @Test func `two taps of one device at the same moment are one witness`() throws {
        var house = try house()
        let first = try house.planner(0, at: "2026-01-10T07:02:00Z", intent: "a").take(id)
        let second = try house.planner(0, at: "2026-01-10T07:02:00Z", intent: "b").take(id)
        try house.commit(first, on: 0)
        try house.commit(second, on: 0)
        house.meet()
        #expect(try lines(house, 1).map(\.witnesses) == [1])
        #expect(try house.stock("m", 1) == "29")
        _ = try tap(&house, 1, "2026-01-10T07:03:00Z", "c")
        #expect(try lines(house, 1).map(\.witnesses) == [2])
    }

    @Test func `a skip on a second device outlives an undo on the first`() throws {
        var house = try house()
        try house.commit(
            house.planner(0, at: "2026-01-10T07:01:00Z", intent: "a").skip(id), on: 0)
        house.meet()
        let second = try house.planner(1, at: "2026-01-10T07:02:00Z", intent: "b").skip(id)
        #expect(!second.isDone)
        try house.commit(second, on: 1)
        #expect(try house.planner(1, at: "2026-01-10T07:03:00Z", intent: "c").skip(id).isDone)
        try undo(&house, 0, "2026-01-10T07:04:00Z")
        house.meet()
        for device in 0...2 {
            #expect(try lines(house, device).map(\.status.word) == ["skipped"])
        }
    }

    @Test func `a recount that saw one witness covers those that come later`() throws {
        var house = try house()
        _ = try tap(&house, 0, "2026-01-10T07:01:00Z", "a")
        try house.commit(
            house.planner(0, at: "2026-01-10T07:02:00Z", intent: "r").recount(
                id, to: number("12")), on: 0)
        house.meet()
        _ = try tap(&house, 1, "2026-01-10T07:03:00Z", "b")
        house.meet()
        #expect(try house.stock("m", 0) == "12" && house.stock("m", 1) == "12")
    }
}
