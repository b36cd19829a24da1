import LinnetCRDT
import LinnetMedication
import Testing

@Suite struct MedicationSchemaTests {
    @Test func `the demonstration is a legal schema with the numbers that were agreed`() throws {
        let demonstration = Schema.demonstration
        let checked = try Schema(version: 4, collections: demonstration.collections)
        #expect(checked == demonstration)
        let medication = try demonstration.collection(named: "medication")
        #expect(medication.id == 1_000 && medication.scope == .always("meds"))
        #expect(
            medication.fields.map(\.name) == [
                "name", "genericName", "dosage", "form", "route", "startDate", "endDate",
                "isActive", "instructions", "tags", "frequency", "requiresPrescription",
                "packageSize", "expirationDate", "minimumStock", "maximumPerDay",
            ])
        #expect(medication.fields.map(\.id) == Array(1...16))
        #expect(medication.field(id: 3)?.kind == .group)
        #expect(medication.field(id: 3)?.members.map(\.name) == ["amount", "unit"])
        #expect(demonstration.collection(id: 1) == Schema.devices)
    }

    @Test func `the log of doses shares its months with those of time zones and of schedules`() {
        let logs = [Schema.doseEvent, Schema.timeZoneEvent, Schema.scheduleAdjustment]
        #expect(logs.map(\.id) == [1_003, 1_004, 1_005])
        #expect(logs.allSatisfy { $0.scope == .divided("log", by: .month) && $0.kind == .log })
        #expect(Schema.schedule.id == 1_002 && Schema.schedule.scope == .always("meds"))
        #expect(Schema.stock.id == 1_001 && Schema.stock.scope == .always("inventory"))
        #expect(Schema.stock.deletePolicy == .neverDelete)
        #expect(Schema.doseTotal.id == 1_006 && Schema.doseTotal.scope == .always("totals"))
        #expect(Schema.doseTotal.deletePolicy == .neverDelete)
        #expect(Schema.demonstration.scopes == ["devices", "inventory", "meds", "totals"])
    }

    @Test func `an application's schema may hold collections of the demonstration`() throws {
        let own = Collection(
            id: 2_000, name: "note", scope: "meds",
            fields: [Field(id: 1, name: "of", type: .reference(Schema.medication.id))])
        let schema = try Schema(version: 1, collections: [own, Schema.medication])
        #expect(schema.collections.map(\.id) == [1, 1_000, 2_000])
        #expect(schema.indexed(as: schema) == schema)
        let medication = Schema.medication
        let changed = Collection(
            id: medication.id, name: medication.name, scope: medication.scope,
            fields: Array(medication.fields.dropLast()))
        #expect(throws: SchemaError.reservedCollection(1_000)) {
            try Schema(version: 1, collections: [changed])
        }
    }

    @Test func `a record is made of the fields that its collection has by name`() throws {
        let id = try #require(RecordID("m1"))
        let record = RecordView(
            of: Schema.medication, id: id,
            named: [
                ("dosage", [.decimal(.zero), .text("mg")]), ("name", [.text("A")]),
                ("colour", [.text("red")]),
            ])
        #expect(record.fields.map(\.field) == [1, 3])
        #expect(Medication(record).dosage?.unit == .known(.milligrams))
        #expect(Medication(record).name == "A")
    }
}
