import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl

/// `linnet join`: makes a new device, which joins an existing group.
enum JoinCommand {
    static let command = Command(
        "join", summary: "Make a new device and join a group with it.",
        details: """
            Type the code or pairing address that a member shows ('linnet pair'), or show them here
            with --show and let a member type them ('linnet pair --code'). The device takes the
            group's collections unless --schema declares them; if these contradict the group's, it
            does not join.
            """,
        options: [
            DeviceOptions.name, DeviceOptions.kind,
            DeviceOptions.schema("the collections; the group's if not given"),
            PairingOptions.code, PairingOptions.uri,
            Option("show", nil, "show a code for a member to type"), PairingOptions.peer,
            PairingOptions.screen,
            Option("listen", "HOST:PORT", "where to listen with --show"), PairingOptions.qr,
            Option("timeout", "SECONDS", "how long to look for the member (default 30)"),
            PairingOptions.noDiscovery, PairingOptions.companionLink,
        ],
        example: "join --name Watch --kind watch --code 123456", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let (name, kind) = try DeviceOptions.read(arguments)
        let secret = try PairingOptions.secret(arguments)
        if (secret == nil) != arguments.has("show") {
            throw .usage("give one of --code DIGITS, --uri URI and --show")
        }
        let link = try PairingOptions.link(arguments)
        let timeout = try Numbers.seconds(arguments.value("timeout") ?? "30", option: "timeout")
        let schema = try DeviceOptions.schemaFile(arguments)
        let home: Home
        do throws(HomeError) {
            home = try Home.create(at: invocation.home)
        } catch {
            throw .failed(error.commandText)
        }
        let isOurs = !home.hasDevice
        let node = try await node(
            in: home, isNew: isOurs, name: name, kind: kind, schema: schema, invocation)
        let result: Result<Device, ControlFailure>
        do throws(LinnetError) {
            result = .success(
                try await join(node, secret: secret, link: link, timeout: timeout, invocation))
        } catch {
            result = .failure(ControlFailure(error))
        }
        let learned = node.awaitsSchema ? nil : node.schema
        await node.stop()
        if case .failure = result, isOurs { try? home.removeFiles() }
        let member = try result.get()
        let (newcomer, host) = (TerminalText.neutral(name), TerminalText.neutral(member.name))
        invocation.output.result(
            [
                "event": "joined", "device": .text(node.id), "name": .text(name),
                "kind": .text(kind.rawValue),
                "fingerprint": .array(node.fingerprint.map(JSON.text)),
                "member": .text(member.name),
                "schemaVersion": learned.map { .integer($0.version) } ?? .null,
            ],
            """
            \(newcomer) belongs to the group of \(host) now.
            \(schemaLine(learned))
            Next: 'linnet run', or 'linnet sync'.
            """)
    }

    /// Returns a new device in the home, or the one that is there if no group has admitted it yet.
    private static func node(
        in home: Home, isNew: Bool, name: String, kind: DeviceKind, schema: SchemaFile?,
        _ invocation: Invocation
    ) async throws(ControlFailure) -> Node {
        let opened = isNew ? nil : try await invocation.openNode(schema)
        var passphrase: Passphrase?
        do throws(ControlFailure) {
            if isNew { passphrase = try DeviceOptions.passphrase(invocation.arguments) }
        } catch {
            // The home was made for this device, which did not come to be.
            try? home.removeFiles()
            throw error
        }
        do throws(LinnetError) {
            guard let node = opened else {
                return try await Node.create(
                    at: home.path, name: name, kind: kind, founding: false, schemaFile: schema,
                    passphrase: passphrase)
            }
            if await node.isMember {
                await node.stop()
                throw .alreadyAMember
            }
            try await node.describe(name: name, kind: kind)
            return node
        } catch {
            throw ControlFailure(error)
        }
    }

    private static func schemaLine(_ schema: Schema?) -> String {
        guard let schema else {
            return "It waits for the group's schema, which comes with the first exchange."
        }
        let names = schema.collections.map { TerminalText.neutral($0.name) }
        return "Its collections: \(names.joined(separator: ", "))"
    }

    private static func join(
        _ node: Node, secret: String?, link: String?, timeout: Duration, _ invocation: Invocation
    ) async throws(LinnetError) -> Device {
        let arguments = invocation.arguments
        let peer = arguments.value("peer")
        let discovers = !arguments.has("no-discovery") && peer == nil
        let usesNetwork = link == nil
        let output = invocation.output
        output.say("This device's fingerprint: \(node.fingerprint.joined(separator: " "))")
        guard let secret else {
            try await node.start(
                NodeOptions(
                    listen: arguments.value("listen") ?? NodeOptions.anyAddress,
                    discovery: discovers ? .on : .off, companionLink: link,
                    usesNetwork: usesNetwork))
            let invitation = try await node.offerPairing()
            PairingOptions.show(PairingSight(invitation), invocation)
            return try await node.pairingOutcome()
        }
        try await node.start(
            NodeOptions(
                listen: nil, discovery: discovers ? .quiet : .off, companionLink: link,
                usesNetwork: usesNetwork))
        output.say("Looking for the member; the person there is asked about this device.")
        if secret.hasPrefix("linnet:") {
            return try await node.join(uri: secret, at: peer, timeout: timeout)
        }
        return try await node.join(
            code: secret, at: peer, screen: arguments.value("screen"), timeout: timeout)
    }
}

/// Reads the numbers in options.
enum Numbers {
    /// Reads a number of seconds above 0 and at most a day, perhaps with decimals, rounded up to
    /// whole milliseconds.
    static func seconds(_ text: String, option: String) throws(ControlFailure) -> Duration {
        guard let value = Double(text), value > 0, value <= 86_400 else {
            throw .usage("--\(option) must be a number of seconds above 0, at most 86400")
        }
        return .milliseconds(Int64((value * 1000).rounded(.up)))
    }

    /// Reads a whole number from `least` to 4294967295; nil when none was given.
    static func whole(
        _ text: String?, option: String, from least: UInt64 = 0
    ) throws(ControlFailure) -> UInt64? {
        guard let text else { return nil }
        guard let value = UInt64(text), (least...UInt64(UInt32.max)).contains(value) else {
            throw .usage("--\(option) must be a whole number from \(least) to \(UInt32.max)")
        }
        return value
    }
}
