import LinnetCRDT
package import LinnetWire

extension ControlResponse {
    /// The response as bytes.
    package var encoded: [UInt8] {
        let (number, count) = head
        var writer = ControlCoding.writer(number, count: count)
        write(into: &writer)
        return writer.bytes
    }

    /// The response's number, and how many items follow it.
    private var head: (number: UInt64, count: Int) {
        switch self {
        case .done: (0, 0)
        case .failed: (1, 2)
        case .identity: (2, 8)
        case .receipt: (3, 5)
        case .records: (4, 1)
        case .status: (5, 11)
        case .digest: (6, 2)
        case .pairing: (7, 1)
        case .synced: (8, 1)
        case .progress: (9, 2)
        case .trash: (10, 1)
        case .history: (11, 1)
        case .explanation: (12, 1)
        case .changed: (13, 1)
        case .certificate: (14, 1)
        case .count: (15, 1)
        case .next: (16, 1)
        case .plan: (17, 1)
        case .agreements: (18, 1)
        case .schema: (40, 1)
        case .companion: (41, 1)
        case .scopes: (45, 3)
        case .found: (46, 1)
        case .findings: (50, 1)
        case .warnings: (51, 1)
        }
    }

    private func write(into writer: inout CBORWriter) {
        switch self {
        case .done: break
        case .failed(let failure):
            writer.unsigned(UInt64(failure.kind.rawValue))
            writer.text(failure.message)
        case .identity(let identity): writer.identity(identity)
        case .receipt(let receipt): writer.receipt(receipt)
        case .records(let records): writer.list(records) { $0.record($1) }
        case .status(let status): writer.status(status)
        case .digest(let digest):
            writer.bytes(digest.digest)
            writer.list(digest.vector) { $0.entry($1) }
        case .pairing(let pairing): writer.pairing(pairing)
        case .scopes(let scopes):
            writer.bool(scopes.isEverything)
            writer.texts(scopes.names)
            writer.bool(scopes.isInStep)
        case .schema(let text), .companion(let text), .next(let text): writer.text(text)
        case .synced(let devices): writer.list(devices) { $0.bytes($1) }
        case .progress(let done, let total):
            writer.unsigned(done)
            writer.unsigned(total)
        case .found(let count), .count(let count): writer.unsigned(count)
        case .plan(let plan): writer.plan(plan)
        case .trash(let records): writer.list(records) { $0.trash($1) }
        case .history(let entries): writer.list(entries) { $0.historyEntry($1) }
        case .explanation(let explanation): writer.explanation(explanation)
        case .changed(let records): writer.list(records) { $0.changed($1) }
        case .certificate(let certificate): writer.certificate(certificate)
        case .agreements(let agreements): writer.list(agreements) { $0.agreement($1) }
        case .findings(let findings): writer.list(findings) { $0.finding($1) }
        case .warnings(let warnings): writer.list(warnings) { $0.warning($1) }
        }
    }

    /// Reads a response; throws when the bytes are not one.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var (reader, kind) = try ControlCoding.reader(of: bytes)
        switch kind {
        case 0: self = .done
        case 1:
            guard let kind = ControlFailure.Kind(rawValue: try reader.number(UInt8.self)) else {
                throw .unexpectedType
            }
            self = .failed(ControlFailure(kind, try reader.text(max: .max)))
        case 2: self = .identity(try reader.identity())
        case 3:
            self = .receipt(try reader.receipt())
        case 4:
            self = .records(
                try reader.list { (reader) throws(WireError) in try reader.record() })
        case 5: self = .status(try reader.status())
        case 6:
            let digest = try reader.bytes32()
            let vector = try reader.list { (reader) throws(WireError) in try reader.entry() }
            self = .digest(ControlDigest(digest: digest, vector: vector))
        case 7: self = .pairing(try reader.pairing())
        case 8:
            self = .synced(
                devices: try reader.list { (reader) throws(WireError) in try reader.bytes32() })
        case 9:
            self = .progress(done: try reader.unsigned(), total: try reader.unsigned())
        case 40: self = .schema(try reader.text(max: .max))
        case 45:
            self = .scopes(
                ControlScopes(
                    isEverything: try reader.bool(), names: try reader.texts(),
                    isInStep: try reader.bool()))
        case 46: self = .found(try reader.unsigned())
        case 41: self = .companion(try reader.text(max: .max))
        default: self = try Self.reading(kind, from: &reader)
        }
        try reader.finish()
    }

    private static func reading(
        _ kind: UInt64, from reader: inout CBORReader
    ) throws(WireError) -> ControlResponse {
        switch kind {
        case 16: return .next(try reader.text(max: .max))
        case 17: return .plan(try reader.plan())
        case 15: return .count(try reader.unsigned())
        case 10:
            return .trash(
                try reader.list { (reader) throws(WireError) in try reader.trash() })
        case 11: return .history(try reader.entries())
        case 12: return .explanation(try reader.explanation())
        case 13:
            return .changed(
                try reader.list { (reader) throws(WireError) in try reader.changed() })
        case 14: return .certificate(try reader.certificate())
        case 18:
            return .agreements(
                try reader.list { (reader) throws(WireError) in try reader.agreement() })
        case 50:
            return .findings(
                try reader.list { (reader) throws(WireError) in try reader.finding() })
        case 51:
            return .warnings(
                try reader.list { (reader) throws(WireError) in try reader.warning() })
        default: throw .unexpectedType
        }
    }
}

