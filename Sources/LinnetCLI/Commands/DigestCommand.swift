import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet digest`: prints the digest of everything that this device shows, and its version vector.
enum DigestCommand {
    static let command = Command(
        "digest", summary: "Show the digest of what this device holds, and its version vector.",
        details: """
            Two devices with equal digests show the same records. Devices of 0.1.0 show another
            digest, which '--whole' shows too; every record is read for it.
            """,
        options: [Option("whole", nil, "show the digest that devices of 0.1.0 show")],
        example: "digest", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let isWhole = invocation.arguments.has("whole")
        let digest = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(DigestRequest(isWhole))
        }
        let lines = digest.vector.map { entry in
            "  scope \(entry.scope.description.prefix(8))"
                + "  device \(entry.device.description.prefix(8))"
                + "  incarnation \(entry.incarnation.description.prefix(8))"
                + "  sequence \(entry.sequence)  head \(entry.head.description.prefix(8))"
        }
        invocation.output.result(
            StatusText.json(digest),
            ([digest.digest.description] + lines).joined(separator: "\n"))
    }
}
