import Linnet
import LinnetAPI
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
            --remote asks a device that was removed to do the same when it hears of it: a courtesy
            of that device, and no guarantee. A device obeys such a wish unless --obey no was said
            in its home.
            """,
        options: [
            Option("yes", nil, "destroy it without asking"),
            Option("remote", "DEVICE", "ask that removed device to destroy itself, not this one"),
            Option(
                "obey", "yes|no", "let this device obey such a wish, or not; change nothing else"),
        ],
        example: "wipe", run: run)

    private static let patienceMilliseconds: Int64 = 15_000

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        _ = try invocation.arguments.words()
        let options = ["obey", "remote", "yes"].filter { invocation.arguments.has($0) }
        if options.count > 1 {
            throw .usage("--\(options[0]) and --\(options[1]) exclude each other")
        }
        if let word = invocation.arguments.value("obey") { return try await obey(word, invocation) }
        if let device = invocation.arguments.value("remote") {
            return try await ask(device, invocation)
        }
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

    private static func obey(
        _ word: String, _ invocation: Invocation
    ) async throws(ControlFailure) {
        guard word == "yes" || word == "no" else { throw .usage("--obey is one of yes, no") }
        let obeys = word == "yes"
        if let node = try Gateway.running(at: invocation.home) {
            _ = try await node.ask(ObedienceRequest(obeys))
        } else {
            do throws(LinnetError) {
                try Node.obeyWipes(obeys, at: invocation.home)
            } catch {
                throw ControlFailure(error)
            }
        }
        invocation.output.result(
            ["obeys": .bool(obeys)],
            obeys
                ? "This device destroys itself when it was removed and an admin asks it."
                : "This device keeps what it has, whoever asks it to destroy itself.")
    }

    private static func ask(
        _ device: String, _ invocation: Invocation
    ) async throws(ControlFailure) {
        _ = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(RemoteWipeRequest(device))
        }
        invocation.output.result(
            ["asked": .text(device)], "\(TerminalText.neutral(device)) is asked to destroy itself.")
        invocation.output.say(RemovalText.courtesy)
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
