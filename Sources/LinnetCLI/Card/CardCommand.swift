import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet card`: makes an emergency card, and shows one.
enum CardCommand {
    static let passphraseFile = Option(
        "card-passphrase-file", "FILE",
        "the passphrase of the card, on one line, at least 12 characters")

    static let command = Command(
        "card", words: "[show FILE...]",
        summary: "Make a card for an emergency, as a page to print or as a file, or show one.",
        details: """
            A card holds what some scopes show now, signed by this device, and says until when to
            rely on it. With --svg it is QR codes that carry their own key: whoever sees or
            photographs them can read it. With --file it is a file under a passphrase, for which
            words are drawn unless you give one. Without --scopes it shows every scope that all
            devices hold. 'show' needs no home, no group and no network: give it the file, the
            pages, or a file with the texts of all codes in any order; docs/card.html does the same
            in a browser. Nobody can take a card back: the days only say how long to believe it.
            """,
        options: [
            Option("days", "N", "how long to rely on it, from 1 to 366; 7 if not given"),
            Option("scopes", "A,B", "what to show; a part of a divided scope is named as A/PART"),
            Option("title", "TEXT", "a line that says whose card it is"),
            Option("svg", "FILE", "the page to write; more pages are FILE-2.svg and so on"),
            Option("file", "FILE", "the sealed file to write"), passphraseFile,
            Option("expired", nil, "with show: also a card that is not to be relied on any more"),
        ],
        preparation: Command.sample,
        example: "card --days 7 --scopes meds --svg card.svg", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        guard let verb = arguments.words.first else {
            if arguments.has("expired") { throw .usage("--expired belongs to 'card show'") }
            return try await CardMaking.make(invocation)
        }
        guard verb == "show" else { throw .usage("the word after 'card' must be show") }
        for option in ["days", "scopes", "title", "svg", "file"] where arguments.has(option) {
            throw .usage("--\(option) does not belong to 'card show'")
        }
        try CardShowing.show(Array(arguments.words.dropFirst()), invocation)
    }
}

extension ControlFailure {
    /// Makes the failure of a command from that of a card.
    init(_ error: CardError) {
        self.init(LinnetError.card(error))
    }
}
