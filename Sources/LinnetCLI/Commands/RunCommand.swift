import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// `linnet run`: takes part in the group until it is interrupted.
enum RunCommand {
    static let command = Command(
        "run", summary: "Keep this device in step with the others, in the foreground.",
        details: """
            Other commands on the same home go through it. Ctrl-C ends it.
            A watch with --companion-link uses no sockets unless --listen or --peer is given.
            On a phone the watch's context has the faces of the medicines, as they change.
            --remind shows doses that come or were missed, low stocks and last days as notifications
            of the desktop; what is chosen there is recorded as 'linnet med take' would.
            """,
        options: [
            Option("listen", "HOST:PORT", "where to listen (default: every address, any port)"),
            Option("peer", "HOST:PORT", repeats: true, "a device to stay connected to"),
            PairingOptions.noDiscovery,
            Option("quiet", nil, "find others with mDNS, but never announce this device"),
            PairingOptions.companionLink,
            Option("hold-everything", nil, "hold more than the last two months, even on a watch"),
            Option("files", "all|recent:DAYS", "fetch attached files without being asked"),
            Option("lock-after", "MINUTES", "lock the device when no command came for so long"),
            Option("dashboard", "PORT", "open the dashboard's port at once (0: any)"),
            Option("widgets", "DIR", "keep the snapshot in the directory of widgets up to date"),
            Option("no-network", nil, "use no sockets at all; needs --companion-link"),
        ] + ReminderOptions.options,
        example: "run --listen '[::]:7000'", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        if arguments.has("quiet") && arguments.has("no-discovery") {
            throw .usage("--quiet and --no-discovery exclude each other")
        }
        let wantsNetwork = arguments.value("listen") != nil || arguments.has("peer")
        if arguments.has("no-network") && (wantsNetwork || !arguments.has("companion-link")) {
            throw .usage("--no-network needs --companion-link, and neither --listen nor --peer")
        }
        let lockAfter = try arguments.value("lock-after").map {
            (text) throws(ControlFailure) in try minutes(text)
        }
        let dashboardPort = try DashboardServing.port(arguments)
        let reminding = try ReminderOptions(arguments)
        var reason: String?
        var problem: ControlFailure?
        let manager = ServiceManager(environment: Environment.value, process: getpid())
        defer { manager?.tell("STOPPING=1") }
        let node = try await invocation.openNode()
        let options = try nodeOptions(arguments, kind: await node.kind)
        do throws(LinnetError) {
            Signals.onTermination { Task { await node.stop() } }
            let events = await node.events()
            do throws(LinnetError) {
                if let lockAfter { try await node.lockWhenUnused(for: lockAfter) }
                let port = try await node.start(options)
                sayReady(node, port, invocation.output)
                manager?.tell("READY=1")
            } catch {
                await node.stop()
                throw error
            }
            let dashboard = DashboardServing(node)
            problem = await dashboard.open(dashboardPort, invocation.output)
            let living = Task { await Self.tellLife(of: node, to: manager) }
            defer { living.cancel() }
            let faces = FacesKeeper(
                node, invocation.home, share: arguments.value("widgets").map(WidgetShare.init),
                invocation.output)
            reason = await follow(events, of: node, reminding, faces, invocation.output)
            await dashboard.close()
        } catch {
            throw ControlFailure(error)
        }
        if let problem { throw problem }
        if let reason { throw .failed("the node stopped: \(reason)") }
    }

    private static func nodeOptions(
        _ arguments: Arguments, kind: String
    ) throws(ControlFailure) -> NodeOptions {
        let wantsNetwork = arguments.value("listen") != nil || arguments.has("peer")
        let limits = DeviceLimits.of(DeviceKind(rawValue: kind) ?? .other)
        let link = try PairingOptions.link(arguments)
        var options = NodeOptions(
            listen: arguments.value("listen") ?? NodeOptions.anyAddress,
            peers: arguments.values("peer"),
            discovery: arguments.has("no-discovery")
                ? .off : arguments.has("quiet") ? .quiet : .on,
            companionLink: link,
            usesNetwork: !arguments.has("no-network")
                && (wantsNetwork || link == nil || limits.usesNetworkBesideLink))
        options.holdsEverything = arguments.has("hold-everything")
        if let files = arguments.value("files") { options.attachments = try policy(files) }
        return options
    }

