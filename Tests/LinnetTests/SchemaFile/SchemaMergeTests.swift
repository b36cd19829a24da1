import Linnet
import LinnetCRDT
import LinnetMedication
import Testing

struct SchemaMergeTests {
    private func file(
        _ version: Int, _ fields: String, more: String = "", retired: String = "[]"
    ) throws -> SchemaFile {
        let text = """
            {"version":\(version),"collections":[{"id":2000,"name":"note","scope":"notes",
            "fields":[\(fields)]}\(more)],"retired":\(retired)}
            """
        return try SchemaFile(reading: Array(text.utf8))
    }

    private let title = #"{"id":1,"name":"title","type":"text"}"#

    /// The merged schema, which does not depend on the order.
    private func merged(_ files: SchemaFile...) throws -> SchemaFile {
        let one = try #require(SchemaMerge(files).file)
        #expect(SchemaMerge(files.reversed()).file == one)
        #expect(SchemaMerge(files + files).file == one)
        #expect(SchemaMerge([one]).file == one)
        // It is a schema that can be written down and read again.
        #expect(try SchemaFile(reading: Array(one.text.utf8)) == one)
        return one
    }

    @Test func `what two devices add apart is there for both`() throws {
        let first = try file(2, title + #",{"id":2,"name":"count","type":"int"}"#)
        let second = try file(
            2, title + #",{"id":3,"name":"tags","kind":"set","type":"text"}"#,
            more: #",{"id":2001,"name":"visit","scope":"notes","kind":"log","fields":[]}"#)
        let both = try merged(try file(1, title), first, second)
        let note = try both.schema.collection(named: "note")
        #expect(note.fields.map(\.name).sorted() == ["count", "tags", "title"])
        #expect(both.schema.collection(id: 2_001)?.kind == .log && both.schema.version == 2)
    }

    @Test func `of two meanings of a number the smaller text counts on every device`() throws {
        let int = try file(2, title + #",{"id":2,"name":"count","type":"int"}"#)
        let text = try file(2, title + #",{"id":2,"name":"count","type":"text"}"#)
        let both = try merged(int, text)
        let field = try both.schema.collection(named: "note").field(named: "count")
        #expect(field.members[0].type == .int)
        let told = SchemaContradiction.sentences(of: text.schema, against: both.schema)
        #expect(told == ["note.count (2): int in the group, text here"])
        #expect(SchemaContradiction.sentences(of: int.schema, against: both.schema).isEmpty)
    }

    @Test func `names and choices are those of the newer one, of equal ones both choices`() throws {
        let old = try file(1, #"{"id":1,"name":"title","choice":["a","b"]}"#)
        let newer = try file(2, #"{"id":1,"name":"heading","choice":["b","c"]}"#)
        let apart = try file(2, #"{"id":1,"name":"heading","choice":["d"]}"#)
        let field = try merged(old, newer).schema.collection(named: "note").fields[0]
        #expect(field.name == "heading" && field.members[0].type == .choice(["b", "c"]))
        let both = try merged(old, newer, apart).schema.collection(named: "note").fields[0]
        #expect(both.members[0].type == .choice(["b", "c", "d"]))
    }

    @Test func `of two things with one name the later number gets it behind the name`() throws {
        let first = try file(
            2, title + #",{"id":2,"name":"x","type":"int"}"#,
            more: #",{"id":2001,"name":"visit","scope":"a","fields":[]}"#)
        let second = try file(
            2, title + #",{"id":3,"name":"x","type":"int"}"#,
            more: #",{"id":2002,"name":"visit","scope":"a","fields":[]}"#)
        let both = try merged(first, second).schema
        #expect(both.collections.map(\.name) == ["devices", "note", "visit", "visit-2002"])
        #expect(
            try both.collection(named: "note").fields.map(\.name).sorted() == ["title", "x", "x-3"])
    }

    @Test func `what one device retires is retired, and a number is never used again`() throws {
        let more = #",{"id":2001,"name":"visit","scope":"a","fields":[]}"#
        let old = try file(1, title, more: more)
        let gone = try file(2, title, retired: "[2001]")
        let kept = try file(
            2, title,
            more: #",{"id":2001,"name":"visit","scope":"a","#
                + #""fields":[{"id":1,"name":"y","type":"int"}]}"#)
        let both = try merged(old, gone, kept).schema
        #expect(both.retired == [2_001] && both.collection(id: 2_001) == nil)
        #expect(
            SchemaContradiction.sentences(of: kept.schema, against: both)
                == ["visit (2001): the group has retired it"])
    }

    @Test func `logs and records, scopes and deletes that differ are named`() throws {
        let own = try file(
            1, title,
            more: #",{"id":2001,"name":"v","scope":"a","delete":"neverDelete","fields":[]}"#)
        let group = try file(
            1, title, more: #",{"id":2001,"name":"v","scope":"b","fields":[]}"#)
        #expect(
            SchemaContradiction.sentences(of: own.schema, against: group.schema) == [
                "v (2001): scope b in the group, a here",
                "v (2001): delete deleteWins in the group, neverDelete here",
            ])
        let log = try file(
            1, title, more: #",{"id":2001,"name":"v","scope":"a","kind":"log","fields":[]}"#)
        #expect(
            SchemaContradiction.sentences(of: own.schema, against: log.schema)
                == ["v (2001): a log in the group, records here"])
        let both = try merged(own, log).schema
        #expect(both.collections.count == 3)
    }

    @Test func `a schema that cannot stand beside those before it counts for nothing`() throws {
        let gone = try file(1, title, retired: "[2001]")
        let refers = try file(
            2, title + #",{"id":2,"name":"of","reference":"visit"}"#,
            more: #",{"id":2001,"name":"visit","scope":"notes","fields":[]}"#)
        #expect(try merged(gone, refers) == gone)
    }

    @Test func `indexes are each device's own, and copies go along`() throws {
        let first = try file(1, #"{"id":1,"name":"title","type":"text","index":"clear"}"#)
        let copy = #"{"id":2,"name":"body","kind":"text","copyFrom":1}"#
        let both = try merged(first, try file(2, title + "," + copy))
        #expect(both.schema.collections.flatMap(\.fields).allSatisfy { $0.index == nil })
        #expect(both.copies == [SchemaFile.Copy(collection: 2_000, field: 2, source: 1)])
        #expect(SchemaMerge([]).file == nil)
    }

    @Test func `built-in collections are as this version has them`() throws {
        let medication = SchemaFile(.demonstration)
        let both = try merged(medication, try file(1, title))
        #expect(both.schema.collection(id: 1_000) == Schema.medication)
        #expect(both.schema.collection(id: 2_000)?.name == "note")
    }
}
