import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetCrypto
import LinnetSystem
import LinnetWire

/// `linnet recovery sheet`: a page with the words, to print and put away.
enum RecoverySheet {
    static func write(_ invocation: Invocation) async throws(ControlFailure) {
        guard invocation.arguments.has("svg") else { throw .usage("name the page with --svg FILE") }
        let phrase = try TypedWords.present(invocation)
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RecoveryPhraseRequest(phrase: phrase, next: nil))
        }
        try await write(phrase, invocation)
    }

    /// Writes the page of words that need not be the group's yet.
    static func write(
        _ phrase: Passphrase, _ invocation: Invocation
    ) async throws(ControlFailure) {
        guard let path = invocation.arguments.value("svg"), !path.isEmpty else {
            throw .usage("--svg must not be empty")
        }
        let text = String(decoding: phrase.secret.bytes.exposed(), as: UTF8.self)
        // Some words of the list have a hyphen; a person may also write one between words.
        var words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        if words.count == 1 { words = text.split(separator: "-").map(String.init) }
        guard let svg = svg(words, on: SystemClock.now().wallMilliseconds) else {
            throw .failed("these words are too long for a page")
        }
        do throws(HomeError) {
            let file = try OpenFile.creating(at: FilePath.absolute(path))
            try file.write(Array(svg.utf8), at: 0)
            try file.synchronize()
        } catch {
            throw .failed(error.commandText)
        }
        invocation.output.result(
            ["sheet": .text(FilePath.absolute(path))],
            "The page is \(TerminalText.neutral(path)). Print it, then delete the file.")
    }

    /// Draws an A4 page, in tenths of a millimetre; nil where the words do not fit on it.
    static func svg(_ words: [String], on wallMilliseconds: Int64) -> String? {
        guard (1...14).contains(words.count), words.allSatisfy({ $0.count <= 24 }),
            let modules = QRCode.modules(of: words.joined(separator: " "))
        else { return nil }
        var body = ""
        for (index, word) in words.enumerated() {
            let (column, row) = (index / 7, index % 7)
            body += PrintedPage.text(
                "\(index + 1).  \(word)", x: 200 + column * 480, y: 640 + row * 120, size: 70)
        }
        body += PrintedPage.code(modules, x: 1300, y: 560, side: 600)
        let day = CivilTime.dateText(days: wallMilliseconds / 86_400_000)
        let lines = [
            "Whoever has these words and a copy of any of your devices can read everything,",
            "remove every device and admit new ones. Keep this page away from the devices.",
            "", "When devices are lost, in a new home, with the home or a backup of any device:",
            "linnet recovery use --from BACKUP --lost all --name Laptop --kind laptop",
            "", "When a device in the wrong hands took yours out of the group, on yours:",
            "linnet recovery use --lost DEVICE",
            "", "Once a year, to see that this page is right: linnet recovery test",
            "The order of the words matters; capitals, hyphens and line breaks do not.",
        ]
        for (index, line) in lines.enumerated() where !line.isEmpty {
            body += PrintedPage.text(line, x: 200, y: 1650 + index * 70, size: 40)
        }
        return PrintedPage.document(
            PrintedPage.text("Linnet: recovery words", x: 200, y: 330, size: 110)
                + PrintedPage.text("Drawn on \(day).", x: 200, y: 430, size: 50) + body)
    }
}