    private static func policy(_ text: String) throws(ControlFailure) -> AttachmentPolicy {
        if text == "all" { return .all }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "recent", let days = Int(parts[1]),
            (1...AttachmentPolicy.mostDays).contains(days)
        else {
            throw .usage(
                "--files is 'all' or 'recent:DAYS' with 1 to \(AttachmentPolicy.mostDays) days")
        }
        return .recent(days: days)
    }

    /// Tells what happens until the node has stopped, and keeps what is made while it runs; returns
    /// the reason for which it stopped by itself.
    private static func follow(
        _ events: AsyncStream<NodeEvent>, of node: Node, _ reminding: ReminderOptions?,
        _ faces: FacesKeeper, _ output: Output
    ) async -> String? {
        let totals = TotalsKeeper()
        let keeping = Task { await totals.run(node, output) }
        defer { keeping.cancel() }
        let reminders = reminding.flatMap { ReminderKeeper(node, $0, output) }
        if reminding != nil, reminders == nil {
            RunLog.say("no reminders: the system has no thread left", output, .error)
        }
        let showing = Task { await reminders?.run() }
        let drawing = Task { await faces.run() }
        defer { drawing.cancel() }
        let batches = BatchLines { RunLog.say($0, output) }
        var reason: String?
        for await event in events {
            switch event {
            case .stopped(let why): reason = why
            case .inStep: totals.isInStep()
            case .recordsChanged(let places):
                reminders?.recordsChanged()
                faces.recordsChanged(places)
            case .unlocked:
                reminders?.recordsChanged()
                faces.look()
            case .peerConnected: faces.look()
            default: break
            }
            RunLog.tell(event, of: node.id, batches, output)
        }
        reminders?.stop()
        await showing.value
        batches.end()
        return reason
    }

    /// Tells the service manager that the node answers, twice in the time that it waits, until it
    /// is cancelled. A node that answers no more is silent, and is started anew.
    private static func tellLife(of node: Node, to manager: ServiceManager?) async {
        guard let manager, let interval = manager.watchdogMilliseconds else { return }
        while !Task.isCancelled {
            _ = await node.isLocked
            manager.tell("WATCHDOG=1")
            do { try await Task.sleep(for: .milliseconds(interval / 2)) } catch { return }
        }
    }

    /// Reads a time without use, from about a second to a day.
    private static func minutes(_ text: String) throws(ControlFailure) -> Duration {
        guard let minutes = Double(text), (0.01...1_440).contains(minutes) else {
            throw .usage("--lock-after takes minutes, from 0.01 to 1440")
        }
        return .milliseconds(Int64(minutes * 60_000))
    }

    private static func sayReady(_ node: Node, _ port: UInt16?, _ output: Output) {
        let json: JSON = [
            "event": "ready", "port": port.map(JSON.integer) ?? .null, "device": .text(node.id),
        ]
        let place = port.map { "listening at port \($0)" } ?? "not listening"
        let fingerprint = node.fingerprint.joined(separator: " ")
        RunLog.write(json, "ready, \(place); fingerprint: \(fingerprint)", output)
    }
}

