import Linnet
import LinnetAPI
import LinnetControl
import LinnetSystem
import LinnetWire

/// `linnet mailbox`: exchanges through a place that both sides reach at different times.
enum MailboxCommand {
    static let command = Command(
        "mailbox", words: "[add|list|test|status|remove|sync] [ADDRESS]",
        summary: "Exchange through a store with devices that are never here at the same time.",
        details: """
            ADDRESS is folder:/PATH, a folder that Syncthing, a share, a stick or a cloud client
            carries; dav+https://HOST[:PORT]/PATH, a collection of a WebDAV server; or
            s3+https://HOST[:PORT]/BUCKET[/PREFIX]; relay+https://HOST:PORT, a server of your own
            that 'linnet relay' runs. It has to be there, and sees sizes, times and how many
            devices there are, and nothing that you wrote. Each device adds it. An account
            with the store is kept sealed in this home and shown nowhere; 'add' again changes it,
            and a device that you remove from the group keeps what it has: change the password
            there. 'sync' looks into all mailboxes now, takes what is new and leaves what is
            lacking; --dry-run only says what that would be, and exit code 1 means that a place
            could not be used. 'linnet run' looks by itself. 'test' puts an object of no meaning
            there, gets, lists and deletes it. 'remove' leaves what lies there. Without a word it
            shows the status. Changes that were compacted before do not go there: a device that
            lacks them has to meet one that has them.
            """,
        options: [Option("dry-run", nil, "with sync: take and leave nothing")]
            + MailboxAccount.options,
        example: "mailbox list", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        let verb = words.first ?? "status"
        if invocation.arguments.has("dry-run"), verb != "sync" {
            throw .usage("--dry-run does not belong to this")
        }
        switch verb {
        case "add", "remove", "test":
            guard words.count == 2 else {
                throw .usage(
                    "'mailbox \(verb)' takes one address, as folder:/PATH or"
                        + " dav+https://HOST/PATH")
            }
            if verb == "remove" { try MailboxAccount.refuse(invocation.arguments) }
            try await use(words[1], verb, invocation)
        case "list", "status", "sync":
            guard words.count < 2 else { throw .usage("unexpected argument '\(words[1])'") }
            try MailboxAccount.refuse(invocation.arguments)
            if verb == "sync" { return try await sync(invocation) }
            try await show(invocation, isBrief: verb == "list")
        default:
            throw .usage(
                "the word after 'mailbox' must be one of add, list, test, status, remove, sync")
        }
    }

