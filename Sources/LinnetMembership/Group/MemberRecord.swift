import LinnetCrypto
package import LinnetWire

/// One signed statement of the membership log; a value of this type has a valid signature.
package struct MemberRecord: Equatable, Sendable {
    /// Most parents of one record.
    package static let mostParents = 8
    /// Bound on the list items inside a record, far above any legal one.
    private static let mostItems = 2_048
    private static let version: UInt64 = 1

    /// The hash of the signed body.
    package let id: MemberRecordID
    /// The group, which for a genesis record is its own identifier.
    package let group: GroupID
    /// The kind as it stands in the record; ``MemberKind`` names those of this version.
    package let kind: UInt8
    /// The device that signed the record.
    package let author: DeviceID
    /// One above the latest parent's; 1 for a genesis record.
    package let lamport: UInt64
    /// The records that the author had seen and no other record had followed, ascending.
    package let parents: [MemberRecordID]
    /// The content of the record.
    package let payload: MemberPayload
    /// The canonical bytes as the author signed them, to be stored and forwarded.
    package let encoded: [UInt8]

    /// Reads a record and checks everything that needs no other record: size, canonical form,
    /// certificates, signature.
    package init(decoding bytes: [UInt8]) throws(MembershipError) {
        let (body, fields) = try Self.signed(bytes)
        let isGenesis = fields.kind == MemberKind.genesis.rawValue
        payload = try MemberPayload(decoding: fields.payload, kind: fields.kind)
        guard payload.fits(fields.author) else {
            throw isGenesis ? .notEntitled : .malformed(.badLength)
        }
        id = ExactLength.bytes32(Hash.blake2b(.memberID, body))
        group = isGenesis ? id : fields.group
        kind = fields.kind
        author = fields.author
        lamport = fields.lamport
        parents = fields.parents
        encoded = bytes
    }

    /// Signs a record over a payload in canonical form, and checks it like one from outside.
    ///
    /// A genesis record has kind 0, the zero group, logical time 1 and no parents.
    package init(
        signing payload: [UInt8], kind: UInt8, group: GroupID, lamport: UInt64,
        parents: [MemberRecordID], keys: borrowing DeviceKeys
    ) throws(MembershipError) {
        var body = CBORWriter()
        body.array(7)
        body.unsigned(Self.version)
        body.bytes(group)
        body.unsigned(UInt64(kind))
        body.bytes(keys.device)
        body.unsigned(lamport)
        body.array(parents.count)
        for parent in parents { body.bytes(parent) }
        body.raw(payload)
        var record = CBORWriter()
        record.array(2)
        record.raw(body.bytes)
        record.bytes(keys.signing.sign(.member, body.bytes))
        try self.init(decoding: record.bytes)
    }

    /// True for bytes that their author signed, whatever they say.
    static func isSigned(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try signed(bytes)
            return true
        } catch {
            return false
        }
    }

    /// Reads what stands around a payload, and checks the signature.
    private static func signed(
        _ bytes: [UInt8]
    ) throws(MembershipError) -> (body: [UInt8], fields: Fields) {
        guard bytes.count <= Limits.memberRecordBytes else { throw .recordTooLarge }
        let (body, signature) = try CanonicalForm.read(bytes, maxItems: mostItems) {
            (reader) throws(WireError) in
            try reader.array(exactly: 2)
            return (
                try reader.rawItem(), try reader.bytes(exactly: SigningKey.signatureBytes)
            )
        }
        let fields = try CanonicalForm.read(body) { (reader) throws(WireError) in
            try Fields(from: &reader)
        }
        let isGenesis = fields.kind == MemberKind.genesis.rawValue
        guard
            MemberPayload.isAscending(fields.parents), fields.parents.isEmpty == isGenesis,
            (fields.group == .zero) == isGenesis, !isGenesis || fields.lamport == 1
        else { throw .malformed(.nonCanonical) }
        guard SigningKey.isValid(signature, .member, body, publicKey: fields.author.array) else {
            throw .badSignature
        }
        return (body, fields)
    }

    /// Reads the payload of bytes whose signature was checked before.
    private static func signedContent(_ bytes: [UInt8]) throws(MembershipError) -> [UInt8] {
        let body = try CanonicalForm.read(bytes, maxItems: mostItems) {
            (reader) throws(WireError) in
            try reader.array(exactly: 2)
            let body = try reader.rawItem()
            _ = try reader.bytes(exactly: SigningKey.signatureBytes)
            return body
        }
        return try CanonicalForm.read(body) { (reader) throws(WireError) in
            try Fields(from: &reader)
        }.payload
    }

    private struct Fields {
        let group: GroupID
        let kind: UInt8
        let author: DeviceID
        let lamport: UInt64
        let parents: [MemberRecordID]
        let payload: [UInt8]

        init(from reader: inout CBORReader) throws(WireError) {
            try reader.array(exactly: 7)
            guard try reader.unsigned() == version else { throw .unexpectedType }
            group = try reader.bytes32()
            kind = UInt8(try reader.unsigned(max: UInt64(UInt8.max)))
            author = try reader.bytes32()
            lamport = try reader.unsigned()
            parents = try reader.list(max: mostParents) { (reader) throws(WireError) in
                try reader.bytes32()
            }
            payload = try reader.rawItem()
        }
    }
}

extension MemberRecord {
    /// The canonical bytes of the payload, whatever its kind.
    var content: [UInt8]? { try? Self.signedContent(encoded) }

    /// True when a version that does not understand the record must not act as if it were not
    /// there: kinds below 128 may change who belongs to the group, others are only passed on.
    var isCritical: Bool {
        switch payload {
        case .laterAdd: true
        case .unknown: kind < 128
        default: false
        }
    }

    /// True when the first version did not understand the record, and took it for one that may
    /// start an epoch.
    var isNovel: Bool {
        switch payload {
        case .genesis, .epoch: false
        case .add(let payload): payload.role == .reader
        default: kind < 128
        }
    }

    /// The order in which records take effect: by logical time, then by identifier. It never puts a
    /// record before its parents.
    package static func precedes(_ first: MemberRecord, _ second: MemberRecord) -> Bool {
        (first.lamport, first.id) < (second.lamport, second.id)
    }
}
