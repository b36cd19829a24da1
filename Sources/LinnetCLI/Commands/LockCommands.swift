import Linnet
import LinnetAPI
import LinnetControl

/// `linnet lock`: takes the keys out of a running node's memory.
enum LockCommand {
    static let command = Command(
        "lock", summary: "Take the keys out of the running node's memory.",
        details: """
            The node ends its connections, closes its database and answers nothing but 'status'
            until 'linnet unlock'. The key file must have a passphrase ('linnet passphrase set').
            """,
        example: "lock", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        guard let node = try Gateway.running(at: invocation.home) else {
            throw .failed(
                "no node runs on \(invocation.home), so its keys are not in memory."
                    + " 'linnet lock' is for a device that 'linnet run' keeps in step")
        }
        try await node.ask(LockRequest())
        invocation.output.result(
            ["locked": true],
            "Locked: the keys are out of memory. 'linnet unlock' opens the device again.")
    }
}

/// `linnet unlock`: gives a locked node its passphrase.
enum UnlockCommand {
    static let command = Command(
        "unlock", summary: "Give the running node the passphrase after 'linnet lock'.",
        example: "unlock", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        guard let node = try Gateway.running(at: invocation.home) else {
            throw .failed("no node runs on \(invocation.home); start it with 'linnet run'")
        }
        if try await !node.ask(StatusRequest()).isLocked { throw .failed("the node is not locked") }
        let problem = try await node.ask(UnlockRequest(try invocation.passphrase())).first?.text
        if let problem {
            invocation.output.note(
                "\(TerminalText.neutral(problem)). The node tries again by itself", .warning)
        }
        invocation.output.result(
            ["locked": false, "isWritable": .bool(problem == nil)],
            problem == nil
                ? "Unlocked: the device takes part again." : "Unlocked, for reading only.")
    }
}
