import LinnetCRDT
import Testing

@testable import LinnetMedication

@Suite struct TermTests {
    @Test func `every word of the schema is known, and no other`() throws {
        func choices(_ collection: LinnetCRDT.Collection, _ field: UInt32, _ member: Int = 0)
            -> [String]
        {
            guard case .choice(let words)? = collection.field(id: field)?.members[member].type
            else { return [] }
            return words
        }
        #expect(choices(Schema.medication, 3, 1) == DoseUnit.allCases.map(\.rawValue))
        #expect(choices(Schema.medication, 4) == DoseForm.allCases.map(\.rawValue))
        #expect(choices(Schema.medication, 5) == DoseRoute.allCases.map(\.rawValue))
        #expect(choices(Schema.doseEvent, 4) == DoseEventKind.allCases.map(\.rawValue))
        #expect(choices(Schema.doseEvent, 7) == SkipReason.allCases.map(\.rawValue))
        #expect(
            choices(Schema.timeZoneEvent, 3).allSatisfy {
                ZoneChange.Detection(rawValue: $0) != nil
            })
        #expect(choices(Schema.scheduleAdjustment, 3).contains(Adjustment.edited))
    }

    @Test func `an unknown word stays itself`() {
        let term = Term<DoseForm>("lozenge")
        #expect(term == .unknown("lozenge") && term.text == "lozenge" && term.word == nil)
        #expect(Term<DoseForm>("tablet") == .known(.tablet))
    }

    @Test(arguments: [
        "3 times a day", "every 8 hours", "custom times", "as needed", "03 times a day",
        "0 times a day", "every 999999999999999999999 hours", "every  8 hours", "",
    ])
    func `a frequency is written as it was read`(text: String) {
        #expect(Frequency(text).text == text)
        let isKnown = ["3 times a day", "every 8 hours", "custom times", "as needed"]
            .contains(text)
        let isUnknown = Frequency(text) == .unknown(text)
        #expect(isKnown != isUnknown)
    }

    @Test func `a stored record gives only what has the right type`() throws {
        let record = RecordView(
            collection: 1, id: try #require(RecordID("r")),
            fields: [
                FieldValues(1, [.int(3), .null]), FieldValues(2, [.text("")]), FieldValues(3, []),
            ])
        #expect(record.text(1) == nil && record.whole(1) == 3 && record.record(2) == nil)
        #expect(record.value(1, member: 1) == nil && record.value(3) == nil)
        #expect(record.value(1, member: 9) == nil && record.elements(1) == [])
        #expect(record.day(1) == nil && record.instant(2) == nil && record.flag(1) == nil)
        #expect(record.decimal(1) == nil)
    }

    @Test func `every field has a name of its own`() {
        #expect(
            Set(MedicationField.allCases.map(\.rawValue)).count == MedicationField.allCases.count)
    }
}
