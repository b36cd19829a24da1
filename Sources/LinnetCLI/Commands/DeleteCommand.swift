import Linnet

/// `linnet delete`: deletes a record.
enum DeleteCommand {
    static let command = Command(
        "delete", words: "C/ID", summary: "Delete a record.",
        example: "delete medication/metformin-500", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID")
        let place = try RecordPath(words[0])
        try place.requireWritable()
        let receipt = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            guard try await gateway.record(place.collection, place.id) != nil else {
                throw ControlFailure.failed(
                    "there is no \(place.text); see 'linnet list \(place.collection.name)'")
            }
            return try await gateway.write([
                .delete(collection: place.collection.id, record: place.id)
            ])
        }
        invocation.output.result(place.json(receipt), "Deleted: \(place.text)")
    }
}
