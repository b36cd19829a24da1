import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetWire

/// Draws an emergency card on pages to print, four codes on each.
enum CardSheet {
    private static let codesPerPage = 4

    static func write(
        _ card: EmergencyCard, to path: String, _ output: Output
    ) throws(ControlFailure) {
        let parts: [String]
        do throws(CardError) {
            parts = try card.parts()
        } catch {
            throw ControlFailure(error)
        }
        guard let pages = pages(card, parts) else { throw .failed("a part fits into no code") }
        let paths = pages.indices.map { Self.path(path, page: $0 + 1) }
        for path in paths where FilePath.kind(of: path) != .missing {
            throw .failed("\(TerminalText.neutral(path)) exists already: choose another name")
        }
        for (path, page) in zip(paths, pages) { try CardMaking.create(Array(page.utf8), at: path) }
        let shown = paths.map(TerminalText.neutral).joined(separator: ", ")
        output.result(
            [
                "pages": .array(paths.map(JSON.text)), "parts": .integer(parts.count),
                "expires": .integer(card.expiresMilliseconds),
            ],
            "The card is on \(Plural.of(pages.count, "page")): \(shown). Whoever sees them can read"
                + " it; print them, then delete the files.")
    }

    /// The name of a page: that of the first has no number.
    static func path(_ path: String, page: Int) -> String {
        if page == 1 { return path }
        guard path.hasSuffix(".svg") else { return "\(path)-\(page)" }
        return "\(path.dropLast(4))-\(page).svg"
    }

    /// Draws the pages; nil where a part fits into no code.
    static func pages(_ card: EmergencyCard, _ parts: [String]) -> [String]? {
        let count = (parts.count + codesPerPage - 1) / codesPerPage
        var pages: [String] = []
        for page in 0..<count {
            let range =
                page * codesPerPage..<min(parts.count, (page + 1) * codesPerPage)
            var body = heading(card, page + 1, of: count)
            for index in range {
                guard let modules = QRCode.modules(of: parts[index], isPacked: true) else {
                    return nil
                }
                let (x, y) = (
                    130 + (index - range.lowerBound) % 2 * 940,
                    560 + (index - range.lowerBound) / 2 * 980
                )
                body += PrintedPage.code(modules, x: x, y: y, side: 900)
                body += PrintedPage.text(
                    "\(index + 1) of \(parts.count)", x: x + 380, y: y + 925, size: 36)
            }
            pages.append(
                PrintedPage.document(
                    body + advice(card), description: parts[range].joined(separator: "\n")))
        }
        return pages
    }

    private static func heading(_ card: EmergencyCard, _ page: Int, of count: Int) -> String {
        let until = CardTime.text(card.expiresMilliseconds)
        let title = String(TerminalText.neutral(card.title).prefix(60))
        return PrintedPage.text(
            count == 1 ? "Emergency card" : "Emergency card, page \(page) of \(count)", x: 160,
            y: 260, size: 100)
            + PrintedPage.text(title, x: 160, y: 370, size: 60)
            + PrintedPage.text(
                "Made \(CardTime.text(card.issuedMilliseconds)). Do not rely on it after \(until).",
                x: 160, y: 460, size: 44)
    }

    private static func advice(_ card: EmergencyCard) -> String {
        let lines = [
            "Scan every code, put the texts together, in any order, and either paste them into the",
            "page card.html of Linnet, which needs no network, or save them and run:",
            "linnet card show FILE",
            "Whoever has a photograph of all codes can read the card, also later.",
            "Key of the device: \(card.fingerprint.joined(separator: " "))",
        ]
        var text = ""
        for (index, line) in lines.enumerated() {
            text += PrintedPage.text(line, x: 160, y: 2_580 + index * 62, size: 42)
        }
        return text
    }
}

/// Writes the times of cards.
enum CardTime {
    static func text(_ milliseconds: Int64) -> String {
        let text = CivilTime.instantText(milliseconds: milliseconds)
        return text.prefix(10) + " " + text.dropFirst(11).prefix(5) + " UTC"
    }
}
