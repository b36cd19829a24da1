import Linnet
import LinnetAPI
import LinnetControl

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet backup`: writes everything of a device to one file.
enum BackupCommand {
    static let command = Command(
        "backup", words: "FILE",
        summary: "Write the device, its data and its keys to one file, also while it runs.",
        details: """
            The data is sealed as in the home. The keys in the file are protected by the home's
            passphrase or, if it has none, by the one in --passphrase-file. Without either, anyone
            who has the file has the device. 'linnet restore' puts it back.
            """,
        options: [Option("force", nil, "replace an existing file once the backup is complete")],
        example: "backup laptop.linnet", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let path = try invocation.arguments.words("FILE")[0]
        if path.isEmpty { throw .usage("FILE must not be empty") }
        let absolute = FilePath.absolute(path)
        let given = try passphraseForFile(invocation)
        let request = BackupRequest(
            path: absolute, passphrase: given, replaces: invocation.arguments.has("force"))
        let progress = ByteProgress(["copying", "writing"], invocation.output)
        var last: UInt64 = 0
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            _ = try await gateway.ask(request) { copied in
                let total = UInt64(clamping: copied.total)
                progress.tell(UInt64(clamping: copied.done), of: total)
                last = total / 2
            }
        }
        progress.end()
        let isProtected = try isProtected(invocation, given)
        let shown = TerminalText.neutral(absolute)
        invocation.output.result(
            [
                "file": .text(absolute), "databaseBytes": .integer(last),
                "passphrase": .bool(isProtected),
            ], "Backed up to \(shown).")
        if !isProtected {
            invocation.output.note(
                "warning: no passphrase protects the keys in it: anyone who has the file has this"
                    + " device. Use --passphrase-file FILE, or 'linnet passphrase set'.")
        }
    }

    private static func passphraseForFile(
        _ invocation: Invocation
    ) throws(ControlFailure) -> Passphrase? {
        guard invocation.arguments.has(Option.passphraseFile.name) else { return nil }
        return try invocation.passphrase()
    }

    private static func isProtected(
        _ invocation: Invocation, _ given: Passphrase?
    ) throws(ControlFailure) -> Bool {
        if given != nil { return true }
        do {
            return try KeyFileStore.needsPassphrase(try Home.open(at: invocation.home))
        } catch {
            return false
        }
    }
}

/// `linnet restore`: puts a backup into an empty home.
enum RestoreCommand {
    static let command = Command(
        "restore", words: "FILE", summary: "Put a backup into a new or empty home.",
        details: """
            The whole file is checked before anything is written. Afterwards the device writes as a
            new author. Do not run it in two places: wipe the home that it came from, or keep that
            one stopped.
            """,
        preparation: ["init --name Laptop --kind laptop", "backup laptop.linnet"],
        example: "restore laptop.linnet --home ~/laptop", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let path = FilePath.absolute(try invocation.arguments.words("FILE")[0])
        let progress = SharedProgress(["checking", "writing"], invocation.output)
        var passphrase: Passphrase?
        var tries = 0
        while true {
            do throws(LinnetError) {
                try await Node.restore(path, to: invocation.home, passphrase: passphrase) {
                    progress.tell($0)
                }
                break
            } catch {
                progress.end()
                guard error == .passphraseNeeded || (error == .wrongPassphrase && tries < 3) else {
                    throw ControlFailure(error)
                }
            }
            passphrase = try invocation.passphrase(tries)
            tries += 1
        }
        progress.end()
        invocation.output.result(
            ["home": .text(invocation.home), "file": .text(path)],
            """
            Restored to \(TerminalText.neutral(invocation.home)).
            It writes as a new author from now on. Keep the old home stopped, or wipe it.
            """)
    }
}
