import Linnet
import LinnetMedication
import Testing

struct FieldPathTests {
    private let medication = Schema.medication

    @Test func `a field, a member and both together name their place`() throws {
        #expect(try FieldPath("name", in: medication).member == nil)
        #expect(try FieldPath("dosage", in: medication).member == nil)
        #expect(try FieldPath("unit", in: medication).member == 1)
        #expect(try FieldPath("dosage.amount", in: medication).member == 0)
        #expect(try FieldPath("dosage.amount", in: medication).field.id == 3)
    }

    @Test(arguments: ["", "Name", "dosage.", "dosage.name", "name.amount", "amount.unit"])
    func `other names are unknown`(name: String) {
        #expect(throws: SchemaError.unknownField(name)) { try FieldPath(name, in: medication) }
    }

    @Test func `a member that two groups have must be named with its group`() throws {
        let members = [Field.Member("low", .int), Field.Member("high", .int)]
        let schema = try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2000, name: "limits", scope: "s",
                    fields: [
                        Field(id: 1, name: "heat", group: members),
                        Field(id: 2, name: "load", group: members),
                    ])
            ])
        let limits = try schema.collection(named: "limits")
        #expect(throws: SchemaError.unknownField("low")) { try FieldPath("low", in: limits) }
        #expect(try FieldPath("load.low", in: limits).field.id == 2)
    }

    @Test func `a whole number becomes a decimal one where the schema wants that`() throws {
        let amount = try FieldPath("amount", in: medication).values(of: 5)
        #expect(amount.map(\.value) == [.decimal(try #require(Decimal64(parsing: "5")))])
        let name = try FieldPath("name", in: medication).values(of: 5)
        #expect(name.map(\.value) == [.int(5)])
    }

    @Test func `a group as a whole needs a value for each member`() throws {
        let dosage = try FieldPath("dosage", in: medication)
        #expect(try dosage.values(of: [1, "mg"]).map(\.member) == [0, 1])
        for wrong in [Value.list([1]), 1, nil] {
            #expect(throws: SchemaError.wrongCount(field: "dosage", expected: 2)) {
                try dosage.values(of: wrong)
            }
        }
    }
}
