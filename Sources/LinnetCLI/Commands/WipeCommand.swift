import Linnet
import LinnetControl
import Synchronization

/// `linnet wipe`: destroys the device in a home.
enum WipeCommand {
    static let command = Command(
        "wipe", summary: "Destroy the device in this home: its keys first, then its data.",
        details: """
            A node that runs on the home is stopped first. The keys are overwritten and removed, so
            that the rest is unreadable, then the rest. This needs no passphrase, and can be run
            again if it was interrupted. Only a backup brings the device back.
            """,
        options: [Option("yes", nil, "destroy it without asking")],
        example: "wipe", run: run)

    private static let patienceMilliseconds: Int64 = 15_000

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let home: Home
        do throws(HomeError) {
            home = try Home.open(at: invocation.home)
        } catch {
            throw .failed(error.commandText)
        }
        try confirm(home, invocation)
        let progress = SharedProgress(["wiping"], invocation.output)
        let report = try await wipe(invocation, progress)
        progress.end()
        invocation.output.result(
            [
                "removed": .array(report.removed.map(JSON.text)),
                "left": .array(report.left.map(JSON.text)),
            ], "Wiped: \(TerminalText.neutral(home.path)).")
        if !report.left.isEmpty {
            let names = report.left.map(TerminalText.neutral).joined(separator: ", ")
            invocation.output.say("Not removed, because they are not Linnet's: \(names)")
        }
        invocation.output.say(
            """
            Please note:
              - The group still lists the device, and members keep what it wrote; it cannot come
                back without a backup.
              - A flash disk may keep old bytes where overwriting does not reach, and so do
                snapshots of the file system: destroy those, or encrypt disks before they are used.
              - Backups of this home are not touched: destroy them too.
            """)
    }

    private static func confirm(
        _ home: Home, _ invocation: Invocation
    ) throws(ControlFailure) {
        if invocation.arguments.has("yes") { return }
        guard Output.hasPerson else {
            throw .usage("there is no terminal to ask in: run it in a terminal, or with --yes")
        }
        Output.write(
            "This destroys the device in \(TerminalText.neutral(home.path)) for good."
                + " Type 'wipe' to go on: ", to: 2)
        guard readLine() == "wipe" else { throw .failed("nothing was changed") }
    }

    /// Asks a running node to end, and wipes once no process holds the home; gives up after 15
    /// seconds.
    private static func wipe(
        _ invocation: Invocation, _ progress: SharedProgress
    ) async throws(ControlFailure) -> WipeReport {
        let deadline = SystemClock.uptimeMilliseconds() + patienceMilliseconds
        var wasAsked = false
        while true {
            do throws(LinnetError) {
                return try await Node.wipe(invocation.home) { progress.tell($0) }
            } catch {
                guard case .home(.locked) = error,
                    SystemClock.uptimeMilliseconds() < deadline
                else { throw ControlFailure(error) }
            }
            if !wasAsked, let node = try Gateway.running(at: invocation.home) {
                wasAsked = true
                // The answer may be lost with the connection; the lock tells what came of it.
                _ = try? await node.ask(StopRequest())
            }
            try? await Task.sleep(for: .milliseconds(50))
        }
    }
}

/// Progress that other threads tell of.
final class SharedProgress: Sendable {
    private let progress: Mutex<ByteProgress>

    init(_ verbs: [String], _ output: Output) {
        progress = Mutex(ByteProgress(verbs, output))
    }

    func tell(_ now: BackupProgress) {
        progress.withLock { $0.tell(now.doneBytes, of: now.totalBytes) }
    }

    func end() { progress.withLock { $0.end() } }
}
