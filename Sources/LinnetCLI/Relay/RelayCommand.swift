import Linnet
import LinnetAPI
import LinnetControl
import LinnetRelay

/// `linnet relay`: a store of one's own for the mailboxes of groups.
enum RelayCommand {
    static let command = Command(
        "relay", words: "add|list|remove|run DIR [ACCOUNT]",
        summary: "Keep a store of your own through which devices exchange that never meet.",
        details: """
            A relay reads nothing of what lies there and belongs to no group: any number of groups
            share one. 'add' makes an account, the access of one device to one place, and prints its
            password, this once. The devices of a group have accounts with one place and name the
            relay with 'linnet mailbox add relay:HOST:PORT --user ACCOUNT'; each hears of
            the others' changes at once. 'remove' shuts a lost device out, which the relay heeds at
            once; what it put stays for the others, and with the last account goes the place. 'list'
            shows what is used. 'run' serves until it is interrupted: with --certificate and --key
            (PEM) to everybody, without them on this machine alone, for a server before it that
            speaks TLS. It has nothing to do with the role relay of a device in a group.
            """,
        options: [
            Option("place", "PLACE", "with add: what the devices of one group share"),
            Option("quota", "SIZE", "with add: the most it may put, as 500MiB (default: 1GiB)"),
            Option("listen", "HOST:PORT", "with run: a numeric address, port 0 for any"),
            Option("certificate", "FILE", "with run: the chain of certificates, in PEM"),
            Option("key", "FILE", "with run: the key of the certificate, in PEM"),
            Option("room", "SIZE", "with run: the room of all objects (default: 10GiB)"),
        ],
        example: "relay add relay phone --place home", run: run)

    private static let verbs: [(name: String, options: [String])] = [
        ("add", ["place", "quota"]), ("list", []), ("remove", []),
        ("run", ["listen", "certificate", "key", "room"]),
    ]

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        guard let verb = verbs.first(where: { $0.name == arguments.words.first }) else {
            throw .usage("the word after 'relay' must be one of add, list, remove, run")
        }
        for option in command.options
        where arguments.has(option.name) && !verb.options.contains(option.name) {
            throw .usage("--\(option.name) does not belong to this")
        }
        switch verb.name {
        case "add": try add(invocation)
        case "list": try list(invocation)
        case "remove": try remove(invocation)
        default: try await RelayServing.run(invocation)
        }
    }

    private static func add(_ invocation: Invocation) throws(ControlFailure) {
        let words = try invocation.arguments.words("add", "DIR", "ACCOUNT")
        guard let place = invocation.arguments.value("place") else {
            throw .usage("name with --place what the devices of the group share, as --place home")
        }
        let quota = try ByteSize.read(invocation.arguments, "quota") ?? RelayLimits.usualQuota
        let password = try asking { () throws(RelayError) in
            // A name that is refused leaves no directory behind.
            for name in [words[2], place] { try RelayStore.check(name) }
            let store = try RelayStore(at: words[1], isMade: true)
            return try store.add(words[2], place: place, quota: quota)
        }
        invocation.output.result(
            [
                "account": .text(words[2]), "place": .text(place), "quota": .integer(quota),
                "password": .text(password),
            ],
            """
            Password of \(words[2]), which is kept nowhere: \(password)
            On the device: linnet mailbox add relay:HOST:PORT --user \(words[2])
            """)
    }

    private static func list(_ invocation: Invocation) throws(ControlFailure) {
        let words = try invocation.arguments.words("list", "DIR")
        let accounts = try asking { () throws(RelayError) in
            try RelayStore(at: words[1]).accounts()
        }
        if accounts.isEmpty {
            invocation.output.note("There is no account: 'linnet relay add' makes one.", .info)
        }
        for account in accounts { RelayServing.show(account, invocation.output) }
    }

    private static func remove(_ invocation: Invocation) throws(ControlFailure) {
        let words = try invocation.arguments.words("remove", "DIR", "ACCOUNT")
        let wasLast = try asking { () throws(RelayError) in
            try RelayStore(at: words[1]).remove(words[2])
        }
        invocation.output.result(
            ["account": .text(words[2]), "removed": .bool(true), "placeRemoved": .bool(wasLast)],
            "\(words[2]) is shut out. "
                + (wasLast
                    ? "It was the last account of its place, and what lay there is gone."
                    : "What it put stays for the others of its place."))
    }

    /// Runs what a relay may refuse.
    static func asking<Result>(
        _ body: () throws(RelayError) -> Result
    ) throws(ControlFailure) -> Result {
        do throws(RelayError) {
            return try body()
        } catch {
            throw .failed(error.description)
        }
    }
}
