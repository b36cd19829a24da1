import Linnet
import LinnetAPI
import LinnetControl

/// `linnet passphrase`: gives the key file a passphrase, another one, or none.
enum PassphraseCommand {
    static let command = Command(
        "passphrase", words: "set|change|remove",
        summary: "Protect the device's keys with a passphrase, change or remove it.",
        details: """
            With a passphrase, commands ask for it, and so does 'linnet run' at its start. Without
            one, anyone who can read the disk has the keys. A forgotten passphrase cannot be
            recovered: the device must join again. Passphrases are asked for on the terminal, or
            read from files: the present one from --passphrase-file, the next one from
            --new-passphrase-file.
            """,
        options: [
            Option("new-passphrase-file", "FILE", "the new passphrase, as one line")
        ],
        example: "passphrase set", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = try invocation.arguments.words("set|change|remove")
        let change: PassphraseChange
        let (event, text): (String, String)
        switch words[0] {
        case "set":
            if invocation.arguments.has(Option.passphraseFile.name) {
                throw .usage(
                    "'set' is for a key file without a passphrase, and --passphrase-file names"
                        + " the present one: name the new one with --new-passphrase-file FILE")
            }
            change = .set(try next(invocation))
            event = "set"
            text = "The key file is protected by the passphrase now."
        case "change":
            change = .change(from: try invocation.passphrase(), to: try next(invocation))
            event = "changed"
            text = "The key file asks for the new passphrase from now on."
        case "remove":
            if invocation.arguments.has("new-passphrase-file") {
                throw .usage("--new-passphrase-file belongs to set and change")
            }
            change = .remove(try invocation.passphrase())
            event = "removed"
            text = """
                The key file is no longer protected by a passphrase: anyone who can read the disk
                has this device's keys.
                """
        default:
            let word = TerminalText.neutral(words[0])
            throw .usage("there is no 'passphrase \(word)': say set, change or remove")
        }
        try await DeviceAccess.perform(PassphraseRequest(change), invocation) {
            () throws(LinnetError) in
            try Node.changePassphrase(at: invocation.home, change)
        }
        invocation.output.result(["passphrase": .text(event)], text)
        if event != "removed" {
            invocation.output.say(
                "Earlier backups, and old bytes that the disk still keeps, open as before.")
        }
    }

    private static func next(_ invocation: Invocation) throws(ControlFailure) -> Passphrase {
        let option = "new-passphrase-file"
        guard let path = invocation.arguments.value(option) else {
            return try PassphraseInput.askTwice("New passphrase", option: option)
        }
        return try PassphraseInput.read(file: path)
    }
}

/// Carries out what needs no open database: here, or in the node that has the home open.
enum DeviceAccess {
    private static let patienceMilliseconds: Int64 = 5_000

    /// Runs `here` when the home is free, otherwise sends the request to the node that holds it;
    /// gives up after five seconds when neither can be done.
    static func perform(
        _ request: some NodeRequest, _ invocation: Invocation,
        here: () throws(LinnetError) -> Void
    ) async throws(ControlFailure) {
        let deadline = SystemClock.uptimeMilliseconds() + patienceMilliseconds
        while true {
            do throws(LinnetError) {
                return try here()
            } catch {
                guard case .home(.locked) = error else { throw ControlFailure(error) }
                if let node = try Gateway.running(at: invocation.home) {
                    _ = try await node.ask(request)
                    return
                }
                if SystemClock.uptimeMilliseconds() > deadline { throw ControlFailure(error) }
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}
