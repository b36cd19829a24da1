import Linnet
import LinnetControl
import LinnetWire

/// `linnet sync`: exchanges batches once with every device that it reaches.
enum SyncCommand {
    static let command = Command(
        "sync", summary: "Exchange with other devices until all that are reached hold the same.",
        options: [
            Option("peer", "HOST:PORT", repeats: true, "a device to connect to"),
            Option("timeout", "SECONDS", "how long to try; 30 if not given"),
            PairingOptions.noDiscovery,
        ],
        example: "sync --timeout 10", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let timeout = try Numbers.seconds(arguments.value("timeout") ?? "30", option: "timeout")
        let peers = arguments.values("peer")
        let meeting = ControlMeeting(
            peers: peers, discovers: peers.isEmpty && !arguments.has("no-discovery"),
            timeoutMilliseconds: UInt64(timeout / .milliseconds(1)))
        let devices = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            let progress = CountProgress(
                [WorkStep("batches exchanged and shown", inPartsOf: 100)], invocation.output)
            defer { progress.end() }
            progress.tell(0, of: nil)
            return try await gateway.ask(SynchronizeRequest(meeting)) {
                progress.tell($0.done, of: $0.total)
            }.devices.map(\.description)
        }
        invocation.output.result(
            ["synced": true, "devices": .array(devices.map(JSON.text))],
            "In step with \(Plural.of(devices.count, "device")).")
    }
}
