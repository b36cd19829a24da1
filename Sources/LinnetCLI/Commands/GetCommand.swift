import Linnet
import LinnetAPI
import LinnetControl

/// `linnet get`: reads a record.
enum GetCommand {
    static let command = Command(
        "get", words: "C/ID", summary: "Show a record.",
        details: """
            A field that holds several values, because devices wrote it at the same time, shows all
            of them and is marked; set it again to settle it.
            """,
        preparation: Command.sample,
        example: "get medication/m1", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID")
        let (record, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try RecordPath(words[0], schema)
        } _: { (gateway, place) throws(ControlFailure) in
            (try await gateway.record(place.collection, place.id), place)
        }
        guard let record else { throw place.missing }
        invocation.output.result(
            RecordText.json(record, place.collection), RecordText.lines(record, place.collection))
    }
}
