import LinnetCrypto
package import LinnetWire

/// The content of a membership record.
package enum MemberPayload: Equatable, Sendable {
    /// The group begins.
    case genesis(GenesisPayload)
    /// A device is admitted.
    case add(AddPayload)
    /// A device is removed, or leaves.
    case remove(RemovePayload)
    /// A device gets another role or other scopes.
    case role(RolePayload)
    /// An epoch begins.
    case epoch(EpochPayload)
    /// The author's opinion of a record.
    case vote(VotePayload)
    /// More of a device's batches count.
    case extend(ExtendPayload)
    /// The keys of an epoch, for one device.
    case share(SharePayload)
    /// The recovery key is replaced.
    case recovery(Certificate)
    /// A device is admitted in a role of a later version.
    case laterAdd(Certificate)
    /// Something of a later version, kept and forwarded as it is.
    case unknown
}

/// The payload of the first record.
package struct GenesisPayload: Equatable, Sendable {
    /// The founding device.
    package let creator: Certificate
    /// The key that a recovery passphrase would yield, if the group has one.
    package let recovery: Certificate?
    /// True when the group has a policy, which only later versions understand.
    package let hasPolicy: Bool
    /// Random bytes, which make two groups of one device differ.
    package let random: Bytes32
}

/// The payload that admits a device.
package struct AddPayload: Equatable, Sendable {
    /// The admitted device.
    package let certificate: Certificate
    /// The role of the new member.
    package let role: Role
    /// The epoch whose keys the box holds.
    package let epoch: EpochID
    /// The keys, sealed to the device.
    package let box: [UInt8]
}

/// The payload that starts an epoch.
package struct EpochPayload: Equatable, Sendable {
    /// Above the numbers of the epochs before it, the first being 1.
    package let number: UInt64
    /// The value against which every recipient checks the network key.
    package let networkCommitment: Bytes32
    /// The value against which every reader checks the data key.
    package let dataCommitment: Bytes32
    /// The keys, sealed to each device.
    package let boxes: OrderedTable<DeviceID, [UInt8]>
    /// Data keys of earlier epochs under this epoch's data key, in order of their epochs.
    package let wrapped: [WrappedKey]
    /// Earlier epochs whose box for the author did not open, or not to the announced keys,
    /// ascending.
    package let bad: [EpochID]

    /// An epoch; the parts are those of the properties.
    package init(
        number: UInt64, networkCommitment: Bytes32, dataCommitment: Bytes32,
        boxes: OrderedTable<DeviceID, [UInt8]>, wrapped: [WrappedKey], bad: [EpochID] = []
    ) {
        self.number = number
        self.networkCommitment = networkCommitment
        self.dataCommitment = dataCommitment
        self.boxes = boxes
        self.wrapped = wrapped
        self.bad = bad
    }
}

/// The data key of an earlier epoch, encrypted under that of a later one.
package struct WrappedKey: Equatable, Sendable {
    /// Bytes of the ciphertext: a key and a tag.
    package static let ciphertextBytes = 32 + XChaCha.tagBytes

    /// The earlier epoch.
    package let epoch: EpochID
    /// A nonce, 24 bytes.
    package let nonce: [UInt8]
    /// 48 bytes.
    package let ciphertext: [UInt8]
}

extension MemberPayload {
    /// Bound on the boxes of an epoch: every device and a recovery key.
    private static let mostBoxes = Limits.devices + 1
    /// Bound on the wrapped keys of an epoch.
    static let mostWrapped = 64
    /// Bound on the epochs that one record calls bad.
    static let mostBad = 64

    /// Reads the payload of a record of the given kind, and checks the certificates in it.
    package init(decoding bytes: [UInt8], kind: UInt8) throws(MembershipError) {
        switch MemberKind(rawValue: kind) {
        case .genesis: self = .genesis(try Self.genesis(bytes))
        case .add: self = try Self.add(bytes)
        case .remove: self = .remove(try RemovePayload(decoding: bytes))
        case .role:
            self = try RolePayload(decoding: bytes).map(MemberPayload.role) ?? .unknown
        case .epoch: self = .epoch(try EpochPayload(decoding: bytes))
        case .vote: self = .vote(try VotePayload(decoding: bytes))
        case .extend: self = .extend(try ExtendPayload(decoding: bytes))
        case .share: self = .share(try SharePayload(decoding: bytes))
        case .recovery:
            let certificate = try CanonicalForm.read(bytes) { (reader) throws(WireError) in
                try reader.array(exactly: 1)
                return try reader.rawItem()
            }
            self = .recovery(try Certificate(decoding: certificate))
        case nil: self = .unknown
        }
    }

    /// The kind of a record with this payload; nil for one of a later version.
    package var kind: MemberKind? {
        switch self {
        case .genesis: .genesis
        case .add: .add
        case .remove: .remove
        case .role: .role
        case .epoch: .epoch
        case .vote: .vote
        case .extend: .extend
        case .share: .share
        case .recovery: .recovery
        case .laterAdd, .unknown: nil
        }
    }

    /// The epoch that begins with a record of this payload.
    package var epoch: EpochPayload? {
        switch self {
        case .epoch(let payload): payload
        case .remove(let payload): payload.epoch
        default: nil
        }
    }

    /// True when a payload has what its kind asks of the given author.
    func fits(_ author: DeviceID) -> Bool {
        switch self {
        case .genesis(let payload): payload.creator.device == author
        case .remove(let payload):
            (payload.epoch == nil) == (payload.device == author)
                && (payload.epoch != nil || payload.with.isEmpty)
        default: true
        }
    }

