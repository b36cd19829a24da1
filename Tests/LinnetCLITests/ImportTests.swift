import Linnet
import LinnetAPI
import LinnetCLI
import LinnetControl
import LinnetMedication
import Testing

struct ImportTests {
    private let medication = Schema.medication

    private func plan(
        _ rows: [ImportRow], visible: [RecordView] = []
    ) throws -> ImportPlan {
        var plan = ImportPlan(rows, medication, visible: visible)
        while try plan.next() != nil {}
        return plan
    }

    private func csv(_ text: String) throws -> [ImportRow] {
        try CSVImport.rows(Array(text.utf8), medication)
    }

    private func lines(_ text: String) throws -> [ImportRow] {
        try JSONLinesImport.rows(Array(text.utf8), medication)
    }

    private func csvFailure(_ text: String) -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try csv(text) }
    }

    private func lineFailure(_ text: String) -> ImportFailure? {
        #expect(throws: ImportFailure.self) { try lines(text) }
    }

    @Test func `cells become typed values and empty ones none`() throws {
        let row = try #require(
            try csv("id,name,amount,unit,startDate,isActive\nx,\"\",2.50,mg,2024-02-29,true\n")
                .first)
        #expect(row.id.description == "x")
        #expect(
            row.cells.map(\.value) == [
                .text(""), .decimal(try #require(Decimal64(parsing: "2.5"))), .text("mg"),
                try #require(Value(date: "2024-02-29")), .bool(true),
            ])
        #expect(row.cells.map(\.field) == [1, 3, 3, 6, 8])
        #expect(row.cells.map(\.member) == [0, 0, 1, 0, 0])
        let empty = try #require(try csv("id,name\nx,\n").first)
        #expect(empty.cells.map(\.value) == [.null])
    }

    @Test func `a line without an id gets one from its values alone`() throws {
        let plain = try csv("name,amount\nA,2.5\nA,2.50\nB,2.5\n")
        #expect(plain[0].id == plain[1].id)
        #expect(plain[0].id != plain[2].id)
        let moved = try csv("amount,id,form,name\n2.5,,,A\n")
        #expect(moved[0].id == plain[0].id)
        #expect(try lines(#"{"name":"A","dosage":{"amount":2.5}}"#)[0].id == plain[0].id)
        #expect(plain[0].isDerived)
    }

    @Test func `hostile CSV is refused by line and column`() {
        #expect(
            csvFailure("id,nmae\n")
                == ImportFailure(
                    line: 1, column: 2, "medication has no field 'nmae'; did you mean 'name'?"))
        #expect(csvFailure("")?.message.contains("columns' names") == true)
        #expect(csvFailure("name,name\n").map { [$0.line, $0.column] } == [1, 2])
        #expect(csvFailure("id,name\nx\n").map { [$0.line, $0.column] } == [2, 2])
        #expect(csvFailure("id,name\nx,y,z\n").map { [$0.line, $0.column] } == [2, 3])
        #expect(csvFailure("id,form\nx,pill\n")?.message.contains("tablet, capsule") == true)
        #expect(csvFailure("id,form\nok,tablet\nx,pill\n").map { [$0.line, $0.column] } == [3, 2])
        for bad in ["1e5", "NaN", "2,5", "0x10", "--1", " 1", "99999999999999999999"] {
            #expect(
                csvFailure("amount,id\n\"\(bad)\",x\n").map { [$0.line, $0.column] } == [2, 1])
        }
        for bad in ["2024-02-30", "24-01-01", "yesterday"] {
            #expect(csvFailure("startDate\n\(bad)\n").map { [$0.line, $0.column] } == [2, 1])
        }
        let long = String(repeating: "x", count: 65)
        #expect(csvFailure("id\n\(long)\n").map { [$0.line, $0.column] } == [2, 1])
        #expect(csvFailure("id,name\n\"a\u{1}\",b\n").map { [$0.line, $0.column] } == [2, 1])
    }

    @Test func `messages about a file cannot steer a terminal`() {
        let message = csvFailure("id,form\nx,\u{1b}[2J\n")?.message
        #expect(message?.unicodeScalars.contains("\u{1b}") == false)
    }

    @Test func `JSON Lines take groups nested or flat, and null for no value`() throws {
        let rows = try lines(
            """
            {"id":"a","dosage":{"amount":2.5,"unit":"mg"},"isActive":false}

            {"id":"b","amount":"2.5","unit":"mg","name":null,"dosage.unit":null}
            """.replacing(",\"dosage.unit\":null", with: ""))
        #expect(rows.map(\.line) == [1, 3])
        #expect(rows[0].cells.prefix(2).map(\.value) == rows[1].cells.prefix(2).map(\.value))
        #expect(rows[1].cells.last?.value == .null)
        let none = try #require(try lines(#"{"id":"a","dosage":null}"#).first)
        #expect(none.cells.map(\.value) == [.null, .null])
    }

    @Test func `hostile JSON Lines are refused by line and column`() {
        #expect(lineFailure("{}\n{\"id\":\"a\" 1}").map { [$0.line, $0.column] } == [2, 11])
        #expect(lineFailure("{\"name\":\"ü\",}").map { [$0.line, $0.column] } == [1, 13])
        #expect(lineFailure("[1]").map { [$0.line, $0.column] } == [1, 1])
        #expect(lineFailure(#"{"id":"a","form":"pill"}"#).map { [$0.line, $0.column] } == [1, 2])
        #expect(lineFailure(#"{"id":5}"#) != nil)
        #expect(lineFailure(#"{"id":""}"#) != nil)
        #expect(lineFailure(#"{"isActive":1}"#) != nil)
        #expect(lineFailure(#"{"name":["a"]}"#) != nil)
        #expect(lineFailure(#"{"dosage":2.5}"#) != nil)
        #expect(lineFailure(#"{"dosage":{"dose":2.5}}"#) != nil)
        #expect(lineFailure(#"{"dosage":{"amount":1},"amount":2}"#) != nil)
    }

    @Test func `a plan holds what differs and counts the rest`() throws {
        let visible = [
            record("same", name: "A"), record("other", name: "B"), record("partly", name: "C"),
        ]
        let rows = try csv("id,name,form\nsame,A,\nother,X,\nnew,N,tablet\npartly,C,tablet\n")
        let plan = try plan(rows, visible: visible)
        #expect([plan.created, plan.changed, plan.unchanged] == [1, 2, 1])
        let expected: [Write] = [
            .set(
                collection: 1_000, record: rows[1].id,
                fields: [FieldWrite(1, .text("X"))]),
            .set(
                collection: 1_000, record: rows[2].id,
                fields: [FieldWrite(1, .text("N")), FieldWrite(4, .text("tablet"))]),
            .set(
                collection: 1_000, record: rows[3].id,
                fields: [FieldWrite(4, .text("tablet"))]),
        ]
        #expect(plan.writes == expected)
    }

    @Test func `one id in two lines is refused, two equal lines without ids are one`() throws {
        let twice = try csv("id,name\nx,A\ny,B\nx,C\n")
        let failure = #expect(throws: ImportFailure.self) {
            try plan(twice)
        }
        #expect(failure?.line == 4)
        let equal = try csv("name\nA\nA\n")
        #expect(try plan(equal).writes.count == 1)
    }

    @Test func `formats follow the end of the file's name`() throws {
        for name in ["a.csv", "A.CSV"] { #expect(try ImportRow.Format(of: name) == .csv) }
        for name in ["a.jsonl", "a.ndjson", "a.json"] {
            #expect(try ImportRow.Format(of: name) == .jsonLines)
        }
        #expect(throws: ControlFailure.self) { try ImportRow.Format(of: "a.xlsx") }
    }

    private func record(_ id: String, name: String) -> RecordView {
        guard let id = RecordID(id) else { preconditionFailure("a bad identifier in a test") }
        return RecordView(
            collection: 1_000, id: id, fields: [FieldValues(1, [.text(name)])])
    }
}
