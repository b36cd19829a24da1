import Linnet
import LinnetCRDT

/// `linnet watch`: what changes, while it changes.
enum WatchCommand {
    static let command = Command(
        "watch", words: "[C | C/ID]", summary: "Show records whenever they change, until stopped.",
        details: """
            A record is shown as it is now and again whenever it looks different; a collection, or
            everything, from now on. 'linnet run' may run beside it, start and stop.
            """,
        example: "watch medication", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        if words.count > 1 { throw .usage("unexpected argument '\(words[1])'") }
        let output = invocation.output
        try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            (schema, try observation(words.first, schema))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (schema, (observation, place)) = parsed
            try await gateway.perform(.observe(observation), isLong: true) {
                (response) throws(ControlFailure) in
                switch response {
                case .changed(let changes):
                    for change in changes {
                        guard let collection = schema.collection(id: change.collection) else {
                            continue
                        }
                        show(change.record, change.id, collection, output)
                    }
                case .records(let records):
                    if let place { show(records.first, place.id, place.collection, output) }
                default: return nil
                }
                return .more
            }
        }
    }

    private static func observation(
        _ word: String?, _ schema: Schema
    ) throws(ControlFailure) -> (ControlObservation, RecordPath?) {
        guard let word else { return (.changes(collection: nil), nil) }
        guard word.contains("/") else {
            let collection = try Column.collection(named: word, in: schema)
            return (.changes(collection: collection.id), nil)
        }
        let place = try RecordPath(word, schema)
        return (.record(collection: place.collection.id, record: place.id), place)
    }

    private static func show(
        _ record: ControlRecord?, _ id: RecordID, _ collection: Collection, _ output: Output
    ) {
        guard let record else {
            let text = "\(collection.name)/\(TerminalText.neutral(id.description))"
            return output.result(
                [
                    "event": "gone", "collection": .text(collection.name),
                    "id": .text(id.description),
                ], "\(text)  is gone")
        }
        guard case .object(let members) = RecordText.json(record, collection) else { return }
        output.result(
            .object([JSON.Member("event", "record")] + members),
            "\(collection.name)/" + RecordText.summary(record, collection))
    }
}
