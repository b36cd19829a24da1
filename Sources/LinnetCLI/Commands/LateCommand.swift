import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet late`: shows what removed devices wrote too late, and accepts or drops it.
enum LateCommand {
    static let command = Command(
        "late", words: "[accept|drop DEVICE]",
        summary: "Show what removed devices wrote too late to count; accept it or drop it.",
        details: """
            Without a word it lists what came here of a device after it was removed, or after it
            became a reader, and counts nowhere. 'accept' lets it count on every device, with all
            that lies before it in its chain; an admin does so. 'drop' lists it here no more; it
            stays in the log. The times are those that the device claims.
            """,
        options: [
            Option("chain", "CHAIN", "accept or drop this chain alone, as the list names it"),
            Option("through", "NUMBER", "accept or drop no batch above this one"),
            Option("dropped", nil, "list what was dropped, too"),
        ],
        example: "late --dropped", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        guard let verb = arguments.words.first else {
            guard !arguments.has("chain"), !arguments.has("through") else {
                throw .usage("--chain and --through belong to accept or drop")
            }
            return try await list(invocation)
        }
        guard verb == "accept" || verb == "drop" else {
            throw .usage("the word after 'late' must be one of accept, drop")
        }
        let device = try arguments.words("accept|drop", "DEVICE")[1]
        guard !arguments.has("dropped") else { throw .usage("--dropped belongs to the list") }
        var through: UInt64?
        if let text = arguments.value("through") {
            guard let number = UInt64(text), number > 0 else {
                throw .usage("--through takes a whole number from 1")
            }
            through = number
        }
        let request = LateChoiceRequest(
            device: device, accepts: verb == "accept", chain: arguments.value("chain") ?? "",
            through: through)
        let count = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
        }
        let batches = Plural.batches(count)
        invocation.output.result(
            ["batches": .integer(count), "accepted": .bool(request.accepts)],
            request.accepts
                ? "\(batches) of \(TerminalText.neutral(device)) \(count == 1 ? "counts" : "count")"
                    + " now, here and on every device that hears of it."
                : "\(batches) of \(TerminalText.neutral(device)) \(count == 1 ? "is" : "are")"
                    + " listed here no more.")
    }

    private static func list(_ invocation: Invocation) async throws(ControlFailure) {
        let request = LateWritesRequest(withDropped: invocation.arguments.has("dropped"))
        let found = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
        }
        for late in found { invocation.output.result(LateText.json(late), LateText.lines(late)) }
        if found.isEmpty { invocation.output.note("nothing was written too late", .info) }
    }
}
