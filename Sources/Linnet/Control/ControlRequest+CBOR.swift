import LinnetCRDT
package import LinnetWire

extension ControlRequest {
    /// The request as bytes.
    package var encoded: [UInt8] {
        var writer: CBORWriter
        switch self {
        case .identify: writer = ControlCoding.writer(0, count: 0)
        case .write(let writes, let intent):
            writer = ControlCoding.writer(1, count: 2)
            writer.list(writes) { $0.write($1) }
            writer.optional(intent) { $0.bytes($1) }
        case .get(let collection, let record):
            writer = ControlCoding.writer(2, count: 2)
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
        case .list(let collection):
            writer = ControlCoding.writer(3, count: 1)
            writer.unsigned(UInt64(collection))
        case .status: writer = ControlCoding.writer(4, count: 0)
        case .rename(let name):
            writer = ControlCoding.writer(5, count: 1)
            writer.text(name)
        case .digest: writer = ControlCoding.writer(6, count: 0)
        case .offerPairing(let terms):
            writer = ControlCoding.writer(7, count: 4)
            writer.terms(terms)
        case .typePairing(let secret, let peer, let terms):
            writer = ControlCoding.writer(8, count: 7)
            writer.text(secret)
            writer.optional(peer.address) { $0.text($1) }
            writer.optional(peer.screen) { $0.text($1) }
            writer.terms(terms)
        case .decide(let accept):
            writer = ControlCoding.writer(9, count: 1)
            writer.bool(accept)
        case .cancel: writer = ControlCoding.writer(10, count: 0)
        case .schema: writer = ControlCoding.writer(40, count: 0)
        case .scopes: writer = ControlCoding.writer(45, count: 0)
        case .synchronize(let peers, let discovers, let timeout):
            writer = ControlCoding.writer(11, count: 3)
            writer.texts(peers)
            writer.bool(discovers)
            writer.unsigned(timeout)
        case .device(let request):
            writer = ControlCoding.writer(12, count: 1)
            writer.deviceRequest(request)
        case .companion(let request):
            writer = ControlCoding.writer(41, count: 1)
            writer.companionRequest(request)
        case .query, .plan, .count, .trash, .history, .why, .observe, .more, .certification:
            writer = encodedReading
        }
        return writer.bytes
    }

    private var encodedReading: CBORWriter {
        var writer: CBORWriter
        switch self {
        case .query(let query):
            writer = ControlCoding.writer(20, count: 1)
            writer.query(query)
        case .plan(let query):
            writer = ControlCoding.writer(21, count: 1)
            writer.query(query)
        case .count(let query):
            writer = ControlCoding.writer(13, count: 1)
            writer.query(query)
        case .trash(let collection):
            writer = ControlCoding.writer(14, count: 1)
            writer.unsigned(UInt64(collection))
        case .history(let collection, let record, let field, let limit):
            writer = ControlCoding.writer(15, count: 4)
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
            writer.optional(field) { $0.unsigned(UInt64($1)) }
            writer.unsigned(limit)
        case .why(let collection, let record, let field):
            writer = ControlCoding.writer(16, count: 3)
            writer.unsigned(UInt64(collection))
            writer.recordID(record)
            writer.unsigned(UInt64(field))
        case .observe(let observation):
            writer = ControlCoding.writer(17, count: 1)
            writer.observation(observation)
        case .certification(let request):
            writer = ControlCoding.writer(19, count: 1)
            writer.certification(request)
        default: writer = ControlCoding.writer(18, count: 0)
        }
        return writer
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
