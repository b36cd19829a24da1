import Linnet
import LinnetAPI
import LinnetControl
import LinnetWire

/// `linnet pair`: admits a new device to the group.
enum PairCommand {
    static let command = Command(
        "pair", summary: "Admit a new device: show a code, or type the one that it shows.",
        details: """
            Shows six digits and a pairing address, valid side by side for two minutes; the first
            use ends both. With --code or --uri it types what the new device shows ('linnet join
            --show'). You are asked before the device is admitted; --yes answers for you.
            """,
        options: [
            PairingOptions.code, PairingOptions.uri, PairingOptions.peer, PairingOptions.screen,
            Option("listen", "HOST:PORT", "where to listen if no 'linnet run' is listening"),
            Option(
                "role", "ROLE",
                "admin (may admit others; the default), member, reader or relay"),
            Option("scopes", "NAMES", "bind a member or reader to these scopes, as in log,meds"),
            PairingOptions.qr, Option("yes", nil, "admit the device without asking"),
            PairingOptions.noDiscovery, PairingOptions.companionLink,
        ],
        example: "pair", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        _ = try arguments.words()
        let secret = try PairingOptions.secret(arguments)
        let terms = try terms(arguments)
        if secret == nil && (arguments.has("peer") || arguments.has("screen")) {
            throw .usage("--peer and --screen belong to --code or --uri")
        }
        guard arguments.has("yes") || Output.hasPerson else {
            throw .usage(
                "there is no terminal to ask about it: run it in a terminal, or with --yes")
        }
        let peer = PairingPeer(
            address: arguments.value("peer"), screen: arguments.value("screen"))
        try await invocation.withGateway { (gateway) throws(ControlFailure) in
            if let secret {
                try await gateway.converse(PairingEntryRequest(secret, of: peer, terms)) {
                    reply(to: $0, invocation)
                }
            } else {
                try await gateway.converse(PairingOfferRequest(terms)) { reply(to: $0, invocation) }
            }
        }
    }

    private static func terms(_ arguments: Arguments) throws(ControlFailure) -> PairingTerms {
        let role = arguments.value("role") ?? "admin"
        guard DeviceRole(rawValue: role) != nil else {
            throw .usage("--role must be one of admin, member, reader, relay")
        }
        return PairingTerms(
            role: role, listen: arguments.value("listen"),
            discovers: !arguments.has("no-discovery"),
            companionLink: try PairingOptions.link(arguments),
            scopes: try ScopesOption.read(arguments))
    }

    private static func reply(
        to pairing: ControlPairing, _ invocation: Invocation
    ) -> ControlReply? {
        let output = invocation.output
        switch pairing {
        case .offered(let sight):
            PairingOptions.show(sight, invocation)
        case .wrongCode(let left):
            output.result(
                ["event": "wrong-code", "triesLeft": .integer(left)],
                "Somebody typed a wrong code. Tries left: \(left)")
        case .newcomer(let name, let kind, let fingerprint):
            output.result(
                [
                    "event": "newcomer", "name": .text(name), "kind": .text(kind),
                    "fingerprint": .array(fingerprint.map(JSON.text)),
                ],
                """
                \(TerminalText.neutral(name)) (\(TerminalText.neutral(kind))) asks to join.
                Its fingerprint: \(TerminalText.neutral(fingerprint.joined(separator: " ")))
                """)
            return .decide(accept: invocation.arguments.has("yes") || isAccepted())
        case .paired(let device, let name):
            output.result(
                [
                    "event": "paired", "device": .text(device.description), "name": .text(name),
                ], "\(TerminalText.neutral(name)) belongs to the group now.")
        }
        return nil
    }

    private static func isAccepted() -> Bool {
        Output.write("Admit it? Compare the fingerprint with the other screen. [y/N] ", to: 2)
        let answer = readLine()?.lowercased() ?? ""
        return answer == "y" || answer == "yes"
    }
}

/// The options that `pair` and `join` have in common.
enum PairingOptions {
    static let code = Option("code", "DIGITS", "the six digits that the other device shows")
    static let uri = Option("uri", "URI", "the pairing address that the other device shows")
    static let peer = Option("peer", "HOST:PORT", "where the other device listens")
    static let screen = Option(
        "screen", "ABC", "first characters of the name on the right screen, if several show codes")
    static let qr = Option("qr", nil, "draw the pairing address as a QR code")
    static let noDiscovery = Option("no-discovery", nil, "do not use mDNS")
    static let companionLink = Option(
        "companion-link", "DIR", "directory that a phone and its watch share, instead of sockets")

    /// Returns the directory that phone and watch share, as an absolute path; nil when none was
    /// given.
    static func link(_ arguments: Arguments) throws(ControlFailure) -> String? {
        guard let path = arguments.value("companion-link") else { return nil }
        guard !path.isEmpty else { throw .usage("--companion-link must name a directory") }
        if FilePath.kind(of: path) == .other {
            throw .failed(
                "\(TerminalText.neutral(path)) is not a directory: name one with --companion-link")
        }
        return FilePath.absolute(path)
    }

    /// Returns the code or pairing address that was typed; nil when there is none.
    static func secret(_ arguments: Arguments) throws(ControlFailure) -> String? {
        switch (arguments.value("code"), arguments.value("uri")) {
        case (nil, nil): return nil
        case (.some, .some): throw .usage("--code and --uri exclude each other")
        case (let code?, nil):
            let digits = code.filter { !" -".contains($0) }
            guard digits.count == 6, digits.allSatisfy({ ("0"..."9").contains($0) }) else {
                throw .usage("--code must have six digits")
            }
            return digits
        case (nil, let uri?):
            guard uri.hasPrefix("linnet:") else { throw .usage("--uri must begin with linnet:") }
            return uri
        }
    }

    /// Shows a code and a pairing address to type or scan.
    static func show(_ sight: PairingSight, _ invocation: Invocation) {
        let seconds = sight.lifetimeMilliseconds / 1000
        let digits = "\(sight.code.prefix(3)) \(sight.code.dropFirst(3))"
        var text = """
            Code: \(digits)   (valid for \(seconds) s)
            or the pairing address: \(sight.uri)
            """
        if !sight.listen.isEmpty { text += "\nListening at \(sight.listen)" }
        if !sight.instance.isEmpty { text += ", announced as \(sight.instance)" }
        let json: JSON = [
            "code": .text(sight.code), "uri": .text(sight.uri), "listen": .text(sight.listen),
            "instance": sight.instance.isEmpty ? .null : .text(sight.instance),
            "expiresInSeconds": .integer(seconds),
        ]
        if invocation.arguments.has("qr"), let drawing = QRCode.drawing(of: sight.uri) {
            invocation.output.draw(drawing)
        }
        invocation.output.result(json, text)
        if invocation.output.isJSON { invocation.output.say(text) }
    }
}
