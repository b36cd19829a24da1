import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet merge`: brings what another group wrote into this one.
enum MergeCommand {
    static let passphraseFile = Option(
        "from-passphrase-file", "FILE", "the passphrase of the other home, on one line")

    static let command = Command(
        "merge", words: "HOME",
        summary: "Bring what another group of yours wrote into this one, with its history.",
        details: """
            HOME is the home of a device of the other group, or a copy of it, that nothing runs
            on. All that it shows comes into this group, with its times and its writers, and goes
            on to every device: once, whoever brings it and however often. What both groups have
            under one identifier merges by the rules of its fields. The other group stays as it
            is; let its devices join this one from new homes, with 'linnet pair' and 'linnet join'.
            """,
        options: [
            passphraseFile,
            Option("dry-run", nil, "say what would come, and change nothing"),
        ],
        preparation: Command.sample + ["init --name Phone --kind phone --home ~/phone"],
        example: "merge ~/phone", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let path = FilePath.absolute(try invocation.arguments.words("HOME")[0])
        if path == FilePath.absolute(invocation.home) {
            throw .usage("HOME is the home that all would come to; name one of the other group")
        }
        let isPreview = invocation.arguments.has("dry-run")
        let given = try passphrase(of: path, invocation.arguments)
        let report = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let progress = CountProgress([WorkStep("transactions looked at")], invocation.output)
            defer { progress.end() }
            let request = MergeRequest(path: path, passphrase: given, isPreview: isPreview)
            return try await gateway.ask(request) { progress.tell($0.done, of: $0.total) }
        }
        invocation.output.result(
            [
                "brought": .integer(report.brought), "changes": .integer(report.changes),
                "known": .integer(report.known), "waiting": .integer(report.waiting),
                "devices": .integer(report.devices), "dryRun": .bool(isPreview),
                "inBoth": .array(report.both.map(JSON.text)),
                "inBothCount": .integer(report.bothCount),
            ], text(report, isPreview))
    }

    /// Reads the passphrase of the other home; nil where it has none.
    private static func passphrase(
        of path: String, _ arguments: Arguments
    ) throws(ControlFailure) -> Passphrase? {
        if let file = arguments.value(passphraseFile.name) {
            return try PassphraseInput.read(file: file)
        }
        guard try isProtected(path) else { return nil }
        return try PassphraseInput.ask(
            "Passphrase of \(TerminalText.neutral(path)): ", option: passphraseFile.name)
    }

    private static func isProtected(_ path: String) throws(ControlFailure) -> Bool {
        let home: Home
        do throws(HomeError) {
            home = try Home.open(at: path)
        } catch {
            throw ControlFailure(LinnetError.home(error))
        }
        do throws(LinnetError) {
            return try KeyFileStore.needsPassphrase(home)
        } catch {
            throw ControlFailure(error)
        }
    }

    private static func text(_ report: ControlMerge, _ isPreview: Bool) -> String {
        let count = Plural.of(report.brought, "transaction")
        let changes = Plural.of(report.changes, "change")
        var lines = [
            isPreview
                ? "\(count) with \(changes) would come; nothing was changed."
                : "\(count) with \(changes) came."
        ]
        if report.known > 0 {
            lines.append(
                "\(Plural.of(report.known, "transaction")) had been brought before.")
        }
        if report.waiting > 0 {
            lines.append(
                "\(Plural.of(report.waiting, "transaction")) of the other home"
                    + " \(report.waiting == 1 ? "builds" : "build") on what it lacks, and"
                    + " stayed there: synchronise it with its group and merge again.")
        }
        if isPreview, report.bothCount > 0 {
            lines.append(
                "\(Plural.of(report.bothCount, "record")) are in both groups and would merge:")
            lines += report.both.map { "  " + TerminalText.neutral($0) }
            let more = report.bothCount - UInt64(report.both.count)
            if more > 0 { lines.append("  and \(more) more") }
        }
        return lines.joined(separator: "\n")
    }
}
