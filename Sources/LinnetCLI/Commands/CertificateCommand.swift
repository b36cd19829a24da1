import Linnet
import LinnetAPI
import LinnetCRDT
import LinnetControl
import LinnetWire

/// `linnet certificate`: shows, saves and checks the proofs that devices hold and show the same.
enum CertificateCommand {
    static let command = Command(
        "certificate", words: "[exchange | save FILE | check FILE...]",
        summary: "Show signed proofs that devices hold and show the same.",
        details: """
            Without words: what this device holds, and what it and others signed for each other.
            'exchange' connects as 'sync' does and asks every device that it reaches to sign. 'save'
            writes this device's certificate; 'check' reads such files, from devices of the group,
            without a network, and fails unless they all agree.
            """,
        options: [
            Option("peer", "HOST:PORT", repeats: true, "exchange: a device to connect to"),
            Option("timeout", "SECONDS", "exchange: how long to try; 30 if not given"),
            PairingOptions.noDiscovery,
        ],
        example: "certificate exchange", run: run)

    private static func run(_ invocation: Invocation) async throws(ControlFailure) {
        let words = invocation.arguments.words
        switch words.first {
        case nil: try await show(invocation)
        case "exchange" where words.count == 1: try await exchange(invocation)
        case "save" where words.count == 2: try await save(words[1], invocation)
        case "check" where words.count > 1: try await check(words.dropFirst(), invocation)
        default:
            throw .usage(
                "say 'certificate' alone, or with exchange, save FILE or check FILE...")
        }
    }

    private static func show(_ invocation: Invocation) async throws(ControlFailure) {
        let (own, agreements) = try await invocation.withGateway {
            (gateway) throws(ControlFailure) in
            (
                try await gateway.ask(CertificateRequest()),
                try await gateway.ask(AgreementsRequest())
            )
        }
        let lines = ["this device: \(text(own))"] + agreements.map { text($0, now: own) }
        invocation.output.result(
            [
                "own": CertificateText.json(own),
                "agreements": .array(agreements.map { CertificateText.json($0, now: own) }),
            ],
            lines.joined(separator: "\n"))
    }

    private static func exchange(_ invocation: Invocation) async throws(ControlFailure) {
        let arguments = invocation.arguments
        let timeout = try Numbers.seconds(arguments.value("timeout") ?? "30", option: "timeout")
        let peers = arguments.values("peer")
        let meeting = ControlMeeting(
            peers: peers, discovers: peers.isEmpty && !arguments.has("no-discovery"),
            timeoutMilliseconds: UInt64(timeout / .milliseconds(1)))
        let agreements = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(CertificateExchangeRequest(meeting))
        }
        invocation.output.result(
            ["agreements": .array(agreements.map { CertificateText.json($0, now: nil) })],
            agreements.isEmpty
                ? "No device signed; those that were reached run an older version."
                : agreements.map { text($0, now: nil) }.joined(separator: "\n"))
    }

    private static func save(
        _ path: String, _ invocation: Invocation
    ) async throws(ControlFailure) {
        try FileText.requirePlace(for: path)
        let own = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            try await gateway.ask(CertificateRequest())
        }
        try FileText.write(own.bytes, to: path)
        invocation.output.result(
            CertificateText.json(own), "Saved \(TerminalText.neutral(path)): \(text(own))")
    }

    private static func check(
        _ paths: ArraySlice<String>, _ invocation: Invocation
    ) async throws(ControlFailure) {
        let read = try await invocation.withGateway { (gateway) throws(ControlFailure) in
            var read: [ConvergenceCertificate] = []
            for path in paths {
                let bytes = try FileText.read(path)
                do throws(ControlFailure) {
                    read.append(try await gateway.ask(CertificateCheckRequest(bytes)))
                } catch {
                    throw ControlFailure(
                        error.kind, "\(TerminalText.neutral(path)): \(error.message)")
                }
            }
            return read
        }
        guard let first = read.first else { throw .failed("no certificate was given") }
        guard read.allSatisfy({ $0.isComparable(with: first) }) else {
            throw .failed(
                "some of these certificates are of an older release, which signs another digest:"
                    + " update that device, then sign again")
        }
        let agree = read.allSatisfy { $0.agrees(with: first) }
        let lines = read.map { "\(label($0.device)): \(text($0))" }
        invocation.output.result(
            ["agree": .bool(agree), "certificates": .array(read.map(CertificateText.json))],
            lines.joined(separator: "\n"))
        if !agree { throw .failed("the certificates do not agree: 'linnet sync', then sign again") }
    }

    // MARK: Showing

    private static func text(_ certificate: ConvergenceCertificate) -> String {
        "holds \(certificate.vectorDigest.prefix(16)),"
            + " shows \(certificate.visibleDigest.prefix(16))"
    }

    private static func text(
        _ agreement: ConvergenceAgreement, now own: ConvergenceCertificate?
    ) -> String {
        let time = CivilTime.instantText(milliseconds: agreement.theirs.signedMilliseconds)
        guard agreement.holds else {
            return "\(label(agreement.theirs.device)): did not hold the same at \(time);"
                + " 'linnet certificate exchange' asks again"
        }
        let still = own.map { own in
            guard own.isComparable(with: agreement.theirs) else {
                return "; 'linnet certificate exchange' tells whether they do now"
            }
            return own.agrees(with: agreement.theirs) ? ", as now" : ", not as now"
        }
        return "\(label(agreement.theirs.device)): held and showed the same at \(time)"
            + (still ?? "")
    }

    private static func label(_ device: Device) -> String {
        device.name.isEmpty ? "device \(device.id.prefix(8))" : TerminalText.neutral(device.name)
    }
}
