import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetWire

/// `linnet fetch`: gets the content of a file that a field holds.
enum FetchCommand {
    static let command = Command(
        "fetch", words: "C/ID FIELD",
        summary: "Get the content of a file that a record holds, and write it to a file.",
        details: """
            What is not on this device comes from the devices that are connected; whatever came
            stays, so that a fetch that was broken off goes on where it was. The file gets its name
            only once all of the content is there and is what the record says. Without --output it
            is written under its own name into the current directory.
            """,
        options: [
            Option("output", "FILE", "where to write it"),
            Option("keep", nil, "only keep the content in the home; write no file"),
            Option("force", nil, "replace an existing file once the content is complete"),
        ] + meeting,
        preparation: Command.album + [
            "attach picture/tea image docs/samples/album.json"
        ],
        example: "fetch picture/tea image --output copy.json", run: run)

    /// The options about devices that may have what is not here.
    static let meeting = [
        Option("peer", "HOST:PORT", repeats: true, "a device to connect to"),
        Option("timeout", "SECONDS", "how long to wait without any progress; 30 if not given"),
        PairingOptions.noDiscovery,
    ]

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let path = try target(invocation.arguments)
        tell(try await fetch(into: path, invocation), invocation.output)
    }

    /// Gets the content that the words of a call name.
    ///
    /// - Parameter path: the file to write, a directory with a slash at the end, or nothing to keep
    ///   the content in the home alone.
    static func fetch(
        into path: String, _ invocation: Invocation
    ) async throws(ControlFailure) -> ControlAttachment {
        let arguments = invocation.arguments
        let words = try arguments.words("C/ID", "FIELD")
        let timeout = try Numbers.seconds(arguments.value("timeout") ?? "30", option: "timeout")
        let peers = arguments.values("peer")
        let meeting = ControlMeeting(
            peers: peers, discovers: peers.isEmpty && !arguments.has("no-discovery"),
            timeoutMilliseconds: UInt64(timeout / .milliseconds(1)))
        let progress = ByteProgress(["fetching"], invocation.output)
        let file = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(writable: words[0], schema)
            return (place, try FileField.named(words[1], in: place.collection))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let request = FetchRequest(
                key: parsed.0.key, field: parsed.1.id, path: path,
                replaces: arguments.has("force"), meeting: meeting)
            return try await gateway.ask(request) {
                if invocation.output.isJSON { return }
                progress.tell(UInt64(clamping: $0.done), of: UInt64(clamping: $0.total))
            }
        }
        progress.end()
        return file
    }

    private static func target(_ arguments: Arguments) throws(ControlFailure) -> String {
        let given = arguments.value("output")
        if arguments.has("keep") {
            if given != nil { throw .usage("give --keep or --output, not both") }
            return ""
        }
        if given == "" { throw .usage("FILE of --output must not be empty") }
        return given.map(FilePath.absolute) ?? FilePath.absolute(".") + "/"
    }

    private static func tell(_ file: ControlAttachment, _ output: Output) {
        let shown = TerminalText.neutral(file.path)
        let size = Plural.of(Int(clamping: file.byteCount), "byte")
        output.result(
            [
                "file": .text(file.path), "name": .text(file.name),
                "type": .text(file.mediaType), "bytes": .integer(file.byteCount),
                "hash": .text(file.hash),
            ],
            file.path.isEmpty
                ? "\(TerminalText.neutral(file.name)) is on this device (\(size))."
                : "Wrote \(size) to \(shown).")
    }
}
