import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet recovery`: makes, tests, replaces and uses the seven words that stand above all devices.
enum RecoveryCommand {
    static let wordsFile = Option(
        "words-file", "FILE", "the recovery words, on one line; asked for if not given")
    static let newWordsFile = Option(
        "new-words-file", "FILE", "words of your own, on one line, at least 12 characters")
    static let lost = Option(
        "lost", "DEVICE", repeats: true, "with use: a lost device; or all, or none")

    static let command = Command(
        "recovery", words: "[create|test|replace|use|sheet]",
        summary: "Make, test, replace or use the words that bring back a group.",
        details: """
            Whoever has the seven words and a copy of any device, be it a backup, can remove every
            device, admit a new one and read everything: keep them on paper, away from the devices.
            'create' draws them on the device that founded the group. 'test' proves that they are
            right, and changes nothing. 'replace' takes the old ones and draws new ones. 'use'
            removes lost devices for good, also one that removed this device; with --from it makes
            a new device in a new home out of the home or the backup of any device of the group,
            and with --mailbox out of what the devices left in that mailbox, which needs words that
            were drawn.
            'sheet' draws a page to print. Without a word it says whether there are words.
            """,
        options: [
            wordsFile, newWordsFile, lost,
            Option("from", "COPY", "with use: the home or the backup of any device of the group"),
            Option("mailbox", "ADDRESS", "with use: a mailbox of the group, as folder:/PATH"),
            Option("name", "NAME", "with use --from or --mailbox: what you call the new device"),
            Option("kind", "KIND", "with that name: phone, watch, laptop, hub or other"),
            Option("svg", "FILE", "with sheet or create: the page to write"),
        ] + MailboxAccount.options,
        example: "recovery create", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        guard let verb = words.first else {
            try check(invocation, allowed: [])
            return try await RecoveryState.show(invocation)
        }
        guard words.count == 1 else { throw .usage("unexpected argument '\(words[1])'") }
        switch verb {
        case "create":
            try check(invocation, allowed: ["new-words-file", "svg"])
            try await RecoveryMaking.create(invocation)
        case "replace":
            try check(invocation, allowed: ["words-file", "new-words-file", "svg"])
            try await RecoveryMaking.replace(invocation)
        case "test":
            try check(invocation, allowed: ["words-file"])
            try await test(invocation)
        case "sheet":
            try check(invocation, allowed: ["words-file", "svg"])
            try await RecoverySheet.write(invocation)
        case "use":
            try check(
                invocation,
                allowed: ["words-file", "lost", "from", "mailbox", "name", "kind"]
                    + MailboxAccount.options.map(\.name))
            try await RecoveryUse.run(invocation)
        default:
            throw .usage(
                "the word after 'recovery' must be one of create, test, replace, use, sheet")
        }
    }

    private static func check(
        _ invocation: Invocation, allowed: [String]
    ) throws(ControlFailure) {
        for option in command.options.map(\.name)
        where invocation.arguments.has(option) && !allowed.contains(option) {
            throw .usage("--\(option) does not belong to this")
        }
    }

    private static func test(_ invocation: Invocation) async throws(ControlFailure) {
        let phrase = try TypedWords.present(invocation)
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RecoveryPhraseRequest(phrase: phrase, next: nil))
        }
        invocation.output.result(
            ["recovery": "tested"],
            "These are the recovery words of the group; nobody was removed with them.")
    }
}

/// Reads recovery words from a file or from the person.
enum TypedWords {
    /// The words that the group has.
    static func present(_ invocation: Invocation) throws(ControlFailure) -> Passphrase {
        if let path = invocation.arguments.value(RecoveryCommand.wordsFile.name) {
            return try PassphraseInput.read(file: path)
        }
        return try PassphraseInput.ask(
            "Recovery words: ", option: RecoveryCommand.wordsFile.name)
    }

    /// The words that the person chose; nil to draw some.
    static func chosen(_ invocation: Invocation) throws(ControlFailure) -> Passphrase? {
        guard let path = invocation.arguments.value(RecoveryCommand.newWordsFile.name) else {
            return nil
        }
        return try PassphraseInput.read(file: path)
    }
}

/// `linnet recovery` without a word: says whether there are words.
enum RecoveryState {
    static func show(_ invocation: Invocation) async throws(ControlFailure) {
        let state = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RecoveryStatusRequest())
        }
        let now = SystemClock.now().wallMilliseconds
        invocation.output.result(StatusText.json(state), text(state, now: now))
    }

    static func text(_ state: ControlRecovery, now: Int64) -> String {
        guard let made = state.madeMilliseconds else { return hint(state) ?? "" }
        let tested =
            state.testedMilliseconds.map { "tested here \(Ago.words(now - $0))" }
            ?? "never tested here"
        let due = state.isTestDue ? "; test them again: 'linnet recovery test'" : ""
        let doors =
            state.opensDoors
            ? "With a mailbox they are enough to come back."
            : "They need a backup or a home of a device: devices leave doors in mailboxes only for"
                + " words that were drawn, and were made or tested since they do so."
        return "The group has recovery words, made \(Ago.words(now - made)), \(tested)\(due).\n"
            + doors
    }

    /// A sentence for the status of a device whose group has no words, or whose person should test
    /// them; nil where nothing is to be done.
    static func hint(_ state: ControlRecovery) -> String? {
        if state.isTestDue {
            return "nobody tested the recovery words for a year: 'linnet recovery test'"
        }
        guard state.madeMilliseconds == nil else { return nil }
        guard state.isPossible else {
            return "this group was founded without a recovery key, and can have no recovery words"
        }
        return state.isMakerHere
            ? "the group has no recovery words yet, and this device holds the key in their place:"
                + " make them with 'linnet recovery create'"
            : "the group has no recovery words yet: make them with 'linnet recovery create' on the"
                + " device that founded it"
    }
}
