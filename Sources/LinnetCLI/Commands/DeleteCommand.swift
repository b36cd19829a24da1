import Linnet
import LinnetAPI
import LinnetControl

/// `linnet delete`: deletes a record.
enum DeleteCommand {
    static let command = Command(
        "delete", words: "C/ID", summary: "Delete a record.",
        details: "'linnet trash' shows what is deleted, and 'linnet undelete' brings it back.",
        options: [Intent.option],
        preparation: Command.sample,
        example: "delete medication/m1", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("C/ID")
        let intent = try Intent.read(invocation.arguments)
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            try RecordPath(writable: words[0], schema)
        } _: { (gateway, place) throws(ControlFailure) in
            if intent == nil, try await gateway.record(place.collection, place.id) == nil {
                throw place.missing
            }
            let write = Write(place.key, [.delete])
            return (try await gateway.write([write], intent: intent), place)
        }
        try WriteReport.tell(
            receipt, of: place, done: "Deleted", idle: "is not there", invocation.output)
    }
}
