import LinnetCRDT
import Testing

@Suite struct ScopeRuleTests {
    @Test(arguments: [
        (ScopeRule.always("meds"), "anything", "meds"), (.optional("meds"), "x", "meds"),
        (.divided("log", by: .year), "2026-11-21T08:00", "log/2026"),
        (.divided("log", by: .month), "2026-11", "log/2026-11"),
        (.divided("log", by: .day), "2026-11-21T08:00", "log/2026-11-21"),
        (.divided("log", by: .day), "2026-99-99", "log/2026-99-99"),
        (.divided("kid", by: .segment), "anna/1", "kid/anna"),
        (.divided("kid", by: .segment), "a/b/c", "kid/a"),
    ])
    func `a record's scope follows from its identifier`(
        rule: ScopeRule, id: String, scope: String
    ) throws {
        let record = try #require(RecordID(id))
        #expect(rule.scope(of: record) == scope)
        #expect(rule.covers(scope))
        #expect(scope.hasPrefix(rule.name))
    }

    @Test(arguments: [
        (Division.year, "202"), (.year, "x026"), (.month, "2026"), (.month, "2026/11"),
        (.month, "2026-1"), (.day, "2026-11-2"), (.day, "2026-1121"), (.segment, "anna"),
        (.segment, "/anna"), (.month, "２026-11"),
    ])
    func `an identifier that does not begin so has no scope`(
        division: Division, id: String
    ) throws {
        let rule = ScopeRule.divided("s", by: division)
        #expect(rule.scope(of: try #require(RecordID(id))) == nil)
        let collection = Collection(id: 2_000, name: "c", scope: rule, fields: [])
        #expect(throws: SchemaError.wrongIdentifier(id, expected: division.expected)) {
            try collection.validate(try #require(RecordID(id)))
        }
    }

    @Test func `a rule covers the scopes that it makes, and no others`() {
        for (rule, scope) in [
            (.always("a"), "b"), (.optional("a"), "a/b"), (.divided("a", by: .year), "a"),
            (.divided("a", by: .year), "a/20261"), (.divided("a", by: .year), "a/2026/1"),
            (.divided("a", by: .month), "a/2026-1x"), (.divided("a", by: .segment), "a/"),
            (.divided("a", by: .segment), "a/b/c"), (.divided("a", by: .day), "b/2026-11-21"),
        ] as [(ScopeRule, String)] {
            #expect(!rule.covers(scope))
        }
    }

    @Test func `only a rule for everybody is one for everybody`() {
        #expect(ScopeRule.always("a").isAlways)
        #expect(!ScopeRule.optional("a").isAlways && !ScopeRule.divided("a", by: .day).isAlways)
        #expect(ScopeRule.always("a").expected == "anything")
    }
}
