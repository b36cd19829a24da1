extension Rule {
    /// The ways in which code names fields.
    static let fields = [
        Rule(
            name: "a field's number is written in its schema alone",
            bad: [
                ("Sources/LinnetMedication/Book.swift", "let stock = record.decimal(1)"),
                ("Sources/LinnetMedication/Book.swift", "let unit = record.text(name, member: 1)"),
                ("Sources/LinnetMedication/Plan.swift", "return .set(FieldWrite(8, .bool(true)))"),
                ("Sources/LinnetMedication/Plan.swift", "FieldWrite(\n    3, members: all)"),
                ("Sources/LinnetMedication/Plan.swift", "return .recount(field: 1, amount)"),
                ("Sources/LinnetReplication/Row.swift", "FieldValues(2, [.bytes(piece)])"),
                ("Sources/Linnet/Node.swift", "let name = fields.first { $0.field == 1 }"),
                ("Sources/Linnet/Node.swift", "let name = collection.field(id: 1)"),
            ],
            good: [
                ("Sources/LinnetMedication/Schema/Schema+Fields.swift", "Field(id: 1, name: n)"),
                ("Sources/LinnetMedication/Book.swift", "let stock = record.decimal(Fields.stock)"),
                ("Sources/LinnetMedication/Plan.swift", "FieldWrite(Fields.dosage, value)"),
                ("Sources/LinnetCRDT/State.swift", "FieldSlot(field: 0, beginning: first)"),
                ("Sources/LinnetCRDT/State.swift", "if slot.field == 0 { return nil }"),
                ("Sources/LinnetStorage/Rows.swift", "let name = try row.text(0)"),
            ],
            check: checkFieldNumbers)
    ]

    /// Readers of a stored record, which take a field's number.
    private static let readers: Set<String> = [
        "value", "text", "flag", "whole", "decimal", "day", "instant", "record", "elements",
    ]

    /// Finds the numbers of fields, and the places of a group's members, that are literals; 0 names
    /// no field but the record itself.
    private static func checkFieldNumbers(_ file: SourceFile, _ context: Context) -> [Finding] {
        guard file.isProduction, !file.path.contains("/Schema/") else { return [] }
        let tokens = file.tokens
        return tokens.indices.compactMap { index in
            guard tokens[index].kind == .number, index > 1 else { return nil }
            let before = tokens[index - 2]
            let isLabelled = tokens[index - 1].isMark(":")
            let isFirst = tokens[index - 1].isMark("(")
            let isCompared =
                tokens[index - 1].isMark("=") && before.isMark("=") && index > 3
                && tokens[index - 3].isWord("field") && tokens[index - 4].isMark(".")
            let isReader =
                isFirst && index > 3 && readers.contains(before.text)
                && tokens[index - 3].isMark(".") && tokens[index - 4].isWord("record")
            let isNumber =
                isCompared && tokens[index].text != "0" || isReader
                || isFirst && (before.isWord("FieldWrite") || before.isWord("FieldValues"))
                || isLabelled && before.isWord("field") && tokens[index].text != "0"
                || isLabelled && before.isWord("member") && tokens[index].text != "0"
                || isLabelled && before.isWord("id") && index > 3
                    && tokens[index - 3].isMark("(") && tokens[index - 4].isWord("field")
            guard isNumber else { return nil }
            return file.finding(tokens[index].line, "the field \(tokens[index].text) has a name")
        }
    }
}
