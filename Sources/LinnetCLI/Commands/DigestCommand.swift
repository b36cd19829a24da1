import Linnet
import LinnetControl
import LinnetWire

/// `linnet digest`: prints the digest of everything that this device shows, and its version vector.
enum DigestCommand {
    static let command = Command(
        "digest", summary: "Show the digest of what this device holds, and its version vector.",
        details: "Two devices with equal digests show the same records.",
        example: "digest", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let digest = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(DigestRequest())
        }
        let vector = digest.vector.map { entry in
            JSON.object([
                JSON.Member("scope", .text(entry.scope.description)),
                JSON.Member("device", .text(entry.device.description)),
                JSON.Member("incarnation", .text(entry.incarnation.description)),
                JSON.Member("sequence", .integer(entry.sequence)),
                JSON.Member("head", .text(entry.head.description)),
            ])
        }
        let lines = digest.vector.map { entry in
            "  scope \(entry.scope.description.prefix(8))"
                + "  device \(entry.device.description.prefix(8))"
                + "  incarnation \(entry.incarnation.description.prefix(8))"
                + "  sequence \(entry.sequence)  head \(entry.head.description.prefix(8))"
        }
        invocation.output.result(
            ["digest": .text(digest.digest.description), "vector": .array(vector)],
            ([digest.digest.description] + lines).joined(separator: "\n"))
    }
}
