import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet set`: writes fields of a record.
enum SetCommand {
    static let command = Command(
        "set", words: "C/ID FIELD=VALUE…", summary: "Write fields of a record.",
        details: """
            C/ID is a collection and a record in it, such as medication/m1. 'FIELD=' removes the
            value. Members of a group, such as amount and unit, are named like fields; those that
            are not named keep their values. For a set, tags+=x adds an element and tags-=x removes
            one. For a tally, stock+=30 and stock-=1 count, and stock=12 sets what was counted;
            stock-=1@KEY counts only once, however often and on whatever device the key is given. In
            a log, the fields are a whole new record, which never changes. The exit code is 4 when
            something was written but does not show, and 5 when nothing had to change.
            """,
        options: [
            Option("key", "KEY", "the key for every count without one of its own"), Intent.option,
        ],
        example: "set medication/m1 amount=500 unit=mg tags+=morning", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        try await write(invocation, onlyLogs: false)
    }

    /// Writes the fields that the words give to the record that the first word names.
    static func write(
        _ invocation: Invocation, onlyLogs: Bool
    ) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let first = words.first else { throw .usage("missing argument C/ID") }
        let intent = try Intent.read(invocation.arguments)
        let key = invocation.arguments.value("key")
        if let key, RecordID(key) == nil { throw .usage("--key has 1 to 64 bytes") }
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(writable: first, schema)
            if onlyLogs, place.collection.kind != .log {
                throw .usage("\(place.collection.name) is not a log: use 'linnet set'")
            }
            return (
                place,
                try Assignment.requests(
                    words.dropFirst(), of: place.key, place.collection, key: key)
            )
        } _: { (gateway, parsed) throws(ControlFailure) in
            let (place, requests) = parsed
            return (try await gateway.ask(WritingRequest(requests, intent: intent)), place)
        }
        try WriteReport.tell(
            receipt, of: place, done: "Written", idle: "is so already", invocation.output)
    }
}

/// `linnet insert`: writes a record of a log.
enum InsertCommand {
    static let command = Command(
        "insert", words: "C/ID FIELD=VALUE…", summary: "Write a record of a log, once and for all.",
        details: """
            A log's record is written as a whole and never changes: writing the same again does
            nothing, and writing anything else under its identifier is refused.
            """,
        options: [Intent.option],
        preparation: Command.pantry,
        example: "insert purchase/2025-03-31 of=tea day=2025-03-31", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        try await SetCommand.write(invocation, onlyLogs: true)
    }
}
