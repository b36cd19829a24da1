import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet questions`: shows what other devices did to the group, and takes the person's answers.
enum QuestionsCommand {
    static let command = Command(
        "questions", words: "[yes|no RECORD]",
        summary: "Show what other devices did to the group, and say whether that was you.",
        details: """
            Each device that was let in, taken out, or given another role than admin by another
            device is a question: was that you? RECORD is the beginning of a record's identifier,
            as the list shows it. 'yes' to a device that was let in has this device accept it,
            which it else does by itself after seven days: until then what the newcomer says in a
            quarrel about this device counts for nothing. 'no' keeps it from that. 'no' to a
            removal or a role is a vote against it.
            """,
        options: [Option("all", nil, "list what you answered, too")],
        example: "questions --all", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        guard let verb = arguments.words.first else { return try await list(invocation) }
        guard verb == "yes" || verb == "no" else {
            throw .usage("the word after 'questions' must be one of yes, no")
        }
        let record = try arguments.words("yes|no", "RECORD")[1]
        guard !arguments.has("all") else { throw .usage("--all belongs to the list") }
        let isOwn = verb == "yes"
        let question = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let asked = try await gateway.ask(QuestionsRequest(withAnswered: true))
            _ = try await gateway.ask(QuestionAnswerRequest(record: record, isOwn: isOwn))
            return asked.first { $0.record.hasPrefix(record.lowercased()) }
        }
        guard var question else { return }
        question.answer = verb
        invocation.output.result(
            QuestionText.json(question), QuestionText.consequence(of: question, isOwn: isOwn))
    }

    private static func list(_ invocation: Invocation) async throws(ControlFailure) {
        let request = QuestionsRequest(withAnswered: invocation.arguments.has("all"))
        let found = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
        }
        let now = SystemClock.now().wallMilliseconds
        for question in found {
            invocation.output.result(
                QuestionText.json(question), QuestionText.lines(question, now: now))
        }
        if found.isEmpty { invocation.output.note("nothing is asked", .info) }
    }
}
