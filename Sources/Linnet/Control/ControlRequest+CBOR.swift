import LinnetCRDT
package import LinnetWire

extension ControlRequest {
    /// The request as bytes.
    package var encoded: [UInt8] {
        let (number, count) = head
        var writer = ControlCoding.writer(number, count: count)
        write(into: &writer)
        return writer.bytes
    }

    /// The request's number, and how many items follow it.
    private var head: (number: UInt64, count: Int) {
        switch self {
        case .identify: (0, 0)
        case .write: (1, 2)
        case .get: (2, 2)
        case .list: (3, 1)
        case .status: (4, 0)
        case .rename: (5, 1)
        case .digest: (6, 0)
        case .offerPairing: (7, 4)
        case .typePairing: (8, 7)
        case .decide: (9, 1)
        case .cancel: (10, 0)
        case .synchronize: (11, 3)
        case .device: (12, 1)
        case .count: (13, 1)
        case .trash: (14, 1)
        case .history: (15, 4)
        case .why: (16, 3)
        case .observe: (17, 1)
        case .more: (18, 0)
        case .certification: (19, 1)
        case .query: (20, 1)
        case .plan: (21, 1)
        case .schema: (40, 0)
        case .companion: (41, 1)
        case .scopes: (45, 0)
        }
    }

    private func write(into writer: inout CBORWriter) {
        switch self {
        case .identify, .status, .digest, .cancel, .schema, .scopes, .more: break
        case .write(let writes, let intent):
            writer.list(writes) { $0.write($1) }
            writer.optional(intent) { $0.bytes($1) }
        case .get(let collection, let record):
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
        case .list(let collection), .trash(let collection): writer.unsigned(UInt64(collection))
        case .rename(let name): writer.text(name)
        case .offerPairing(let terms): writer.terms(terms)
        case .typePairing(let secret, let peer, let terms):
            writer.text(secret)
            writer.optional(peer.address) { $0.text($1) }
            writer.optional(peer.screen) { $0.text($1) }
            writer.terms(terms)
        case .decide(let accept): writer.bool(accept)
        case .synchronize(let peers, let discovers, let timeout):
            writer.texts(peers)
            writer.bool(discovers)
            writer.unsigned(timeout)
        case .device(let request): writer.deviceRequest(request)
        case .companion(let request): writer.companionRequest(request)
        case .query(let query), .plan(let query), .count(let query): writer.query(query)
        case .history(let collection, let record, let field, let limit):
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
            writer.optional(field) { $0.unsigned(UInt64($1)) }
            writer.unsigned(limit)
        case .why(let collection, let record, let field):
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
            writer.unsigned(UInt64(field))
        case .observe(let observation): writer.observation(observation)
        case .certification(let request): writer.certification(request)
        }
    }

    /// Reads a request; throws when the bytes are not one.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var (reader, kind) = try ControlCoding.reader(of: bytes)
        switch kind {
        case 0: self = .identify
        case 1:
            let writes = try reader.list { (reader) throws(WireError) in try reader.write() }
            let intent = try reader.optional { (reader) throws(WireError) in
                try reader.bytes(max: .max)
            }
            self = .write(writes, intent: intent)
        case 2:
            self = .get(collection: try reader.number(UInt32.self), record: try reader.recordID())
        case 3: self = .list(collection: try reader.number(UInt32.self))
        case 4: self = .status
        case 5: self = .rename(try reader.text(max: .max))
        case 6: self = .digest
        case 7: self = .offerPairing(try reader.terms())
        case 8:
            let secret = try reader.text(max: .max)
            let peer = PairingPeer(
                address: try reader.optional { (reader) throws(WireError) in
                    try reader.text(max: .max)
                },
                screen: try reader.optional { (reader) throws(WireError) in
                    try reader.text(max: .max)
                })
            self = .typePairing(secret: secret, whose: peer, try reader.terms())
        case 9: self = .decide(accept: try reader.bool())
        case 10: self = .cancel
        case 40: self = .schema
        case 45: self = .scopes
        case 11:
            self = .synchronize(
                peers: try reader.texts(), discovers: try reader.bool(),
                timeoutMilliseconds: try reader.unsigned())
        case 12: self = .device(try reader.deviceRequest())
        case 41: self = .companion(try reader.companionRequest())
        default: self = try Self.reading(kind, from: &reader)
        }
        try reader.finish()
    }

    private static func reading(
        _ kind: UInt64, from reader: inout CBORReader
    ) throws(WireError) -> ControlRequest {
        switch kind {
        case 20: return .query(try reader.query())
        case 21: return .plan(try reader.query())
        case 13: return .count(try reader.query())
        case 14: return .trash(collection: try reader.number(UInt32.self))
        case 15:
            return .history(
                collection: try reader.number(UInt32.self), record: try reader.recordID(),
                field: try reader.optional { (reader) throws(WireError) in
                    try reader.number(UInt32.self)
                },
                limit: try reader.unsigned())
        case 16:
            return .why(
                collection: try reader.number(UInt32.self), record: try reader.recordID(),
                field: try reader.number(UInt32.self))
        case 17: return .observe(try reader.observation())
        case 18: return .more
        case 19: return .certification(try reader.certification())
        default: throw .unexpectedType
        }
    }
}

extension CBORWriter {
    fileprivate mutating func terms(_ terms: PairingTerms) {
        bool(terms.isAdmin)
        optional(terms.listen) { $0.text($1) }
        bool(terms.discovers)
        optional(terms.companionLink) { $0.text($1) }
    }
}

extension CBORReader {
    fileprivate mutating func terms() throws(WireError) -> PairingTerms {
        let isAdmin = try bool()
        let listen = try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        return PairingTerms(
            isAdmin: isAdmin, listen: listen, discovers: try bool(),
            companionLink: try optional { (reader) throws(WireError) in try reader.text(max: .max) }
        )
    }
}
