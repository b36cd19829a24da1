import Linnet
import LinnetCRDT
import LinnetMedication
import Testing

struct SchemaChangeTests {
    private let title = #"{"id":1,"name":"title","type":"text"}"#

    private func schema(_ text: String) throws -> Schema {
        try SchemaFile(reading: Array(text.utf8)).schema
    }

    private func change(_ old: String, _ new: String) throws -> SchemaChange {
        SchemaChange(
            from: try schema(SchemaFileTests.file(old)),
            to: try schema(SchemaFileTests.file(new, version: 2)))
    }

    @Test func `new fields, other names and choices are allowed and named`() throws {
        let form = #"{"id":2,"name":"form","choice":["a","b"]}"#
        let later = #"{"id":2,"name":"form","choice":["b","c"]},{"id":3,"name":"x","type":"int"}"#
        let change = try change(
            title + "," + form, #"{"id":1,"name":"heading","type":"text"},"# + later)
        #expect(change.problems.isEmpty)
        #expect(change.notes.contains("note.x is new"))
        #expect(change.notes.contains("note.title is called heading"))
        #expect(change.notes.contains { $0.contains("stay where they are stored: a") })
    }

    @Test(arguments: [
        (#"{"id":1,"name":"title","kind":"text"}"#, "kind"),
        (#"{"id":1,"name":"title","type":"int"}"#, "type"),
        (#"{"id":1,"name":"title","group":[{"name":"a","type":"text"}]}"#, "kind"),
        (#"{"id":2,"name":"title","type":"text"}"#, "missing"),
    ])
    func `what devices could not agree on is refused`(field: String, word: String) throws {
        let change = try change(title, field)
        #expect(change.problems.count == 1)
        #expect(change.problems.first?.contains(word) == true)
    }

    @Test func `scopes, delete policies, kinds of collections and numbers stay`() throws {
        func file(_ id: Int, _ rest: String) throws -> Schema {
            try schema(
                #"{"version":\#(id),"collections":[{"id":\#(2000 + id / 10),"name":"n","#
                    + #""fields":[],"# + rest + "}]}")
        }
        let old = try file(1, #""scope":"a""#)
        for rest in [
            #""scope":"b""#, #""scope":"a","delete":"neverDelete""#, #""scope":{"optional":"a"}"#,
        ] {
            #expect(SchemaChange(from: old, to: try file(2, rest)).problems.count == 1)
        }
        let log = try file(2, #""scope":"a","kind":"log""#)
        #expect(SchemaChange(from: old, to: log).problems.isEmpty == false)
        let gone = SchemaChange(from: old, to: try file(12, #""scope":"a""#))
        #expect(gone.problems.contains { $0.contains("is missing") })
    }

    @Test func `the version grows with every change and the built-in collections may go`() throws {
        let same = try schema(SchemaFileTests.file(title))
        let more = try schema(SchemaFileTests.file(title + #",{"id":2,"name":"x","type":"int"}"#))
        #expect(SchemaChange(from: same, to: same).problems.isEmpty)
        #expect(SchemaChange(from: same, to: more).problems.first?.contains("must grow") == true)
        let own = try schema(SchemaFileTests.file(title, version: 9))
        #expect(SchemaChange(from: .demonstration, to: own).problems.isEmpty)
    }

    @Test func `only what merges with itself is copied`() throws {
        let text = Field(id: 1, name: "a", type: .text)
        let number = Field(id: 2, name: "b", type: .int)
        let tally = Field(id: 3, name: "c", kind: .tally, type: .decimal)
        let body = Field(id: 4, name: "d", kind: .text)
        let tags = Field(id: 5, name: "e", kind: .set, type: .text)
        #expect(SchemaCopying.refusal(of: tally, from: number) == nil)
        #expect(SchemaCopying.refusal(of: text, from: body) == nil)
        #expect(SchemaCopying.refusal(of: tags, from: text) == nil)
        #expect(SchemaCopying.refusal(of: body, from: text) == nil)
        #expect(SchemaCopying.refusal(of: body, from: tags) != nil)
        let (remark, place) = (
            Field(id: 6, name: "f", kind: .mv, type: .text), Field(id: 7, name: "g", kind: .order)
        )
        #expect(SchemaCopying.refusal(of: remark, from: text) == nil)
        #expect(SchemaCopying.refusal(of: place, from: place) == nil)
        #expect(SchemaCopying.refusal(of: place, from: number)?.contains("no places") == true)
        #expect(SchemaCopying.refusal(of: number, from: text) != nil)
        #expect(SchemaCopying.refusal(of: text, from: tags) != nil)
        #expect(
            SchemaCopying.converted(.int(5), to: .decimal)
                == .decimal(try #require(Decimal64(parsing: "5"))))
        #expect(SchemaCopying.converted(.int(5), to: .text) == .text("5"))
        #expect(
            SchemaCopying.converted(.list([.int(5), .text("a")]), to: .text)
                == .list([.text("5"), .text("a")]))
    }
}