    private static func use(
        _ address: String, _ verb: String, _ invocation: Invocation
    ) async throws(ControlFailure) {
        // An address that may hold a password is refused before anything could repeat it.
        do throws(MailboxError) {
            try MailboxAddress.refuseSecrets(in: address)
        } catch {
            throw .failed(error.description)
        }
        if verb == "test" { return try await test(address, invocation) }
        let isAdded = verb == "add"
        let account =
            isAdded ? try MailboxAccount.read(invocation.arguments, for: address) : nil
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(
                MailboxChangeRequest(address: address, isAdded: isAdded, access: account?.access))
        }
        invocation.output.result(
            ["mailbox": .text(address), "added": .bool(isAdded)],
            isAdded
                ? "Exchanges through \(address) from now on: 'linnet mailbox sync' does so at once."
                : "Exchanges through \(address) no more. What lies there stays.")
    }

    private static func test(
        _ address: String, _ invocation: Invocation
    ) async throws(ControlFailure) {
        let output = invocation.output
        let trial = try await trial(address, invocation)
        output.result(
            [
                "mailbox": .text(address), "passed": .array(trial.passed.map(JSON.text)),
                "failure": trial.failure.map(JSON.text) ?? .null,
            ],
            trial.failure == nil
                ? "\(address) puts, gets, lists and deletes."
                : shortcomings(of: trial))
        if let failure = trial.failure { throw .failed("\(address) is no mailbox: \(failure)") }
    }

    /// The verbs of a place in the order in which they are tried: the first that fails ends it.
    private static func shortcomings(of trial: ControlMailboxTrial) -> String {
        let others = ["put", "get", "list", "delete"].filter { !trial.passed.contains($0) }
        let parts = [
            ("Worked", trial.passed), ("Failed", Array(others.prefix(1))),
            ("Not tried", Array(others.dropFirst())),
        ]
        return parts.filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))." }.joined(separator: " ")
    }

    /// Tries a place with the account that the options name, or with the one that the home keeps.
    private static func trial(
        _ address: String, _ invocation: Invocation
    ) async throws(ControlFailure) -> ControlMailboxTrial {
        let account = try MailboxAccount.read(invocation.arguments, for: address)
        guard account == nil, MailboxAddress.isRemote(address) else {
            do throws(LinnetError) {
                let trial = try await Node.testMailbox(address, credentials: account)
                return ControlMailboxTrial(passed: trial.passed, failure: trial.failure)
            } catch {
                throw ControlFailure(error)
            }
        }
        return try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(MailboxTestRequest(address: address))
        }
    }

    private static func show(
        _ invocation: Invocation, isBrief: Bool
    ) async throws(ControlFailure) {
        let boxes = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(MailboxesRequest())
        }
        if boxes.isEmpty {
            invocation.output.note("There is no mailbox: 'linnet mailbox add' makes one.", .info)
        }
        let now = SystemClock.now().wallMilliseconds
        for box in boxes {
            guard !isBrief else {
                invocation.output.result(["mailbox": .text(box.address)], box.address)
                continue
            }
            var lines = ["\(box.address): \(lastLook(box, now))"]
            lines += box.heard.map {
                "  \(name($0.device)) left something \(Ago.words(now - $0.leftMilliseconds))"
            }
            lines.append(
                "  \(Plural.of(box.packs, "pack")) of this device, \(box.packBytes) bytes")
            if box.lastDay.first > 0 {
                lines.append(
                    "  \(Plural.of(box.lastDay.first, "request")) in the last day,"
                        + " \(box.lastDay.second) bytes")
            }
            if let look = box.lastLook { lines += problems(look).map { "  \($0)" } }
            invocation.output.result(json(box), lines.joined(separator: "\n"))
        }
    }

    private static func lastLook(_ box: ControlMailbox, _ now: Int64) -> String {
        box.lastLookMilliseconds.map { "last look \(Ago.words(now - $0))" } ?? "no look yet"
    }

    private static func sync(_ invocation: Invocation) async throws(ControlFailure) {
        let isDry = invocation.arguments.has("dry-run")
        let looks = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(MailboxSyncRequest(isDry: isDry))
        }
        guard !looks.isEmpty else {
            throw .failed("there is no mailbox: 'linnet mailbox add folder:/PATH' makes one")
        }
        for look in looks {
            var lines: [String] = []
            if isDry {
                lines = look.planned.map { "would \($0)" }
                if lines.isEmpty, look.failure == nil { lines = ["nothing to do"] }
            } else if look.failure == nil {
                lines = [
                    "took \(Plural.of(look.taken.first, "batch", "batches")) and"
                        + " \(Plural.of(look.taken.second, "membership record")), left"
                        + " \(Plural.of(look.put.first, "object")) of \(look.put.second) bytes"
                ]
            }
            lines += problems(look)
            invocation.output.result(
                json(look), lines.map { "\(look.address): \($0)" }.joined(separator: "\n"))
        }
        if let look = looks.first(where: { $0.failure != nil }), let failure = look.failure {
            throw .failed("\(look.address) could not be used: \(failure)")
        }
    }

    private static func problems(_ look: ControlMailboxLook) -> [String] {
        look.findings + (look.failure.map { ["the last look ended early: \($0)"] } ?? [])
    }

    private static func name(_ device: ControlDevice) -> String {
        device.name.isEmpty ? "device \(device.id.prefix(8))" : TerminalText.neutral(device.name)
    }

    private static func json(_ look: ControlMailboxLook) -> JSON {
        [
            "mailbox": .text(look.address), "batches": .integer(look.taken.first),
            "records": .integer(look.taken.second), "got": .integer(look.got.first),
            "gotBytes": .integer(look.got.second), "put": .integer(look.put.first),
            "putBytes": .integer(look.put.second),
            "deleted": .integer(look.objectsDeleted),
            "requests": .integer(look.requests),
            "findings": .array(look.findings.map(JSON.text)),
            "planned": .array(look.planned.map(JSON.text)),
            "failure": look.failure.map(JSON.text) ?? .null,
        ]
    }

    private static func json(_ box: ControlMailbox) -> JSON {
        [
            "mailbox": .text(box.address),
            "lastLook": box.lastLookMilliseconds.map { JSON.integer($0) } ?? .null,
            "look": box.lastLook.map(json) ?? .null, "packs": .integer(box.packs),
            "packBytes": .integer(box.packBytes), "dayRequests": .integer(box.lastDay.first),
            "dayBytes": .integer(box.lastDay.second),
            "heard": .array(
                box.heard.map {
                    [
                        "device": .text($0.device.id), "name": .text($0.device.name),
                        "left": .integer($0.leftMilliseconds),
                    ]
                }),
        ]
    }
}
