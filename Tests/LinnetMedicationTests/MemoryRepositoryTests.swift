import LinnetCRDT
import LinnetMedication
import Testing

/// The double for an application's tests does what a household's device does.
struct MemoryRepositoryTests {
    @Test func `it shows what a device shows after the same plans`() throws {
        var household = try Household()
        var repository = MemoryRepository()
        func both(_ now: String, _ plan: (MedicationPlanner) throws -> MedicationPlan) throws {
            let planned = try plan(try household.planner(at: now, intent: "i\(now.prefix(13))"))
            try household.commit(planned)
            try repository.commit(planned)
        }
        try both("2026-11-20T06:00:00Z") {
            try $0.add(MedicationDraft("A"), timing: TimingDraft("08:00", "20:00"), stock: .zero)
        }
        let id = try #require(repository.book().medications.keys.first)
        try both("2026-11-20T07:00:00Z") { try $0.take(id) }
        try both("2026-11-20T08:00:00Z") { try $0.undo(id) }
        try both("2026-11-20T09:00:00Z") { try $0.refill(id, by: try number("20")) }
        try both("2026-11-20T10:00:00Z") { try $0.stop(id) }
        try both("2026-11-20T11:00:00Z") { try $0.delete(id) }
        let (mine, theirs) = (repository.book(), household.books[0])
        #expect(mine.medications.values == theirs.medications.values)
        #expect(mine.deleted.values == theirs.deleted.values)
        #expect(mine.stocks.values == theirs.stocks.values)
        #expect(mine.scheduleRecords.values == theirs.scheduleRecords.values)
        let day = try time("2026-11-20T00:00:00Z")..<time("2026-11-21T00:00:00Z")
        #expect(mine.ledger.events(in: day) == theirs.ledger.events(in: day))
    }

    @Test func `a plan that breaks a rule of the schema leaves nothing`() throws {
        var repository = MemoryRepository()
        let id = try #require(RecordID("m"))
        let good = Write(
            Schema.medication.id, id, [.set(FieldWrite(1, .text("A")))])
        let bad = Write(Schema.stock.id, id, [.delete])
        #expect(throws: SchemaError.neverDeleted("stock")) {
            try repository.commit(MedicationPlan([good, bad], medication: id))
        }
        #expect(repository.book().medications.isEmpty)
        #expect(throws: SchemaError.unknownCollection("77")) {
            try repository.commit(
                MedicationPlan([good, Write(77, id, [.delete])], medication: id))
        }
        #expect(repository.book().medications.isEmpty)
        try repository.commit(MedicationPlan([good], medication: id))
        #expect(repository.book().medications[id]?.name == "A")
    }
}
