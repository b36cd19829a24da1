import Linnet

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
            The data is sealed as in the home. The keys in the file ask for the passphrase of the
            home; if that has none, for the one in --passphrase-file; without either, whoever has
            the file has the device. 'linnet restore' puts it back.
            """,
        options: [Option("force", nil, "replace an existing file, at the very end")],
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
                "warning: the keys in it ask for no passphrase: whoever has the file has this"
                    + " device. Give them one: --passphrase-file FILE, or 'linnet passphrase set'.")
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
            All of the file is checked before anything is written. The device writes as a new author
            afterwards. Do not run it in two places: wipe or keep off the home that it came from.
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
            It writes as a new author from now on. Keep the home that it came from off, or wipe it.
            """)
    }
}

/// The paths that people type.
enum FilePath {
    /// The kinds of things that a path can lead to.
    enum Kind {
        case directory, other, missing
    }

    /// Looks at a path, through links; a path that cannot be looked at counts as missing.
    static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return .missing }
        return status.st_mode & S_IFMT == S_IFDIR ? .directory : .other
    }

    /// Returns the path from the root, for a process with another working directory.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&buffer, buffer.count) != nil else { return path }
        let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self) + "/" + path
    }
}
