import Linnet
import LinnetCRDT

/// `linnet set`: writes fields of a record.
enum SetCommand {
    static let command = Command(
        "set", words: "C/ID FIELD=VALUE…", summary: "Write fields of a record.",
        details: """
            C/ID is a collection and a record in it, such as medication/metformin-500. 'FIELD='
            takes the value away. Members of a group, such as amount and unit, are named like
            fields; the ones that are not named keep their value.
            """,
        options: [Intent.option],
        example: "set medication/metformin-500 amount=500 unit=mg", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let first = words.first else { throw .usage("missing argument C/ID") }
        let intent = try Intent.read(invocation.arguments)
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(writable: first, schema)
            return (place, try fields(words.dropFirst(), place.collection))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, fields) = parsed
            let write = ControlWrite.set(collection: place.collection.id, record: place.id, fields)
            return (try await gateway.write([write], intent: intent), place)
        }
        invocation.output.result(
            place.json(receipt), Intent.said("Written: \(place.text)", receipt))
    }

    private static func fields(
        _ words: ArraySlice<String>, _ collection: Collection
    ) throws(ControlFailure) -> [ControlField] {
        if words.isEmpty { throw .usage("missing argument FIELD=VALUE") }
        var fields: [ControlField] = []
        for word in words {
            let field = try field(word, collection)
            let isGiven = fields.contains { $0.field == field.field && $0.member == field.member }
            if isGiven { throw .usage("a field is given twice: \(TerminalText.neutral(word))") }
            fields.append(field)
        }
        return fields
    }

    private static func field(
        _ word: String, _ collection: Collection
    ) throws(ControlFailure) -> ControlField {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw .usage("'\(TerminalText.neutral(word))' is not of the form FIELD=VALUE")
        }
        let column = try Column.named(String(parts[0]), in: collection)
        if parts[1].isEmpty { return column.set(to: .null) }
        return column.set(to: try ValueText.parse(String(parts[1]), for: column))
    }
}
