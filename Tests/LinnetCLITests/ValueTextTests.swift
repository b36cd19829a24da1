import Linnet
import LinnetAPI
import LinnetControl
import LinnetMedication
import Testing

@testable import LinnetCLI

struct ValueTextTests {
    private func column(_ name: String) throws -> Column {
        try Column.named(name, in: Schema.medication)
    }

    private func message(_ name: String, _ text: String) throws -> String? {
        let column = try column(name)
        return #expect(throws: ControlFailure.self) { try ValueText.parse(text, for: column) }?
            .message
    }

    @Test func `columns are found by their own name or the group's`() throws {
        #expect(try column("amount") == column("dosage.amount"))
        #expect(try column("unit").member == 1)
        #expect(Column.all(of: Schema.medication).count == 17)
        let failure = #expect(throws: ControlFailure.self) { try column("ammount") }
        #expect(failure == .usage("medication has no field 'ammount'; did you mean 'amount'?"))
        let far = #expect(throws: ControlFailure.self) { try column("zzzzzz") }
        #expect(far?.message.contains("its fields are name, genericName, amount, unit") == true)
        #expect(throws: ControlFailure.self) {
            try Column.collection(named: "medicine", in: .demonstration)
        }
        #expect(try Column.collection(named: "medication", in: .demonstration).id == 1_000)
    }

    @Test func `values are read by the column's type`() throws {
        #expect(try ValueText.parse("2.50", for: column("amount")).description == "2.5")
        #expect(try ValueText.parse("mg", for: column("unit")) == .text("mg"))
        #expect(try ValueText.parse("true", for: column("isActive")) == .bool(true))
        #expect(
            try ValueText.parse("2024-02-29", for: column("startDate")).description == "2024-02-29")
        #expect(try ValueText.parse(JSON.number("0.1"), for: column("amount")).description == "0.1")
        #expect(try ValueText.parse(JSON.null, for: column("amount")) == .null)
    }

    @Test func `a wrong value is refused with the allowed ones`() throws {
        #expect(
            try message("form", "pill")
                == "form must be one of tablet, capsule, liquid, injection, cream, patch, inhaler, "
                + "drops, other, not 'pill'")
        #expect(
            try message("amount", "a lot")
                == "amount must be a decimal number such as 2.5, not 'a lot'")
        #expect(try message("isActive", "yes") == "isActive must be true or false, not 'yes'")
        #expect(
            try message("startDate", "2023-02-29")
                == "startDate must be a date such as 2025-03-31, not '2023-02-29'")
        #expect(throws: ControlFailure.self) {
            try ValueText.parse(JSON.bool(true), for: column("amount"))
        }
    }

    @Test func `records read well as JSON, as lines and in short`() throws {
        let id = try #require(RecordID("x"))
        let amount = try #require(Decimal64(parsing: "0.05"))
        let record = RecordView(
            collection: 1_000, id: id,
            fields: [
                FieldValues(1, [.text("A\u{1b}[2J")]),
                FieldValues(3, [.decimal(amount), .text("mg")]), FieldValues(4, [.null]),
            ])
        #expect(
            RecordText.json(record, Schema.medication).line
                == #"{"collection":"medication","id":"x","fields":{"name":"A\u001b[2J","#
                + #""dosage":{"amount":0.05,"unit":"mg"}}}"#)
        let lines = RecordText.lines(record, Schema.medication)
        #expect(lines == "medication/x\n  name = A\\u{1b}[2J\n  amount = 0.05\n  unit = mg")
        #expect(RecordText.summary(record, Schema.medication) == "x  A\\u{1b}[2J · 0.05 mg")
    }

    @Test func `text from elsewhere is made harmless and other text left alone`() {
        #expect(TerminalText.neutral("Küche 😀") == "Küche 😀")
        #expect(TerminalText.neutral("a\nb\u{9b}c\u{202e}d") == "a\\u{a}b\\u{9b}c\\u{202e}d")
    }

    @Test(arguments: [
        ("1e3", "1000"), ("-1.50", "-1.5"), ("2.50E1", "25"), ("12e-1", "1.2"), ("0.0", "0"),
        ("1e-3", "0.001"), ("7", "7"), ("-0.25", "-0.25"), ("100e-2", "1"),
    ])
    func `a number with an exponent is the same number without one`(text: String, plain: String) {
        #expect(NumberText(text)?.plain == plain)
    }

    @Test(arguments: ["", "-", "1.", ".5", "1e", "e3", "1e9999999999", "NaN", "0x1", "1 ", "+1"])
    func `what is no number of JSON is none`(text: String) {
        #expect(NumberText(text) == nil)
        #expect(NumberText("1e401")?.plain == nil)
    }

    @Test func `a printed command is read by a shell as its words`() {
        #expect(ShellWord.line(["a", "/tmp/x-1.y", "--b=c"]) == "a /tmp/x-1.y --b=c")
        #expect(ShellWord.line(["a b", "", "it's", "$x", "~"]) == "'a b' '' 'it'\\''s' '$x' '~'")
    }

    @Test func `a QR code has finder patterns and a quiet zone`() throws {
        let drawing = try #require(QRCode.drawing(of: "linnet:1?d=x"))
        let lines = drawing.split(separator: "\n").map {
            $0.replacing("\u{1b}[30;47m", with: "").replacing("\u{1b}[0m", with: "")
        }
        let width = lines[0].count
        #expect(lines.allSatisfy { $0.count == width })
        #expect(lines[0].allSatisfy { $0 == " " })
        #expect(lines.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        #expect(lines[2].hasPrefix("    █▀▀▀▀▀█"))
        #expect(lines[2].hasSuffix("█▀▀▀▀▀█    "))
        #expect(QRCode.drawing(of: String(repeating: "x", count: 5_000)) == nil)
    }
}
