import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// `linnet card`: asks for a card, and seals it here, so that no key of a card is told to a node.
enum CardMaking {
    static func make(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let isFile = arguments.has("file")
        guard isFile != arguments.has("svg") else {
            throw .usage("name the card with --svg FILE or with --file FILE")
        }
        if !isFile, arguments.has(CardCommand.passphraseFile.name) {
            throw .usage("--\(CardCommand.passphraseFile.name) belongs to --file")
        }
        let path = arguments.value(isFile ? "file" : "svg") ?? ""
        if path.isEmpty { throw .usage("the name of a file must not be empty") }
        let request = try request(arguments)
        let passphrase = try chosenPassphrase(invocation)
        let made = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(request)
        }
        let card = try made.card()
        if isFile {
            try write(card, under: passphrase, to: FilePath.absolute(path), invocation.output)
        } else {
            try CardSheet.write(card, to: FilePath.absolute(path), invocation.output)
        }
    }

    private static func request(_ arguments: Arguments) throws(ControlFailure) -> CardRequest {
        let text = arguments.value("days") ?? "7"
        guard let days = UInt32(text), (1...Limits.cardDays).contains(Int(days)) else {
            throw .usage("--days takes whole days, from 1 to \(Limits.cardDays)")
        }
        var scopes: [String]?
        if let list = arguments.value("scopes") {
            let names = list.split(separator: ",", omittingEmptySubsequences: false)
            guard !names.contains("") else { throw .usage("--scopes takes names with commas") }
            scopes = names.map(String.init)
        }
        return CardRequest(scopes: scopes, title: arguments.value("title") ?? "", days: days)
    }

    private static func chosenPassphrase(
        _ invocation: Invocation
    ) throws(ControlFailure) -> Passphrase? {
        guard let path = invocation.arguments.value(CardCommand.passphraseFile.name) else {
            return nil
        }
        return try PassphraseInput.read(file: path)
    }

    private static func write(
        _ card: EmergencyCard, under chosen: Passphrase?, to path: String, _ output: Output
    ) throws(ControlFailure) {
        var drawn: [String] = []
        let box: [UInt8]
        do throws(CardError) {
            if let chosen {
                box = try card.sealed(by: chosen)
            } else {
                drawn = try EmergencyCard.drawPassphrase()
                guard let words = Passphrase(drawn.joined(separator: " ")) else {
                    throw .passphraseTooShort
                }
                box = try card.sealed(by: words)
            }
        } catch {
            throw ControlFailure(error)
        }
        try create(box, at: path)
        let words: JSON = drawn.isEmpty ? .null : .array(drawn.map(JSON.text))
        output.result(
            ["card": .text(path), "words": words, "expires": .integer(card.expiresMilliseconds)],
            "The card is \(TerminalText.neutral(path))."
                + (drawn.isEmpty
                    ? ""
                    : " These words open it, and nothing else does:\n\n    "
                        + drawn.joined(separator: " ") + "\n"))
    }

    /// Writes a file that is not there yet.
    static func create(_ bytes: [UInt8], at path: String) throws(ControlFailure) {
        do throws(HomeError) {
            let file = try OpenFile.creating(at: path)
            try file.write(bytes, at: 0)
            try file.synchronize()
        } catch {
            if case .fileExists(let path) = error {
                throw .failed("\(path) exists already: choose another name")
            }
            throw .failed(error.commandText)
        }
    }
}