extension CBORWriter {
    fileprivate mutating func identity(_ identity: ControlIdentity) {
        text(identity.version)
        unsigned(UInt64(identity.processID))
        bytes(identity.device)
        texts(identity.fingerprint)
        text(identity.name)
        text(identity.kind)
        optional(identity.group) { $0.bytes($1) }
        optional(identity.port) { $0.unsigned(UInt64($1)) }
    }

    fileprivate mutating func status(_ status: ControlStatus) {
        list(status.members) { $0.member($1) }
        bool(status.isNewcomer)
        bool(status.isRunning)
        bool(status.isLocked)
        optional(status.port) { $0.unsigned(UInt64($1)) }
        text(status.discovery)
        texts(status.waiting)
        list(status.warnings) { $0.warning($1) }
        unsigned(status.batches)
        unsigned(status.batchBytes)
        optional(status.companionLink) { $0.companionLink($1) }
    }

    private mutating func member(_ member: ControlStatus.Member) {
        array(9)
        bytes(member.device)
        text(member.name)
        text(member.kind)
        text(member.role)
        bool(member.isSelf)
        bool(member.isConnected)
        optional(member.lastHeardMilliseconds) { $0.signed($1) }
        unsigned(member.behindBatches)
        optional(member.agreedMilliseconds) { $0.signed($1) }
    }

    fileprivate mutating func entry(_ entry: ControlDigest.Entry) {
        array(5)
        bytes(entry.scope)
        bytes(entry.device)
        bytes(entry.incarnation)
        unsigned(entry.sequence)
        bytes(entry.head)
    }

    fileprivate mutating func pairing(_ pairing: ControlPairing) {
        switch pairing {
        case .offered(let sight):
            array(6)
            unsigned(0)
            text(sight.code)
            text(sight.uri)
            text(sight.listen)
            text(sight.instance)
            unsigned(sight.lifetimeMilliseconds)
        case .newcomer(let name, let kind, let fingerprint):
            array(4)
            unsigned(1)
            text(name)
            text(kind)
            texts(fingerprint)
        case .wrongCode(let triesLeft):
            array(2)
            unsigned(2)
            unsigned(triesLeft)
        case .paired(let device, let name):
            array(3)
            unsigned(3)
            bytes(device)
            text(name)
        }
    }
}

extension CBORReader {
    fileprivate mutating func identity() throws(WireError) -> ControlIdentity {
        ControlIdentity(
            version: try text(max: .max), processID: try number(UInt32.self), device: try bytes32(),
            fingerprint: try texts(), name: try text(max: .max), kind: try text(max: .max),
            group: try optional { (reader) throws(WireError) in try reader.bytes32() },
            port: try optional { (reader) throws(WireError) in try reader.number(UInt16.self) })
    }

    fileprivate mutating func status() throws(WireError) -> ControlStatus {
        ControlStatus(
            members: try list { (reader) throws(WireError) in try reader.member() },
            isNewcomer: try bool(), isRunning: try bool(), isLocked: try bool(),
            port: try optional { (reader) throws(WireError) in try reader.number(UInt16.self) },
            discovery: try text(max: .max), waiting: try texts(),
            warnings: try list { (reader) throws(WireError) in try reader.warning() },
            batches: try unsigned(), batchBytes: try unsigned(),
            companionLink: try optional { (reader) throws(WireError) in
                try reader.companionLink()
            })
    }

    private mutating func member() throws(WireError) -> ControlStatus.Member {
        try array(exactly: 9)
        return ControlStatus.Member(
            device: try bytes32(), name: try text(max: .max), kind: try text(max: .max),
            role: try text(max: .max),
            isSelf: try bool(), isConnected: try bool(),
            lastHeardMilliseconds: try optional { (reader) throws(WireError) in
                try reader.signed()
            },
            behindBatches: try unsigned(),
            agreedMilliseconds: try optional { (reader) throws(WireError) in
                try reader.signed()
            })
    }

    fileprivate mutating func entry() throws(WireError) -> ControlDigest.Entry {
        try array(exactly: 5)
        return ControlDigest.Entry(
            scope: try bytes16(), device: try bytes32(), incarnation: try bytes8(),
            sequence: try unsigned(), head: try bytes32())
    }

    fileprivate mutating func pairing() throws(WireError) -> ControlPairing {
        _ = try array(max: 6)
        switch try unsigned() {
        case 0:
            return .offered(
                PairingSight(
                    code: try text(max: .max), uri: try text(max: .max),
                    listen: try text(max: .max), instance: try text(max: .max),
                    lifetimeMilliseconds: try unsigned()))
        case 1:
            return .newcomer(
                name: try text(max: .max), kind: try text(max: .max), fingerprint: try texts())
        case 2: return .wrongCode(triesLeft: try unsigned())
        case 3: return .paired(device: try bytes32(), name: try text(max: .max))
        default: throw .unexpectedType
        }
    }
}
