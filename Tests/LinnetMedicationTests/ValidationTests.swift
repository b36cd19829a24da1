import LinnetCRDT
import Testing

@testable import LinnetMedication

/// Each rule, by the field that breaks it; nothing is planned when one is broken.
@Suite struct ValidationTests {
    private func add(
        _ timing: TimingDraft = TimingDraft(), zone: String = "Europe/Berlin",
        _ change: (inout MedicationDraft) throws -> Void = { _ in }
    ) throws -> MedicationPlan {
        var draft = MedicationDraft("Metformin")
        try change(&draft)
        return try Household().planner(at: "2026-01-09T12:00:00Z", zone: zone, intent: "m")
            .add(draft, timing: timing)
    }

    private func expect(
        _ field: MedicationField, _ rule: MedicationRule, _ body: () throws -> MedicationPlan
    ) {
        #expect(throws: MedicationError.invalid(field, rule)) { try body() }
    }

    @Test func `a good draft is planned`() throws {
        #expect(try add(TimingDraft("08:00")).writes.count == 2)
    }

    @Test func `names are neither empty nor endless`() throws {
        expect(.name, .notEmpty) { try add { $0.name = .set(" \n") } }
        expect(.name, .notEmpty) { try add { $0.name = .kept } }
        expect(.name, .notEmpty) { try add { $0.name = .cleared } }
        let long = String(repeating: "a", count: 201)
        expect(.name, .atMostBytes(200)) { try add { $0.name = .set(long) } }
        expect(.genericName, .atMostBytes(200)) { try add { $0.genericName = .set(long) } }
        expect(.tags, .notEmpty) { try add { $0.addedTags = [""] } }
        expect(.instructions, .atMostBytes(8_192)) {
            try add { $0.instructions = .set(String(repeating: "a", count: 8_193)) }
        }
    }

    @Test func `amounts are above zero and have a unit`() throws {
        expect(.amount, .positive) { try add { $0.amount = .set(.zero) } }
        expect(.amount, .positive) { try add { $0.amount = .set(try number("-1")) } }
        expect(.amount, .positive) { try add { $0.amount = .cleared } }
        expect(.unit, .notEmpty) { try add { $0.unit = .cleared } }
        expect(.packageSize, .positive) { try add { $0.packageSize = .set(0) } }
        expect(.minimumStock, .notNegative) { try add { $0.minimumStock = .set(try number("-1")) } }
    }

    @Test func `words that this version does not know are not written`() throws {
        expect(.unit, .oneOf(DoseUnit.allCases.map(\.rawValue))) {
            try add { $0.unit = .set("spoons") }
        }
        expect(.form, .oneOf(DoseForm.allCases.map(\.rawValue))) {
            try add { $0.form = .set("cloud") }
        }
        expect(.route, .oneOf(DoseRoute.allCases.map(\.rawValue))) {
            try add { $0.route = .set("x") }
        }
        #expect(throws: MedicationError.self) {
            try add { $0.frequency = .set(Frequency("now and then")) }
        }
    }

    @Test func `an end lies not before its start`() throws {
        let (first, second) = (try #require(Day("2026-01-01")), try #require(Day("2026-01-02")))
        expect(.endDate, .notBeforeStart) {
            try add {
                $0.startDay = .set(second)
                $0.endDay = .set(first)
            }
        }
        #expect(
            try !add {
                $0.startDay = .set(first)
                $0.endDay = .set(first)
            }.isDone)
    }

    @Test(arguments: ["24:00", "08:60", "-1:00"])
    func `times are those of a day`(text: String) {
        expect(.times, .timeOfDay) { try add(TimingDraft(text)) }
    }

    @Test func `a time is given once, and at least one`() {
        expect(.times, .timeOfDay) { try add(TimingDraft("08:00", "08:00")) }
        expect(.times, .notEmpty) { try add(TimingDraft().emptied) }
    }

    @Test func `zones are those of the database`() {
        var timing = TimingDraft("08:00")
        timing.referenceZone = "Europe/Atlantis"
        expect(.referenceTimeZone, .knownZone) { try add(timing) }
    }

    @Test func `two schedules of a medication are not due together`() throws {
        var house = try Household()
        let id = try #require(RecordID("m"))
        try house.commit(
            house.planner(at: "2026-01-09T12:00:00Z", intent: "m").add(
                MedicationDraft("Metformin"), timing: TimingDraft("08:00")))
        // A second schedule, as another device writes it.
        let planner = try house.planner(at: "2026-01-09T12:00:00Z", intent: "s")
        let second = try planner.newTiming(TimingDraft("09:00"), over: nil)
        try house.commit(
            MedicationPlan(
                [try planner.newSchedule(planner.intent, of: id, second)], medication: id))
        #expect(throws: MedicationError.invalid(.times, .noCollision(with: "s"))) {
            try house.planner(at: "2026-01-09T13:00:00Z", intent: "e").edit(
                id, MedicationDraft(), timing: TimingDraft("09:00"), schedule: id)
        }
        #expect(throws: MedicationError.invalid(.schedule, .unambiguous(["m", "s"]))) {
            try house.planner(at: "2026-01-09T13:00:00Z", intent: "e").edit(
                id, MedicationDraft(), timing: TimingDraft("10:00"))
        }
    }

    @Test func `intents fit the identifiers that are made of them`() throws {
        let house = try Household()
        for intent in ["", "a\nb", String(repeating: "a", count: 40)] {
            #expect(throws: MedicationError.invalid(.intent, .identifier)) {
                try house.planner(at: "2026-01-09T12:00:00Z", intent: intent)
            }
        }
    }

    @Test func `what is not there is not changed`() throws {
        let planner = try Household().planner(at: "2026-01-09T12:00:00Z", intent: "x")
        let id = try #require(RecordID("none"))
        expect(.medication, .exists) { try planner.edit(id, MedicationDraft()) }
        expect(.medication, .exists) { try planner.stop(id) }
        expect(.medication, .exists) { try planner.delete(id) }
        expect(.medication, .exists) { try planner.restore(id) }
        expect(.medication, .exists) { try planner.take(id) }
        expect(.medication, .exists) { try planner.undo(id) }
        expect(.medication, .exists) { try planner.refill(id, by: number("1")) }
    }

    @Test func `stocks are counted from zero up`() throws {
        var house = try Household()
        try house.commit(
            house.planner(at: "2026-01-09T12:00:00Z", intent: "m").add(MedicationDraft("A")))
        let planner = try house.planner(at: "2026-01-09T12:00:00Z", intent: "x")
        let id = try #require(RecordID("m"))
        expect(.stock, .positive) { try planner.refill(id, by: .zero) }
        expect(.stock, .notNegative) { try planner.recount(id, to: number("-1")) }
        expect(.occurrence, .exists) { try planner.skip(id) }
        expect(.reason, .oneOf(SkipReason.allCases.map(\.rawValue))) {
            try planner.skip(id, reason: "whim")
        }
        var note = DoseNote()
        note.note = String(repeating: "a", count: 2_001)
        expect(.note, .atMostBytes(2_000)) { try planner.take(id, note) }
        note.scheduled = try time("2026-01-09T12:00:00Z")
        expect(.occurrence, .exists) { try planner.take(id, note) }
    }
}

extension TimingDraft {
    /// No time at all, said out loud.
    fileprivate var emptied: TimingDraft {
        var draft = self
        draft.times = []
        return draft
    }
}
