import LinnetCRDT
import LinnetWire
import Testing

@testable import LinnetMedication

/// The past stays what it was when the record of a medication changes.
@Suite struct DoseContentTests {
    private let id: RecordID

    init() throws {
        id = try #require(RecordID("m"))
    }

    private func house() throws -> Household {
        var house = try Household(devices: 2)
        var draft = MedicationDraft("Ramipril")
        draft.amount = .set(try number("50"))
        draft.form = .set("tablet")
        try house.commit(
            house.planner(at: "2026-01-01T12:00:00Z", intent: "m").add(
                draft, timing: TimingDraft("08:00"), stock: number("30")))
        house.meet()
        return house
    }

    private func edit(_ house: inout Household, at: String) throws {
        var draft = MedicationDraft()
        draft.name = .set("Ramipril plus")
        draft.amount = .set(try number("100"))
        draft.form = .set("capsule")
        try house.commit(house.planner(at: at, intent: "e").edit(id, draft))
        house.meet()
    }

    private func lines(_ house: Household, at now: String) throws -> [DoseLine] {
        try house.books[0].lines(
            in: TestDoses.range("2026-01-02T00:00:00Z", "2026-01-12T00:00:00Z"), now: time(now),
            zones: house.zones)
    }

    @Test func `what was taken, skipped or put off keeps its words after an edit`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-02T07:00:00Z", intent: "a").take(id))
        try house.commit(house.planner(at: "2026-01-03T07:00:00Z", intent: "b").skip(id))
        try edit(&house, at: "2026-01-05T12:00:00Z")
        try house.commit(house.planner(at: "2026-01-06T07:00:00Z", intent: "c").take(id))
        let lines = try lines(house, at: "2026-01-10T08:00:00Z")
        func words(_ day: Int) -> String {
            let line = lines[day - 2]
            return [line.name, line.dosage?.description ?? "", line.form?.text ?? ""].joined(
                separator: " ") + (line.isAsRecorded ? "" : ", today's")
        }
        #expect(words(2) == "Ramipril 50 mg tablet")
        #expect(words(3) == "Ramipril 50 mg tablet")
        // Nobody recorded anything: only today's record can say.
        #expect(words(4) == "Ramipril plus 100 mg capsule, today's")
        #expect(words(6) == "Ramipril plus 100 mg capsule")
        #expect(words(11) == "Ramipril plus 100 mg capsule, today's")
    }

    @Test func `an undo speaks of the dose as it was`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-02T07:00:00Z", intent: "a").take(id))
        try edit(&house, at: "2026-01-02T07:10:00Z")
        let undo = try house.planner(at: "2026-01-02T07:20:00Z", intent: "u").undo(id)
        try house.commit(undo)
        let event = try #require(undo.event.flatMap { house.books[0].ledger.event($0) })
        #expect(event.content?.description == "Ramipril 50 mg")
        // What is open again is due as it would be now.
        #expect(try lines(house, at: "2026-01-02T07:30:00Z").first?.name == "Ramipril plus")
    }

    @Test func `an event of an earlier version has no words and says so`() throws {
        var house = try house()
        let event = DoseEvent(
            id: try #require(RecordID("2026-01/old")), medication: id, schedule: id,
            scheduled: try time("2026-01-02T07:00:00Z"), kind: .known(.taken),
            at: try time("2026-01-02T07:00:00Z"), timeZone: "Europe/Berlin")
        #expect(event.record.fields.map(\.field) == [1, 2, 3, 4, 5, 6])
        try house.commit(
            MedicationPlan([Write(inserting: event.record)], medication: id))
        let line = try #require(try lines(house, at: "2026-01-03T00:00:00Z").first)
        #expect(line.status.isTaken && !line.isAsRecorded && line.dosage?.description == "50 mg")
        // A witness that says what it was speaks for the dose.
        var note = DoseNote()
        note.scheduled = event.scheduled
        try house.commit(
            house.planner(1, at: "2026-01-02T07:10:00Z", intent: "b").take(id, note), on: 1)
        house.meet()
        let both = try #require(try lines(house, at: "2026-01-03T00:00:00Z").first)
        #expect(both.isAsRecorded && both.witnesses == 2)
    }

    @Test func `a unit that only a newer version knows does not stop a tap`() throws {
        let medication = RecordView(
            collection: Schema.medication.id, id: id,
            fields: [
                FieldValues(1, [.text("Mist")]),
                FieldValues(3, [.decimal(try number("2")), .text("clouds")]),
                FieldValues(4, [.text("vapour")]),
            ])
        let planner = try MedicationPlanner(
            book: MedicationBook([medication]), now: time("2026-01-02T07:00:00Z"),
            zone: "Europe/Berlin", zones: TestZones.table(), intent: "a")
        let plan = try planner.take(id)
        guard case .insert(let fields)? = plan.writes.first?.changes.first else {
            Issue.record("no event")
            return
        }
        for field in fields {
            let known = try #require(Schema.doseEvent.field(id: field.field))
            #expect(throws: Never.self) { try known.validate(field.values) }
        }
        #expect(fields.first { $0.field == 15 }?.values == [.text("clouds")])
    }

    @Test func `alerts speak of the doses as they were`() throws {
        var house = try house()
        try house.commit(house.planner(at: "2026-01-02T07:00:00Z", intent: "a").take(id))
        var note = DoseNote()
        note.isAdditional = true
        try house.commit(
            house.planner(at: "2026-01-02T07:30:00Z", intent: "b").take(id, note))
        try edit(&house, at: "2026-01-02T08:00:00Z")
        let alerts = try house.books[0].alerts(
            now: time("2026-01-02T09:00:00Z"), zone: TestZones.rules("Europe/Berlin"),
            zones: house.zones)
        guard case .possibleDoubleDose(_, let doses)? = alerts.first else {
            Issue.record("no alert")
            return
        }
        #expect(doses.map { $0.content?.description } == ["Ramipril 50 mg", "Ramipril 50 mg"])
    }
}
