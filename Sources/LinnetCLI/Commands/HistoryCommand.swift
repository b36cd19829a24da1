import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet history`: tells what was written to a record or a field, including what lost.
enum HistoryCommand {
    static let command = Command(
        "history", words: "C/ID [FIELD]",
        summary: "Show what was written to a record or a field, newest first, losers included.",
        details: """
            Of changes that were compacted only those are listed that still show, where the field
            tells who wrote them and when.
            """,
        options: [Option("limit", "N", "at most N changes (default 50)")],
        preparation: Command.sample,
        example: "history medication/m1 name", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let first = words.first else { throw .usage("missing argument C/ID") }
        if words.count > 2 { throw .usage("unexpected argument '\(words[2])'") }
        let limit =
            try Numbers.whole(invocation.arguments.value("limit"), option: "limit", from: 1) ?? 50
        let entries = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(first, schema)
            let name = words.count == 2 ? words[1] : nil
            return (
                place,
                try name.map { (name) throws(ControlFailure) in
                    try FieldChoice.field(name, in: place.collection)
                }
            )
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, field) = parsed
            let request = HistoryRequest(place.key, field: field?.id, limit: limit)
            let entries = try await gateway.ask(request)
            if entries.isEmpty { throw .failed(try await silence(of: place, gateway)) }
            return entries
        }
        for entry in entries {
            invocation.output.result(HistoryText.json(entry), HistoryText.line(entry))
        }
    }

    /// Says why no change is told of a record: none was made, or all of them were compacted.
    private static func silence(
        of place: RecordPath, _ gateway: Gateway
    ) async throws(ControlFailure) -> String {
        let record = try await gateway.record(place.collection, place.id)
        let trash = try await gateway.trash(of: place.collection)
        if record == nil, !trash.contains(where: { $0.record.id == place.id }) {
            return "nothing was ever written to \(place.text)"
        }
        return "what was written to \(place.text) was compacted: what it shows is kept, and not how"
            + " it came about"
    }
}

/// `linnet why`: explains the value that a field shows.
enum WhyCommand {
    static let command = Command(
        "why", words: "C/ID FIELD",
        summary: "Explain why a field shows what it shows: who wrote it, when, and who has it.",
        preparation: Command.sample,
        example: "why medication/m1 name", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID", "FIELD")
        let (explanation, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(words[0], schema)
            return (place, try FieldChoice.field(words[1], in: place.collection))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, field) = parsed
            let explanation = try await gateway.ask(ExplanationRequest(place.key, field: field.id))
            if explanation.saysNothing {
                // Of a record that was never written there is nothing to explain.
                let record = try await gateway.record(place.collection, place.id)
                let trash = try await gateway.trash(of: place.collection)
                if record == nil, !trash.contains(where: { $0.record.id == place.id }) {
                    throw place.missing
                }
            }
            return (explanation, place)
        }
        invocation.output.result(
            HistoryText.json(explanation), HistoryText.text(explanation, of: place.text))
    }
}
