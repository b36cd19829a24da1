import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Hands a person the link of a dashboard.
enum PageOpening {
    /// Shows a link.
    static func show(
        _ node: Gateway, _ output: Output
    ) async throws(ControlFailure) {
        let link = try await node.ask(DashboardRequest(waits: false))
        let seconds = link.lifetimeMilliseconds / 1_000
        output.result(
            ["url": .text(link.url), "seconds": .integer(seconds)],
            "\(link.url)\nIt opens the page once, within \(seconds) seconds.")
    }

    /// Opens a link in the browser of the person, and waits until it is used.
    ///
    /// - Parameter endsProgram: true when a signal ends the program meanwhile; else whoever calls
    ///   listens for it.
    static func open(
        _ node: Gateway, _ output: Output, endsProgram: Bool = true
    ) async throws(ControlFailure) {
        let browser = try BrowserProgram.find()
        var file: RedirectFile?
        defer { file?.remove() }
        try await node.converse(DashboardRequest(waits: true)) {
            (link) throws(ControlFailure) in
            let made = try RedirectFile(to: link.url)
            file = made
            if endsProgram {
                Signals.onTermination {
                    made.remove()
                    _exit(130)
                }
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
            if let path = ProgramPath.find(name) { return [path] }
        }
        throw .failed(
            "no browser was found: set BROWSER to one, or use 'linnet dashboard --print' and open"
                + " the link yourself")
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