/// The lines that `run` writes about events.
///
/// Logs are kept, copied and sent around: they name devices by identifier, never by name.
enum RunLog {
    static func tell(
        _ event: NodeEvent, of own: String, _ batches: BatchLines, _ output: Output
    ) {
        switch event {
        case .peerFound(let instance):
            write(
                ["event": "peer-found", "instance": .text(instance)],
                "found a device of the group, announced as \(instance)", output)
        case .peerConnected(let device):
            write(object("peer-connected", device), "connected with \(label(device))", output)
        case .peerLost(let device, let reason):
            write(
                object("peer-lost", device, ["reason": .text(reason)]),
                "lost \(label(device)): \(reason)", output)
        case .batchApplied(let author, let sequence, let operations, let isLocal):
            let json = object(
                "batch-applied", author,
                [
                    "sequence": .integer(sequence), "operations": .integer(operations),
                    "local": .bool(isLocal),
                ])
            if output.isJSON { output.result(json, "") }
            batches.take(
                "batch \(sequence) of \(label(author)), \(Plural.of(operations, "operation"))",
                operations: operations, isLocal: isLocal)
        case .inStep(let device):
            batches.end()
            write(object("in-step", device), "in step with \(label(device))", output)
        case .network(let state):
            write(
                ["event": "network", "state": .text(state.rawValue)],
                "discovery: \(words(for: state))", output)
        case .newcomerWaits, .recordsChanged: break
        case .pairingFailed(let problem):
            write(
                ["event": "pairing-failed", "reason": .text(problem.description)],
                "pairing failed: \(problem.description)", output)
        case .paired(let device):
            write(object("paired", device), "paired with \(label(device))", output)
        case .memberAdded(let device): tell(addingOf: device, isOwn: device.id == own, output)
        case .memberRemoved(let device, let author):
            tell(removalOf: device, isOwn: device.id == own, by: author, output)
        case .schemaLearned(let version):
            write(
                ["event": "schema-learned", "version": .integer(version)],
                "uses version \(version) of the group's schema now", output)
        case .warning(let warning): tell(warning, hasEnded: false, output)
        case .warningEnded(let warning): tell(warning, hasEnded: true, output)
        case .integrityFound(let findings):
            for finding in findings { tell(finding, output) }
        case .locked: write(["event": "locked"], "locked: the keys are out of memory", output)
        case .unlocked: write(["event": "unlocked"], "unlocked", output)
        case .stopped(let reason):
            batches.end()
            write(
                ["event": "stopped", "reason": reason.map(JSON.text) ?? .null], "stopped", output)
        }
    }

    /// Tells of a member that may have been one before, as when its removal comes to nothing.
    private static func tell(addingOf device: Device, isOwn: Bool, _ output: Output) {
        let name = isOwn ? "this device" : label(device)
        write(object("member-added", device), "\(name) belongs to the group now", output)
    }

    static func write(
        _ json: JSON, _ text: String, _ output: Output, _ level: Output.Level = .info
    ) {
        if output.isJSON { output.result(json, "") }
        say(text, output, level)
    }

    /// Writes a line for people, with the time before it.
    static func say(_ text: String, _ output: Output, _ level: Output.Level = .info) {
        guard output.level >= level else { return }
        let now = Value.instant(SystemClock.now().wallMilliseconds).description
        output.say(at: level, "\(now)  \(TerminalText.neutral(text))")
    }

    private static func tell(_ warning: NodeWarning, hasEnded: Bool, _ output: Output) {
        let text = warning.sentence(naming: label)
        write(
            [
                "event": .text(hasEnded ? "warning-ended" : "warning"),
                "warning": .text(warning.kind.rawValue),
                "device": warning.device.map { .text($0.id) } ?? .null, "text": .text(text),
                "remedy": warning.commandRemedy.map(JSON.text) ?? .null,
            ],
            hasEnded
                ? "over: \(text)"
                : "warning: \(text)" + (warning.commandRemedy.map { ". \($0)" } ?? ""),
            output, .warning)
    }

    private static func tell(_ finding: IntegrityFinding, _ output: Output) {
        write(
            [
                "event": "integrity", "check": .text(finding.check.rawValue),
                "finding": .text(finding.text), "remedy": finding.remedy.map(JSON.text) ?? .null,
            ], "integrity: \(finding.text)", output)
    }

    private static func tell(
        removalOf device: Device, isOwn: Bool, by author: Device?, _ output: Output
    ) {
        write(
            object("member-removed", device, ["by": author.map { .text($0.id) } ?? .null]),
            (isOwn ? "this device" : label(device)) + " is out of the group"
                + (author.map { ", by \(label($0))" } ?? ""),
            output)
    }

    private static func object(
        _ event: String, _ device: Device, _ more: KeyValuePairs<String, JSON> = [:]
    ) -> JSON {
        let members: KeyValuePairs<String, JSON> = [
            "event": .text(event), "device": .text(device.id),
        ]
        return .object((Array(members) + Array(more)).map { JSON.Member($0.key, $0.value) })
    }

    private static func label(_ device: Device) -> String {
        "device \(device.id.prefix(8))"
    }

    private static func words(for state: NetworkState) -> String {
        switch state {
        case .off: "switched off"
        case .searching: "no device found yet"
        case .found: "a device was found"
        case .noDaemon:
            "no mDNS daemon answers: start avahi-daemon, or name devices with --peer"
        case .permissionRefused: "the system refuses access to the local network"
        case .noMulticast: "no network interface carries multicast: name devices with --peer"
        }
    }
}
