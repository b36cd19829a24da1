import LinnetCRDT
package import LinnetWire

extension ControlRequest {
    /// The request's bytes.
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
            writer = ControlCoding.writer(7, count: 3)
            writer.terms(terms)
        case .typePairing(let secret, let peer, let terms):
            writer = ControlCoding.writer(8, count: 6)
            writer.text(secret)
            writer.optional(peer.address) { $0.text($1) }
            writer.optional(peer.screen) { $0.text($1) }
            writer.terms(terms)
        case .decide(let accept):
            writer = ControlCoding.writer(9, count: 1)
            writer.bool(accept)
        case .cancel: writer = ControlCoding.writer(10, count: 0)
        case .schema: writer = ControlCoding.writer(40, count: 0)
        case .synchronize(let peers, let discovers, let timeout):
            writer = ControlCoding.writer(11, count: 3)
            writer.texts(peers)
            writer.bool(discovers)
            writer.unsigned(timeout)
        case .device(let request):
            writer = ControlCoding.writer(12, count: 1)
            writer.deviceRequest(request)
        }
        return writer.bytes
    }

    /// Reads a request; throws what is wrong with the bytes.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        var (reader, kind) = try ControlCoding.reader(of: bytes)
        switch kind {
        case 0: self = .identify
        case 1:
            let writes = try reader.list { (reader) throws(WireError) in try reader.write() }
            let intent = try reader.optional { (reader) throws(WireError) in try reader.bytes() }
            self = .write(writes, intent: intent)
        case 2:
            self = .get(collection: try reader.number(UInt32.self), record: try reader.recordID())
        case 3: self = .list(collection: try reader.number(UInt32.self))
        case 4: self = .status
        case 5: self = .rename(try reader.text())
        case 6: self = .digest
        case 7: self = .offerPairing(try reader.terms())
        case 8:
            let secret = try reader.text()
            let peer = PairingPeer(
                address: try reader.optional { (reader) throws(WireError) in try reader.text() },
                screen: try reader.optional { (reader) throws(WireError) in try reader.text() })
            self = .typePairing(secret: secret, whose: peer, try reader.terms())
        case 9: self = .decide(accept: try reader.bool())
        case 10: self = .cancel
        case 40: self = .schema
        case 11:
            self = .synchronize(
                peers: try reader.texts(), discovers: try reader.bool(),
                timeoutMilliseconds: try reader.unsigned())
        case 12: self = .device(try reader.deviceRequest())
        default: throw .unexpectedType
        }
        try reader.finish()
    }
}

extension CBORWriter {
    fileprivate mutating func terms(_ terms: PairingTerms) {
        bool(terms.isAdmin)
        optional(terms.listen) { $0.text($1) }
        bool(terms.discovers)
    }

    fileprivate mutating func write(_ write: ControlWrite) {
        switch write {
        case .set(let collection, let record, let fields):
            array(3)
            unsigned(UInt64(collection))
            recordID(record)
            list(fields) { $0.field($1) }
        case .delete(let collection, let record):
            array(2)
            unsigned(UInt64(collection))
            recordID(record)
        }
    }
}

extension CBORReader {
    fileprivate mutating func terms() throws(WireError) -> PairingTerms {
        let isAdmin = try bool()
        let listen = try optional { (reader) throws(WireError) in try reader.text() }
        return PairingTerms(isAdmin: isAdmin, listen: listen, discovers: try bool())
    }

    fileprivate mutating func write() throws(WireError) -> ControlWrite {
        let count = try array(max: 3)
        let collection = try number(UInt32.self)
        let record = try recordID()
        switch count {
        case 2: return .delete(collection: collection, record: record)
        case 3: return .set(collection: collection, record: record, try fields())
        default: throw .unexpectedType
        }
    }
}
