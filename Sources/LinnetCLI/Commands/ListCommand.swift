import Linnet
import LinnetAPI
import LinnetControl

/// `linnet list`: shows the records of a collection.
enum ListCommand {
    static let command = Command(
        "list", words: "C", summary: "Show the records of a collection.",
        example: "list medication", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C")
        let progress = ReadingDisplay(.showing, invocation.output)
        defer { progress.end() }
        let (records, collection) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try Column.collection(named: words[0], in: schema)
        } _: { (gateway, collection) throws(ControlFailure) in
            (try await gateway.records(of: collection) { progress.tell($0) }, collection)
        }
        progress.show(records, of: collection, invocation.output)
        if records.isEmpty { invocation.output.note("\(collection.name) is empty", .info) }
    }
}
