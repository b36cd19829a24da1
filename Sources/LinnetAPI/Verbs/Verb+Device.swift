import Linnet
import LinnetControl
import LinnetSystem
import LinnetWire

// The verbs about the device itself.
extension Verb {
    static let deviceVerbs: [Verb] = [
        Verb("identity") { (call) async throws(ControlFailure) in
            identity(try await call.gateway.ask(IdentityRequest()))
        },
        Verb("status") { (call) async throws(ControlFailure) in
            let status = try await call.gateway.ask(StatusRequest())
            let connections =
                status.isLocked ? nil : try await call.gateway.ask(ConnectionsRequest())
            let lacks = try await call.gateway.ask(LacksRequest())
            return StatusText.json(status, lacks: lacks, connections)
                .with("nowMilliseconds", .integer(SystemClock.now().wallMilliseconds))
        },
        Verb("rename", isWrite: true) { (call) async throws(ControlFailure) in
            let name = try call.members.text("name")
            return receipt(try await call.gateway.ask(RenameRequest(name)))
        },
        Verb("digest") { (call) async throws(ControlFailure) in
            StatusText.json(try await call.gateway.ask(DigestRequest()))
        },
        Verb("schema") { (call) async throws(ControlFailure) in
            let text = try await call.gateway.ask(SchemaRequest()).text
            if text.isEmpty { return ["version": 0, "collections": []] }
            return SchemaJSON.of(try await call.gateway.schemaFile().schema)
        },
        Verb("doctor") { (call) async throws(ControlFailure) in
            let isDeep = try call.members.flag("deep", usual: false)
            let findings = try await call.gateway.ask(ExaminationRequest(isDeep: isDeep))
            return ["findings": .array(findings.map(StatusText.json))]
        },
        Verb("acknowledge", isWrite: true) { (call) async throws(ControlFailure) in
            let known = try await call.gateway.ask(AcknowledgementRequest())
            return ["acknowledged": .array(known.map(WarningText.json))]
        },
        Verb("certificates") { (call) async throws(ControlFailure) in
            try await certificates(call.gateway)
        },
        Verb("certify", isWrite: true) { (call) async throws(ControlFailure) in
            let seconds = try call.members.whole("seconds", in: 1...600, usual: 10)
            let meeting = ControlMeeting(
                peers: [], discovers: true, timeoutMilliseconds: seconds * 1_000)
            _ = try await call.gateway.ask(CertificateExchangeRequest(meeting))
            return try await certificates(call.gateway)
        },
    ]

    private static func identity(_ identity: ControlIdentity) -> JSON {
        [
            "version": .text(identity.version), "processID": .integer(identity.processID),
            "device": .text(identity.device.description),
            "fingerprint": .array(identity.fingerprint.map(JSON.text)),
            "name": .text(identity.name), "kind": .text(identity.kind),
            "group": identity.group.map { .text($0.description) } ?? .null,
            "port": identity.port.map(JSON.integer) ?? .null,
        ]
    }

    private static func certificates(_ gateway: Gateway) async throws(ControlFailure) -> JSON {
        let own = try await gateway.ask(CertificateRequest())
        let agreements = try await gateway.ask(AgreementsRequest())
        return [
            "own": CertificateText.json(own),
            "agreements": .array(agreements.map { CertificateText.json($0, now: own) }),
        ]
    }

    /// Returns the receipt of a write that names no record.
    private static func receipt(_ receipt: ControlReceipt) -> JSON {
        .object(
            [
                JSON.Member("commit", .text(receipt.commit.description)),
                JSON.Member("batches", .integer(receipt.batches)),
                JSON.Member("operations", .integer(receipt.operations)),
                JSON.Member("repeated", .bool(receipt.repeated)),
            ] + receipt.outcomeMembers)
    }
}
