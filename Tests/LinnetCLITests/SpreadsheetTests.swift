import Linnet
import Testing

@testable import LinnetCLI

/// CSV that people open, and CSV that machines read.
struct SpreadsheetTests {
    @Test(arguments: [
        ("=1+1", "\"'=1+1\""), ("+1+1", "\"'+1+1\""), ("-1+1", "\"'-1+1\""),
        ("@SUM(A1)", "\"'@SUM(A1)\""),
        ("\t=1", "\"'\\u{9}=1\""), ("\r=1", "\"'\\u{d}=1\""), ("\n=1", "\"'\n=1\""),
        (" =1", "\"' =1\""), ("＝1", "\"'＝1\""), ("-5", "\"-5\""), ("-0.25", "\"-0.25\""),
        ("-5-1", "\"'-5-1\""), ("-", "\"'-\""), ("a;=1", "\"a;=1\""), ("a\"=1", "\"a\"\"=1\""),
        ("Metformin 500 mg", "\"Metformin 500 mg\""), ("a\u{202e}b", "\"a\\u{202e}b\""),
        ("", "\"\""),
    ])
    func `a spreadsheet carries nothing out of what a person is given`(text: String, cell: String) {
        #expect(CSVWriter.line([text], for: .person) == cell + "\r\n")
    }

    @Test func `what a machine is given stays as it was`() throws {
        let cells = ["=1+1", "+1", "-1", "@x", "\t=1", "\r=1", "a\u{202e}b", "\u{1b}[2J", "'=1"]
        var reader = CSVReader(Array(CSVWriter.line(cells).utf8))
        #expect(try reader.next()?.cells.map(\.text) == cells)
        #expect(CSVWriter.line([nil, "a"], for: .person) == ",\"a\"\r\n")
    }

    @Test func `an export is read back as it was, and one for people is told apart`() throws {
        let device = try TestDevice.founder()
        let name = "=HYPERLINK(\"http://x\",\"a\")"
        #expect(try device.run("set", "medication/m1", "name=\(name)", "amount=5").code == 0)
        let exact = "\(device.directory)/exact.csv"
        let people = "\(device.directory)/people.csv"
        let words = ["--collection", "medication"]
        #expect(try device.run(["export", exact] + words).code == 0)
        #expect(try device.run(["export", people, "--for-people"] + words).code == 0)
        #expect(device.read(exact).contains("m1,\"=HYPERLINK(\"\"http://x\"\",\"\"a\"\")\","))
        #expect(device.read(people).contains("\"m1\",\"'=HYPERLINK("))
        let copy = try TestDevice.founder()
        #expect(try copy.run(["import", exact] + words).code == 0)
        let record = try copy.run("get", "medication/m1", "--json").objects()[0]
        #expect(record["fields"]?["name"]?.string == name)
        let refused = try device.run(["export", "\(people).jsonl", "--for-people"] + words)
        #expect(refused.code == 2 && refused.error.contains("--for-people is for files in .csv"))
    }

    @Test func `the report for a doctor holds no formula and hides nothing`() throws {
        let device = try TestDevice.founder()
        let name = "=cmd|' /C calc'!A0 \u{202e}x"
        #expect(
            try device.run(
                "med", "add", name, "--amount", "1", "--unit", "mg", "--times", "08:00", "--at",
                "2026-01-10T07:00", "--zone", "UTC"
            ).code == 0)
        for ending in ["csv", "html"] {
            let path = "\(device.directory)/report.\(ending)"
            let outcome = try device.run(
                "med", "report", "--output", path, "--at", "2026-01-11T12:00", "--zone", "UTC")
            #expect(outcome.code == 0, "\(outcome.error)")
            let text = device.read(path)
            #expect(text.contains("\\u{202e}"))
            #expect(!TerminalText.isUnsafe(text.filter { !$0.isNewline }))
            if ending == "csv" { #expect(text.contains("\"'=cmd|")) }
            #expect(!text.contains(",=") && !text.contains("\"="))
        }
    }

    @Test func `numbers as programs write them are imported when the field can hold them`() throws {
        let device = try TestDevice.founder()
        let lines = try device.write(
            "a.jsonl",
            """
            {"id":"a","packageSize":1e2,"amount":2.50}
            {"id":"b","packageSize":30.0,"amount":1.5E-3}
            {"id":"c","packageSize":-0.0,"amount":12e-1}

            """)
        let outcome = try device.run("import", lines, "--collection", "medication")
        #expect(outcome.code == 0, "\(outcome.error)")
        let records = try device.run("list", "medication", "--json").objects()
        let sizes = records.compactMap { $0["fields"]?["packageSize"]?.line }
        let amounts = records.compactMap { $0["fields"]?["dosage"]?["amount"]?.line }
        #expect(sizes == ["100", "30", "0"])
        #expect(amounts == ["2.5", "0.0015", "1.2"])
    }

    @Test func `a field of doubles takes the numbers of JSON`() throws {
        let schema = #"""
            {"version":1,"collections":[{"id":2000,"name":"weight","scope":"s","fields":[
            {"id":1,"name":"kilograms","type":"double"}]}]}
            """#
        let device = TestDevice()
        let file = try device.write("schema.json", schema)
        #expect(
            try device.run("init", "--name", "A", "--kind", "other", "--schema", file).code == 0)
        let lines = try device.write("a.jsonl", #"{"id":"a","kilograms":71.25}"#)
        let outcome = try device.run("import", lines)
        #expect(outcome.code == 0, "\(outcome.error)")
        #expect(try device.run("get", "weight/a").output.contains("kilograms = 71.25"))
    }
}
