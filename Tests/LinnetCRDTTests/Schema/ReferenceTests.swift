import LinnetCRDT
import Testing

/// Which references a schema may declare.
@Suite struct ReferenceTests {
    private func schema(from: ScopeRule, to: ScopeRule) throws -> Schema {
        try Schema(
            version: 1,
            collections: [
                Collection(
                    id: 2_000, name: "child", scope: from,
                    fields: [Field(id: 1, name: "parent", type: .reference(2_001))]),
                Collection(id: 2_001, name: "parent", scope: to, fields: []),
            ])
    }

    @Test(arguments: [
        (ScopeRule.always("a"), ScopeRule.always("b")), (.optional("a"), .always("b")),
        (.divided("a", by: .month), .always("b")), (.optional("a"), .optional("a")),
    ])
    func `a reference to what is held wherever the record is held is closed`(
        from: ScopeRule, to: ScopeRule
    ) throws {
        #expect(try schema(from: from, to: to).collections.count == 3)
    }

    @Test(arguments: [
        (ScopeRule.always("a"), ScopeRule.optional("b")), (.optional("a"), .optional("b")),
        (.always("a"), .divided("b", by: .month)),
        (.divided("a", by: .month), .divided("a", by: .month)),
        (.divided("a", by: .month), .optional("b")),
    ])
    func `a reference to what may be missing is refused`(from: ScopeRule, to: ScopeRule) {
        #expect(throws: SchemaError.openReference(field: "parent", to: "parent")) {
            try schema(from: from, to: to)
        }
    }

    @Test func `references in groups and sets are checked too, and lead somewhere`() throws {
        let group = Field(
            id: 1, name: "pair", group: [.init("a", .text), .init("b", .reference(2_001))])
        let set = Field(id: 2, name: "all", kind: .set, type: .reference(2_001))
        for field in [group, set] {
            #expect(throws: SchemaError.openReference(field: field.name, to: "parent")) {
                try Schema(
                    version: 1,
                    collections: [
                        Collection(id: 2_000, name: "child", scope: "a", fields: [field]),
                        Collection(
                            id: 2_001, name: "parent", scope: .optional("b"), fields: []),
                    ])
            }
            #expect(throws: SchemaError.unknownCollection("2001")) {
                try Schema(
                    version: 1,
                    collections: [
                        Collection(id: 2_000, name: "child", scope: "a", fields: [field])
                    ])
            }
        }
    }

    @Test func `a log holds single values and groups alone`() {
        for kind in [.mv, .tally, .set, .text, .order] as [FieldKind] {
            let field = Field(id: 1, name: "f", kind: kind, type: kind == .tally ? .int : .text)
            #expect(throws: SchemaError.notForLogs(field: "f")) {
                try Schema(
                    version: 1,
                    collections: [
                        .log(id: 2_000, name: "log", scope: .always("log"), fields: [field])
                    ])
            }
        }
    }

    @Test func `kinds hold the types that they can merge`() {
        for (kind, type) in [
            (.tally, .text), (.tally, .double), (.text, .int), (.order, .int), (.text, .bytes),
        ] as [(FieldKind, ValueType)] {
            let field = Field(id: 1, name: "f", kind: kind, type: type)
            #expect(throws: SchemaError.self) {
                try Schema(
                    version: 1,
                    collections: [Collection(id: 2_000, name: "c", scope: "s", fields: [field])])
            }
        }
    }
}
