import Linnet
import LinnetCRDT
import LinnetMedication
import Testing

struct SchemaFileTests {
    /// A file with every kind of scope, collection and field.
    static let text = """
        {"version": 3, "collections": [
          {"builtIn": "medication"},
          {"id": 2000, "name": "note", "scope": "notes", "delete": "updateWins", "fields": [
            {"id": 1, "name": "title", "type": "text", "index": "blind"},
            {"id": 2, "name": "price", "group": [{"name": "amount", "type": "decimal"},
                                                 {"name": "per", "choice": ["piece", "box"]}]},
            {"id": 3, "name": "tags", "kind": "set", "type": "text"},
            {"id": 4, "name": "of", "reference": "medication"},
            {"id": 6, "name": "stock", "kind": "tally", "type": "int"},
            {"id": 7, "name": "body", "kind": "text"},
            {"id": 8, "name": "place", "kind": "order", "index": "clear"},
            {"id": 9, "name": "mark", "kind": "mv", "choice": ["a", "b"]},
            {"id": 10, "name": "heading", "type": "text", "copyFrom": 1},
            {"id": 11, "name": "seen", "kind": "max", "type": "bool", "index": "blind"},
            {"id": 12, "name": "first", "kind": "min", "type": "date"}]},
          {"id": 2001, "name": "part", "scope": {"optional": "parts"}, "fields": []},
          {"id": 2002, "name": "entry", "scope": {"name": "log", "by": "month"}, "kind": "log",
           "fields": [{"id": 1, "name": "at", "type": "instant"}]}
        ]}
        """

    private func read(_ text: String) throws -> SchemaFile {
        try SchemaFile(reading: Array(text.utf8))
    }

    private func failure(_ text: String) -> SchemaFile.Failure? {
        #expect(throws: SchemaFile.Failure.self) { try read(text) }
    }

    /// A file with one collection of these fields.
    static func file(_ fields: String, version: Int = 1) -> String {
        """
        {"version":\(version),"collections":[
        {"id":2000,"name":"note","scope":"notes","fields":[\n\(fields)]}]}
        """
    }

    @Test func `a file declares every kind of scope, collection and field`() throws {
        let file = try read(Self.text)
        #expect(file.schema.version == 3)
        let note = try file.schema.collection(named: "note")
        #expect(
            note.fields.map(\.kind) == [
                .lww, .group, .set, .lww, .tally, .text, .order, .mv, .lww, .max, .min,
            ])
        #expect(note.deletePolicy == .updateWins)
        #expect(
            note.fields.map(\.index) == [
                .blind, nil, nil, nil, nil, nil, .clear, nil, nil, .blind, nil,
            ])
        #expect(note.fields[3].members[0].type == .reference(1_000))
        #expect(try file.schema.collection(named: "part").scope == .optional("parts"))
        let entry = try file.schema.collection(named: "entry")
        #expect(entry.kind == .log && entry.scope == .divided("log", by: .month))
        #expect(file.copies == [SchemaFile.Copy(collection: 2_000, field: 10, source: 1)])
        #expect(file.schema.collections.first == Schema.devices)
    }

    @Test func `a file that was written reads back as it was`() throws {
        let file = try read(Self.text)
        #expect(try read(file.text) == file)
        #expect(try read(SchemaFile(.demonstration).text) == SchemaFile(.demonstration))
    }

    @Test(arguments: [
        ("{", 1, ""), ("[]", 1, ""), (#"{"version":0,"collections":[]}"#, 1, "version"),
        ("{\"version\":1,\n\"colections\":[]}", 2, "colections"),
        ("{\"version\":1,\n\"collections\":[\n{\"id\":1999}]}", 3, "collections[0].id"),
        (file(#"{"id":1,"name":"a","type":"txt"}"#), 3, "collections[0].fields[0].type"),
        (
            file(
                #"{"id":1,"name":"a","type":"text"},"# + "\n" + #"{"id":1,"name":"b","type":"int"}"#
            ),
            4, "collections[0].fields[1].id"
        ),
        (
            file(
                #"{"id":1,"name":"a","type":"text"},"# + "\n" + #"{"id":2,"name":"a","type":"int"}"#
            ),
            4, "collections[0].fields[1].name"
        ),
        (file(#"{"id":1,"name":"a"}"#), 3, "collections[0].fields[0]"),
        (file(#"{"id":1,"name":"a","kind":"tally","type":"text"}"#), 3, "collections[0].fields[0]"),
        (file(#"{"id":1,"name":"a","kind":"max","type":"text"}"#), 3, "collections[0].fields[0]"),
        (file(#"{"id":1,"name":"a","kind":"min"}"#), 3, "collections[0].fields[0]"),
        (file(#"{"id":1,"name":"a","type":"int","choice":["x"]}"#), 3, "collections[0].fields[0]"),
        (file(#"{"id":1,"name":"a","choice":["x","x"]}"#), 3, "collections[0].fields[0].choice[1]"),
        (file(#"{"id":1,"name":"a","group":[]}"#), 3, "collections[0].fields[0].group"),
        (
            file(#"{"id":1,"name":"a","reference":"nobody"}"#), 3,
            "collections[0].fields[0].reference"
        ),
        (file(#"{"id":1,"name":"a\u0007","type":"text"}"#), 3, "collections[0].fields[0].name"),
        (
            file(#"{"id":1,"name":"a","type":"text","copyFrom":4}"#), 3,
            "collections[0].fields[0].copyFrom"
        ),
    ])
    func `a mistake is told with its line and place`(text: String, line: Int, place: String) throws
    {
        let failure = try #require(self.failure(text))
        #expect(failure.line == line)
        #expect(failure.place == place)
        #expect(!failure.message.isEmpty)
        #expect(failure.description.contains("line \(line)"))
    }

    @Test func `a reference that could dangle is refused at its field`() throws {
        let failure = self.failure(
            """
            {"version":1,"collections":[
            {"id":2000,"name":"part","scope":{"optional":"parts"},"fields":[]},
            {"id":2001,"name":"note","scope":"notes","fields":[
            {"id":1,"name":"of","reference":"part"}]}]}
            """)
        #expect(failure?.line == 4)
        #expect(failure?.place == "collections[1].fields[0]")
    }

    @Test func `near misses are named`() {
        let failure = self.failure(Self.file(#"{"id":1,"name":"a","kind":"tallly","type":"int"}"#))
        #expect(failure?.message.contains(#"did you mean "tally"?"#) == true)
    }

    @Test func `no bytes stop the reader`() {
        let whole = Array(Self.text.utf8)
        for count in stride(from: 0, to: whole.count - 1, by: 7) {
            #expect(throws: SchemaFile.Failure.self) {
                try SchemaFile(reading: Array(whole.prefix(count)))
            }
        }
        #expect(throws: SchemaFile.Failure.self) { try SchemaFile(reading: [0xff, 0xfe, 0]) }
    }
}
