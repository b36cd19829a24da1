import LinnetCRDT
import Testing

@Suite struct SchemaTests {
    private static func collection(
        id: UInt32 = 2_000, name: String = "note", scope: String = "notes",
        fields: [Field] = [Field(id: 1, name: "title", type: .text)]
    ) -> LinnetCRDT.Collection {
        Collection(id: id, name: name, scope: scope, fields: fields)
    }

    @Test func `every schema holds the devices collection once`() throws {
        let schema = try Schema(version: 3, collections: [SchemaTests.collection()])
        #expect(schema.collections.map(\.id) == [1, 2_000] && schema.version == 3)
        let again = try Schema(version: 3, collections: schema.collections)
        #expect(again == schema)
        #expect(schema.scopes == ["devices", "notes"])
    }

    @Test func `a collection of Linnet's own is taken as it is, no other under its number`() throws
    {
        let schema = try Schema(version: 1, collections: [Schema.devices])
        #expect(schema.collections == [Schema.devices])
        #expect(Schema.devices.fields.map(\.name) == ["name", "kind", "integrity"])
        let devices = Schema.devices
        let copy = Collection(
            id: devices.id, name: devices.name, scope: devices.scope, fields: devices.fields)
        #expect(throws: SchemaError.reservedCollection(1)) {
            try Schema(version: 1, collections: [copy])
        }
        #expect(schema.indexed(as: schema) == schema && schema.unindexed == schema)
    }

    @Test func `numbers below 2000 are refused`() {
        for id in [0, 1, 2, 999, 1_000, 1_001, 1_999] as [UInt32] {
            #expect(throws: SchemaError.reservedCollection(id)) {
                try Schema(version: 1, collections: [SchemaTests.collection(id: id)])
            }
        }
    }

    @Test func `duplicates are refused, by number and by name`() {
        let other = SchemaTests.collection(id: 2_001, name: "other")
        let pairs = [
            [SchemaTests.collection(), SchemaTests.collection(name: "other")],
            [other, SchemaTests.collection(id: 2_002, name: "other")],
        ]
        for pair in pairs {
            #expect(throws: SchemaError.duplicateCollection("other")) {
                try Schema(version: 1, collections: pair)
            }
        }
        #expect(throws: SchemaError.duplicateCollection("devices")) {
            try Schema(version: 1, collections: [SchemaTests.collection(name: "devices")])
        }
    }

    @Test(arguments: [
        ([Field(id: 0, name: "a", type: .text)], SchemaError.reservedField("a")),
        ([Field(id: 1, name: "", type: .text)], .badName("")),
        (
            [Field(id: 1, name: "a", type: .text), Field(id: 1, name: "b", type: .text)],
            .duplicateField("note")
        ),
        (
            [Field(id: 1, name: "a", type: .text), Field(id: 2, name: "a", type: .int)],
            .duplicateField("a")
        ),
        ([Field(id: 1, name: "a", type: .choice([]))], .badChoices("a")),
        ([Field(id: 1, name: "a", type: .choice(["x", "x"]))], .badChoices("a")),
        ([Field(id: 1, name: "a", type: .choice(["\n"]))], .badChoices("a")),
        ([Field(id: 1, name: "a", group: [])], .emptyGroup("a")),
        ([Field(id: 1, name: "a", kind: .set)], .missingType("a")),
        ([Field(id: 1, name: "a", kind: .lww)], .missingType("a")),
        (
            [Field(id: 1, name: "a", group: [.init("x", .int), .init("x", .int)])],
            .duplicateField("x")
        ),
    ])
    func `a bad field is named`(fields: [Field], error: SchemaError) {
        #expect(throws: error) {
            try Schema(version: 1, collections: [SchemaTests.collection(fields: fields)])
        }
    }

    @Test func `bad names of collections and scopes are refused`() {
        let long = String(repeating: "n", count: 65)
        for collection in [
            SchemaTests.collection(name: ""), SchemaTests.collection(scope: ""),
        ] {
            #expect(throws: SchemaError.badName("")) {
                try Schema(version: 1, collections: [collection])
            }
        }
        #expect(throws: SchemaError.badName(long)) {
            try Schema(version: 1, collections: [SchemaTests.collection(name: long)])
        }
    }

    @Test func `what is not there is named`() {
        #expect(throws: SchemaError.unknownCollection("x")) {
            try Schema.sample().collection(named: "x")
        }
        #expect(throws: SchemaError.unknownField("x")) {
            try Collection.sample.field(named: "x")
        }
    }
}
