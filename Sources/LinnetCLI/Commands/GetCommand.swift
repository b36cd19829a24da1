import Linnet

/// `linnet get`: reads a record.
enum GetCommand {
    static let command = Command(
        "get", words: "C/ID", summary: "Show a record.",
        example: "get medication/metformin-500", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID")
        let place = try RecordPath(words[0])
        let record = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.record(place.collection, place.id)
        }
        guard let record else {
            throw .failed(
                "there is no \(place.text); see 'linnet list \(place.collection.name)'")
        }
        invocation.output.result(
            RecordText.json(record, place.collection), RecordText.lines(record, place.collection))
    }
}