    /// The canonical bytes; a later version's payload has none here.
    package var encoded: [UInt8] {
        var writer = CBORWriter()
        switch self {
        case .genesis(let payload):
            writer.array(4)
            writer.raw(payload.creator.encoded)
            if let recovery = payload.recovery {
                writer.raw(recovery.encoded)
            } else {
                writer.null()
            }
            writer.map(0)
            writer.bytes(payload.random)
        case .add(let payload):
            writer.array(4)
            writer.raw(payload.certificate.encoded)
            writer.unsigned(UInt64(payload.role.rawValue))
            writer.bytes(payload.epoch)
            writer.bytes(payload.box)
        case .epoch(let payload):
            payload.write(to: &writer)
        case .remove(let payload): payload.write(to: &writer)
        case .role(let payload): payload.write(to: &writer)
        case .vote(let payload): payload.write(to: &writer)
        case .extend(let payload): payload.write(to: &writer)
        case .share(let payload): payload.write(to: &writer)
        case .recovery(let certificate):
            writer.array(1)
            writer.raw(certificate.encoded)
        case .laterAdd, .unknown:
            preconditionFailure("this version makes no records that it does not understand")
        }
        return writer.bytes
    }

    private static func genesis(_ bytes: [UInt8]) throws(MembershipError) -> GenesisPayload {
        let (creator, recovery, hasPolicy, random) =
            try CanonicalForm.read(bytes) { (reader) throws(WireError) in
                try reader.array(exactly: 4)
                let creator = try reader.rawItem()
                let recovery = try reader.optional { (reader) throws(WireError) in
                    try reader.rawItem()
                }
                guard try reader.peek() == .map else { throw .unexpectedType }
                let policy = try reader.rawItem()
                return (creator, recovery, policy != [0xa0], try reader.bytes32())
            }
        let certificate = try Certificate(decoding: creator)
        let recoveryCertificate = try recovery.map { (bytes) throws(MembershipError) in
            try Certificate(decoding: bytes)
        }
        if let recoveryCertificate, recoveryCertificate.sharesKey(with: certificate) {
            throw .badCertificate
        }
        return GenesisPayload(
            creator: certificate, recovery: recoveryCertificate, hasPolicy: hasPolicy,
            random: random)
    }

    private static func add(_ bytes: [UInt8]) throws(MembershipError) -> MemberPayload {
        let (certificate, role, epoch, box) =
            try CanonicalForm.read(bytes) { (reader) throws(WireError) in
                try reader.array(exactly: 4)
                return (
                    try reader.rawItem(), try reader.unsigned(), try reader.bytes32(),
                    try reader.bytes(max: Role.admin.boxBytes)
                )
            }
        let device = try Certificate(decoding: certificate)
        guard let role = UInt8(exactly: role).flatMap(Role.init(rawValue:)) else {
            return .laterAdd(device)
        }
        guard box.count == role.boxBytes else { throw .badRecipients }
        return .add(AddPayload(certificate: device, role: role, epoch: epoch, box: box))
    }

    fileprivate static func epoch(_ bytes: [UInt8]) throws(MembershipError) -> EpochPayload {
        try CanonicalForm.read(bytes) { (reader) throws(WireError) in
            let count = try reader.array(max: 6)
            guard count >= 5 else { throw .badLength }
            let hasBad = count == 6
            let number = try reader.unsigned()
            let networkCommitment = try reader.bytes32()
            let dataCommitment = try reader.bytes32()
            let boxes = try reader.list(max: mostBoxes) { (reader) throws(WireError) in
                try reader.array(exactly: 2)
                return (try reader.bytes32(), try reader.bytes(max: Role.admin.boxBytes))
            }
            let wrapped = try reader.list(max: mostWrapped) { (reader) throws(WireError) in
                try reader.array(exactly: 3)
                return WrappedKey(
                    epoch: try reader.bytes32(),
                    nonce: try reader.bytes(exactly: XChaCha.nonceBytes),
                    ciphertext: try reader.bytes(exactly: WrappedKey.ciphertextBytes))
            }
            let bad =
                try hasBad
                ? reader.list(max: mostBad) { (reader) throws(WireError) in try reader.bytes32() }
                : []
            guard isAscending(boxes.map(\.0)), isAscending(wrapped.map(\.epoch)),
                isAscending(bad), bad.isEmpty != hasBad
            else { throw .nonCanonical }
            return EpochPayload(
                number: number, networkCommitment: networkCommitment,
                dataCommitment: dataCommitment, boxes: OrderedTable(boxes), wrapped: wrapped,
                bad: bad)
        }
    }

    /// Returns true when identifiers ascend without repetition.
    static func isAscending(_ identifiers: [Bytes32]) -> Bool {
        zip(identifiers, identifiers.dropFirst()).allSatisfy { $0 < $1 }
    }
}

extension EpochPayload {
    /// Reads an epoch as it stands in a record.
    package init(decoding bytes: [UInt8]) throws(MembershipError) {
        self = try MemberPayload.epoch(bytes)
    }

    /// The canonical bytes.
    var encoded: [UInt8] {
        var writer = CBORWriter()
        write(to: &writer)
        return writer.bytes
    }

    fileprivate func write(to writer: inout CBORWriter) {
        writer.array(bad.isEmpty ? 5 : 6)
        writer.unsigned(number)
        writer.bytes(networkCommitment)
        writer.bytes(dataCommitment)
        writer.array(boxes.count)
        for (device, box) in boxes {
            writer.array(2)
            writer.bytes(device)
            writer.bytes(box)
        }
        writer.array(wrapped.count)
        for key in wrapped {
            writer.array(3)
            writer.bytes(key.epoch)
            writer.bytes(key.nonce)
            writer.bytes(key.ciphertext)
        }
        guard !bad.isEmpty else { return }
        writer.array(bad.count)
        for epoch in bad { writer.bytes(epoch) }
    }
}
