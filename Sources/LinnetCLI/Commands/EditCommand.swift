import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet edit`: changes a text that several devices may edit at once.
enum EditCommand {
    static let command = Command(
        "edit", words: "C/ID FIELD", summary: "Edit a text: some characters, or the whole of it.",
        details: """
            --at, --delete and --insert replace some characters, counted as a reader counts them, or
            in the unit of --unit; without --at, at the end. --file replaces the whole text but
            keeps what the old and the new have in common, so that what others write meanwhile stays
            in place; '-' is standard input.
            """,
        options: [
            Option("at", "N", "number of characters before the place (default: the end)"),
            Option("delete", "N", "how many characters to delete there"),
            Option("insert", "TEXT", "what to write there"),
            Option(
                "unit", "UNIT",
                "what N counts: characters, scalars (of Unicode) or utf16 (code units)"),
            Option("file", "FILE", "what the whole text becomes; - is standard input"),
            Intent.option,
        ],
        preparation: Command.sample,
        example: "edit medication/m1 instructions --insert 'With water.'", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let words = try arguments.words("C/ID", "FIELD")
        let intent = try Intent.read(arguments)
        let parts = ["at", "delete", "insert"].filter(arguments.has)
        if arguments.has("file") != parts.isEmpty {
            throw .usage(
                parts.isEmpty
                    ? "give --insert TEXT, --delete N or --file FILE"
                    : "--file replaces the whole text: leave --\(parts[0]) out")
        }
        if parts == ["at"] { throw .usage("--at says where: give --insert or --delete too") }
        let offset = try Numbers.whole(arguments.value("at"), option: "at")
        let unit = try unit(arguments)
        let deleted = try Numbers.whole(arguments.value("delete"), option: "delete") ?? 0
        if deleted > 0 && offset == nil { throw .usage("--delete needs --at N") }
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(writable: words[0], schema)
            return (place, try field(words[1], place.collection))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, field) = parsed
            let change: Change
            if let path = arguments.value("file") {
                change = .rewrite(field: field.id, try text(path))
            } else {
                var start = offset
                if start == nil { start = try await length(of: field, place, unit, gateway) }
                change = .edit(
                    field: field.id, at: Int(clamping: start ?? 0),
                    deleting: Int(clamping: deleted),
                    inserting: arguments.value("insert") ?? "", unit: unit)
            }
            return (try await gateway.write([Write(place.key, [change])], intent: intent), place)
        }
        try WriteReport.tell(
            receipt, of: place, done: "Edited", idle: "is so already", invocation.output)
    }

    private static func field(
        _ name: String, _ collection: Collection
    ) throws(ControlFailure) -> Field {
        let field = try Column.named(name, in: collection).field
        guard field.kind == .text else {
            let texts = collection.fields.filter { $0.kind == .text }.map(\.name)
            throw .usage(
                "\(field.name) is not an editable text: use 'linnet set'"
                    + (texts.isEmpty ? "" : "; texts are \(texts.joined(separator: ", "))"))
        }
        return field
    }

    private static func unit(_ arguments: Arguments) throws(ControlFailure) -> TextUnit {
        guard let word = arguments.value("unit") else { return .characters }
        if arguments.has("file") {
            throw .usage("--file replaces the whole text: leave --unit out")
        }
        guard let unit = TextUnit(rawValue: word) else {
            let units = TextUnit.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--unit is one of \(units)")
        }
        return unit
    }

    private static func length(
        of field: Field, _ place: RecordPath, _ unit: TextUnit, _ gateway: Gateway
    ) async throws(ControlFailure) -> UInt64 {
        let record = try await gateway.record(place.collection, place.id)
        let value = record.flatMap { Column(field: field, member: 0).value(in: $0) }
        if case .text(let text) = value { return UInt64(text.length(in: unit)) }
        return 0
    }

    private static func text(_ path: String) throws(ControlFailure) -> String {
        let bytes = try FileText.read(path == "-" ? "/dev/stdin" : path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .failed("\(TerminalText.neutral(path)) is not UTF-8")
        }
        return text
    }
}
