import LinnetAPI

/// The page that says what was wrong with a request.
enum ErrorPage {
    /// The elements of the head of a page that is made here. Without the icon's a browser asks for
    /// one under a path of its own.
    static let links = """
        <link rel="stylesheet" href="/app.css"/>
        <link rel="icon" href="/icon.svg" type="image/svg+xml"/>
        """

    /// Returns the answer to a refused request: a page for a browser, else JSON.
    static func answer(
        _ refusal: Doorkeeper.Refusal, to request: HTTPRequest
    ) -> HTTPAnswer {
        guard request.wantsPage else {
            return .refusal(
                refusal.status, refusal.code, refusal.message, remedy: refusal.remedy)
        }
        return .page(
            html(refusal.message, refusal.remedy, status: refusal.status), status: refusal.status)
    }

    private static func html(_ message: String, _ remedy: String?, status: UInt32) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Linnet: refused</title>
        \(links)</head>
        <body><main class="refused">
        <h1>This was refused (\(status))</h1>
        <p>\(MedPage.escaped(message)).</p>
        \(remedy.map { "<p>\(MedPage.escaped($0))</p>" } ?? "")
        </main></body></html>

        """
    }
}
