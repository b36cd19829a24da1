import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

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
        if prints { return try await show(node, invocation.output) }
        try await open(node, invocation.output)
    }

    private static func show(
        _ node: Gateway, _ output: Output
    ) async throws(ControlFailure) {
        let link = try await node.ask(DashboardRequest(waits: false))
        let seconds = link.lifetimeMilliseconds / 1_000
        output.result(
            ["url": .text(link.url), "seconds": .integer(seconds)],
            "\(link.url)\nIt opens the page once, within \(seconds) seconds.")
    }

    private static func open(
        _ node: Gateway, _ output: Output
    ) async throws(ControlFailure) {
        let browser = try BrowserProgram.find()
        var file: RedirectFile?
        defer { file?.remove() }
        try await node.converse(DashboardRequest(waits: true)) {
            (link) throws(ControlFailure) in
            let made = try RedirectFile(to: link.url)
            file = made
            Signals.onTermination {
                made.remove()
                _exit(130)
            }
            _ = try ChildProcess(
                browser + [made.path], environment: [], output: "/dev/null", error: "/dev/null")
            output.say("The browser was started; waiting until it opens the page.")
            return nil
        }
        output.result(["opened": true], "The page is open.")
    }
}

/// The program that shows pages.
private enum BrowserProgram {
    /// Returns the words that start it, without the page; throws when there is none.
    static func find() throws(ControlFailure) -> [String] {
        let chosen = Environment.value("BROWSER")?.split(separator: ":").first.map(String.init)
        #if canImport(Darwin)
            let usual = ["open"]
        #else
            let usual = ["xdg-open", "sensible-browser", "x-www-browser"]
        #endif
        for name in [chosen].compactMap({ $0 }) + usual {
            if let path = path(of: name) { return [path] }
        }
        throw .failed(
            "no browser was found: set BROWSER to one, or use 'linnet dashboard --print' and open"
                + " the link yourself")
    }

    private static func path(of name: String) -> String? {
        let places =
            name.contains("/")
            ? [name]
            : (Environment.value("PATH") ?? "").split(separator: ":").map { "\($0)/\(name)" }
        return places.first { unsafe access($0, X_OK) == 0 }
    }
}

/// A page of mode 0600 that leads to a link. Its directory is not a hidden one, which packed
/// browsers cannot read.
private struct RedirectFile: Sendable {
    private let directory: TemporaryDirectory

    var path: String { "\(directory.path)/open.html" }

    init(to url: String) throws(ControlFailure) {
        directory = try TemporaryDirectory(
            "linnet-dashboard", in: Environment.value("HOME") ?? "/tmp")
        let page = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Linnet</title>
            <meta name="referrer" content="no-referrer">
            <meta http-equiv="refresh" content="0;url=\(url)"></head>
            <body><p><a href="\(url)">Open the dashboard</a></p></body></html>

            """
        do throws(ControlFailure) {
            try FileText.write(page, to: path)
        } catch {
            directory.remove()
            throw error
        }
    }

    func remove() { directory.remove() }
}
