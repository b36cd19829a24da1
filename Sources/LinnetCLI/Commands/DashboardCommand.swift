import Linnet
import LinnetAPI
import LinnetControl

/// `linnet dashboard`: opens the page of the running node.
enum DashboardCommand {
    static let command = Command(
        "dashboard", summary: "Open the running node's page in a browser.",
        details: """
            The page shows devices, records with their history, the trash, warnings and medicines as
            they change, and edits them. A link opens it once, within 60 seconds, for this user on
            this machine alone. --open hands it to the browser of $BROWSER, else of the desktop, in
            a file that only you can read, and removes the file when the link was used. --print
            shows it, for a browser that you start yourself.
            """,
        options: [
            Option("open", nil, "start the browser (what happens without an option, too)"),
            Option("print", nil, "show the link"),
        ],
        example: "dashboard --print", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let prints = invocation.arguments.has("print")
        if prints, invocation.arguments.has("open") {
            throw .usage("--open and --print exclude each other")
        }
        guard let node = try Gateway.running(at: invocation.home) else {
            throw .failed(
                "no node runs on \(TerminalText.neutral(invocation.home)), and the page is a"
                    + " running node's: start it with 'linnet run'")
        }
        if prints { return try await PageOpening.show(node, invocation.output) }
        try await PageOpening.open(node, invocation.output)
    }
}
