import LinnetCRDT
import Testing

@Suite struct FieldTests {
    private let dosage: Field
    private let form: Field

    init() throws {
        dosage = try Collection.sample.field(named: "dosage")
        form = try Collection.sample.field(named: "form")
    }

    @Test func `a choice takes the values of its list and names them otherwise`() throws {
        try form.validate(.text("tablet"))
        try form.validate(.null)
        #expect(
            throws: SchemaError.notAChoice(
                field: "form",
                allowed: [
                    "tablet", "capsule", "liquid", "injection", "cream", "patch", "inhaler",
                    "drops", "other",
                ])
        ) { try form.validate(.text("Tablet")) }
        #expect(throws: SchemaError.wrongType(field: "form", expected: "choice")) {
            try form.validate(.int(1))
        }
    }

    @Test func `a group takes one value for each member`() throws {
        let amount = Value.decimal(try #require(Decimal64(parsing: "2.5")))
        try dosage.validate([amount, .text("mg")])
        try dosage.validate([.null, .null])
        #expect(throws: SchemaError.wrongCount(field: "dosage", expected: 2)) {
            try dosage.validate(amount)
        }
        #expect(throws: SchemaError.wrongCount(field: "dosage", expected: 2)) {
            try dosage.validate([amount])
        }
        #expect(throws: SchemaError.wrongType(field: "dosage.amount", expected: "decimal")) {
            try dosage.validate([.double(2.5), .text("mg")])
        }
        #expect(throws: SchemaError.self) { try dosage.validate([amount, .text("stone")]) }
    }

    @Test func `a value that cannot be stored is refused`() {
        let field = Field(id: 1, name: "note", type: .text)
        let long = Value.text(String(repeating: "x", count: 65_536))
        #expect(throws: SchemaError.badValue(field: "note")) { try field.validate(long) }
        let day = Field(id: 1, name: "day", type: .date)
        #expect(throws: SchemaError.badValue(field: "day")) { try day.validate(.date(.max)) }
    }

    @Test func `a payload is read back as the values it was made of`() throws {
        let values: [Value] = [.decimal(.zero), .text("ml")]
        #expect(try dosage.values(of: try dosage.payload(of: values)) == values)
        #expect(try form.values(of: try form.payload(of: [.text("drops")])) == [.text("drops")])
    }

    @Test func `what is received may be a choice of a newer version, but not of another type`()
        throws
    {
        #expect(form.admits(try Value.text("lozenge").encoded()))
        #expect(form.admits(try Value.null.encoded()))
        #expect(!form.admits(try Value.int(1).encoded()))
        #expect(!form.admits([0xff]))
        #expect(dosage.admits(try Value.encodeGroup([.null, .text("stone")])))
        #expect(!dosage.admits(try Value.encodeGroup([.null])))
        #expect(!dosage.admits(try Value.text("x").encoded()))
    }

    @Test(arguments: [
        (ValueType.text, Value.text("")), (.int, .int(0)), (.decimal, .decimal(.zero)),
        (.bool, .bool(true)), (.date, .date(0)), (.instant, .instant(0)), (.bytes, .bytes([])),
    ])
    func `each type takes its own kind and nothing`(type: ValueType, value: Value) throws {
        let field = Field(id: 1, name: "field", type: type)
        try field.validate(value)
        try field.validate(.null)
        for other in [Value.text(""), .int(0), .bool(true), .date(0), .list([]), .double(0)]
        where other != value {
            #expect(throws: SchemaError.wrongType(field: "field", expected: type.name)) {
                try field.validate(other)
            }
        }
    }
}
