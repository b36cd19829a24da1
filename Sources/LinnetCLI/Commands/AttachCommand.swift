import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet attach`: puts a file into a field of a record.
enum AttachCommand {
    static let command = Command(
        "attach", words: "C/ID FIELD FILE", summary: "Put a file into a field of a record.",
        details: """
            FIELD is of the kind file. The content is cut, sealed and kept in the home; other
            devices hear of the file at once and get its content with 'linnet fetch'. Of a new
            version of a file only what changed is kept and sent. 'linnet set C/ID FIELD=' takes the
            file out of the record.
            """,
        options: [
            Option("name", "NAME", "the name that the record holds, if not that of FILE"),
            Option("type", "TYPE", "the media type, such as image/png, if not by the name"),
        ],
        preparation: Command.album,
        example: "attach picture/tea image docs/samples/album.json", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let words = try arguments.words("C/ID", "FIELD", "FILE")
        let path = FilePath.absolute(words[2])
        let name = arguments.value("name") ?? path.split(separator: "/").last.map(String.init) ?? ""
        let progress = ByteProgress(["attaching"], invocation.output)
        let (receipt, place) = try await invocation.withGateway {
            (schema) throws(ControlFailure) in
            let place = try RecordPath(writable: words[0], schema)
            return (place, try FileField.named(words[1], in: place.collection))
        } _: { (gateway, parsed) throws(ControlFailure) in
            let request = AttachRequest(
                key: parsed.0.key, field: parsed.1.id, path: path, name: name,
                mediaType: arguments.value("type") ?? FileField.mediaType(of: name))
            let receipt = try await gateway.ask(request) {
                if invocation.output.isJSON { return }
                progress.tell(UInt64(clamping: $0.done), of: UInt64(clamping: $0.total))
            }
            return (receipt, parsed.0)
        }
        progress.end()
        try WriteReport.tell(
            receipt, of: place, done: "Attached", idle: "has this file already",
            invocation.output)
    }
}
