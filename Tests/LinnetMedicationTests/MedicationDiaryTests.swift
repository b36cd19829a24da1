import LinnetCRDT
import LinnetMedication
import Testing

/// The use cases over a repository in memory.
struct MedicationDiaryTests {
    private typealias Diary = MedicationDiary<MemoryRepository>

    private func diary(at now: String, over old: Diary? = nil) throws -> Diary {
        MedicationDiary(
            old?.repository ?? MemoryRepository(), at: try time(now), in: "Europe/Berlin",
            zones: try TestZones.table(), device: "Phone", witness: "0123456789abcdef")
    }

    /// Something taken at 08:00 every day, of which there are 30.
    private func begun() throws -> Diary {
        var diary = try diary(at: "2026-11-20T06:00:00Z")
        let plan = try diary.add(
            MedicationDraft("Metformin"), timing: TimingDraft("08:00"), stock: try number("30"),
            intent: "add")
        #expect(plan.medication.description == "add" && !plan.isDone)
        return diary
    }

    @Test func `a dose that is taken leaves the stock, and is not taken again`() throws {
        var diary = try diary(at: "2026-11-20T07:05:00Z", over: try begun())
        let id = try #require(RecordID("add"))
        let first = try diary.take(id, intent: "t1")
        let again = try diary.take(id, intent: "t1")
        #expect(!first.isDone && again.isDone && again.event == first.event)
        #expect(try diary.book().stocks[id] == number("29"))
        diary.now = try time("2026-11-20T07:06:00Z")
        let undone = try diary.undo(id, intent: "u1")
        #expect(!undone.isDone)
        #expect(try diary.book().stocks[id] == number("30"))
        try diary.skip(id, reason: .doctorAdvised, intent: "s1")
        let lines = try diary.book().lines(
            in: time("2026-11-20T06:00:00Z")..<time("2026-11-20T12:00:00Z"),
            now: diary.now, zones: diary.zones)
        #expect(lines.count == 1)
        guard case .skipped? = lines.first?.status else {
            Issue.record("the dose is \(String(describing: lines.first?.status))")
            return
        }
    }

    @Test func `what the domain refuses is told, and nothing is written`() throws {
        var diary = try begun()
        let id = try #require(RecordID("add"))
        #expect(throws: MedicationFailure<SchemaError>.refused(.invalid(.stock, .positive))) {
            try diary.refill(id, by: .zero, intent: "r1")
        }
        #expect(
            throws: MedicationFailure<SchemaError>.refused(.invalid(.medication, .stoppedFirst))
        ) {
            try diary.delete(id, intent: "d1")
        }
        #expect(throws: MedicationFailure<SchemaError>.refused(.invalid(.intent, .identifier))) {
            try diary.stop(id, intent: String(repeating: "i", count: 40))
        }
        #expect(try diary.book().stocks[id] == number("30"))
        #expect(try diary.book().medications[id]?.isActive == true)
    }

    @Test func `what is stopped and deleted comes back with its schedule`() throws {
        var diary = try begun()
        let id = try #require(RecordID("add"))
        try diary.refill(id, by: number("10"), intent: "r1")
        try diary.recount(id, to: number("12"), intent: "c1")
        try diary.stop(id, intent: "s1")
        try diary.delete(id, intent: "d1")
        #expect(try diary.book().medications[id] == nil)
        try diary.restore(id, intent: "b1")
        var draft = MedicationDraft()
        draft.instructions = .set("with water")
        try diary.edit(id, draft, timing: TimingDraft("20:00"), intent: "e1")
        let book = try diary.book()
        #expect(book.medications[id]?.instructions == "with water")
        #expect(book.stocks[id] == (try number("12")))
        let next = try book.coming(now: diary.now, zones: diary.zones).first
        #expect(next?.scheduled == (try time("2026-11-20T19:00:00Z")))
        diary.now = try time("2026-11-20T19:01:00Z")
        let snoozed = try diary.snooze(id, intent: "z1")
        #expect(!snoozed.isDone)
    }

    @Test func `a use case is asked for without knowing who carries it out`() throws {
        func takeAll<Cases: MedicationUseCases>(_ cases: inout Cases) throws(Cases.Failure) -> Int {
            var count = 0
            for id in try cases.book().medications.keys {
                _ = try cases.take(id, DoseNote(), intent: "all-\(count)")
                count += 1
            }
            return count
        }
        var diary = try diary(at: "2026-11-20T07:05:00Z", over: try begun())
        let taken = try takeAll(&diary)
        #expect(taken == 1)
    }
}
