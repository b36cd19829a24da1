import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// A group whose devices sign membership records, in whatever order and beside whatever others.
struct RuleStory {
    let recovery = TestDevice(900)
    private(set) var records: [MemberRecord] = []
    private(set) var heads: [MemberRecord] = []
    private var group = GroupID.zero

    init(_ creator: TestDevice) throws {
        var writer = CBORWriter()
        writer.array(4)
        writer.raw(creator.certificate.encoded)
        writer.raw(recovery.certificate.encoded)
        writer.map(0)
        writer.bytes(Bytes32(repeating: 4))
        let genesis = try MemberRecord(
            signing: writer.bytes, kind: 0, group: .zero, lamport: 1, parents: [],
            keys: creator.keys)
        group = genesis.id
        keep(genesis)
    }

    var genesis: MemberRecord { records[0] }

    /// The verdict on all records.
    var verdict: Verdict {
        get throws { judge(records) }
    }

    /// The devices of the group.
    var members: Set<DeviceID> {
        get throws { Set(try verdict.members.keys) }
    }

    /// Takes a record in; what was signed twice over the same is one record.
    private mutating func keep(_ record: MemberRecord) {
        guard !records.contains(record) else { return }
        records.append(record)
        heads.removeAll { record.parents.contains($0.id) }
        heads.append(record)
    }

    /// Signs a record on some others, on all heads unless said otherwise.
    @discardableResult
    mutating func sign(
        _ author: TestDevice, _ kind: UInt8, _ payload: [UInt8], on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        let parents = parents ?? heads
        let record = try MemberRecord(
            signing: payload, kind: kind, group: group,
            lamport: 1 + (parents.map(\.lamport).max() ?? 0), parents: parents.map(\.id).sorted(),
            keys: author.keys)
        keep(record)
        return record
    }

    @discardableResult
    mutating func sign(
        _ author: TestDevice, _ payload: MemberPayload, on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        guard let kind = payload.kind else { throw MembershipError.notEntitled }
        return try sign(author, kind.rawValue, payload.encoded, on: parents)
    }

    @discardableResult
    mutating func add(
        _ device: TestDevice, by author: TestDevice, role: Role = .admin,
        on parents: [MemberRecord]? = nil, epoch: EpochID = .zero
    ) throws -> MemberRecord {
        var writer = CBORWriter()
        writer.array(4)
        writer.raw(device.certificate.encoded)
        writer.unsigned(UInt64(role.rawValue))
        writer.bytes(epoch)
        writer.bytes([UInt8](repeating: 0, count: role == .relay ? 80 : 112))
        return try sign(author, 1, writer.bytes, on: parents)
    }

    @discardableResult
    mutating func vote(
        _ device: TestDevice, _ isFor: Bool, _ record: MemberRecord,
        on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        try sign(
            device, .vote(VotePayload(isFor: isFor, record: record.id)), on: parents)
    }

    /// A removal, with an epoch sealed to some devices; a leave when author and device are one.
    @discardableResult
    mutating func remove(
        _ device: TestDevice, by author: TestDevice, with: [TestDevice] = [],
        sealedTo: [TestDevice] = [], number: UInt64 = 1, heads: [BatchHead] = [],
        on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        let epoch =
            author.device == device.device
            ? nil : try Self.epoch(number, sealedTo: sealedTo)
        return try sign(
            author,
            .remove(
                RemovePayload(
                    device: device.device, reason: 0,
                    with: with.map { RemovePayload.Companion(device: $0.device) }, heads: heads,
                    epoch: epoch)), on: parents)
    }

    @discardableResult
    mutating func role(
        _ device: TestDevice, _ role: Role, by author: TestDevice, scopes: ScopeGrant = .all,
        heads: [BatchHead] = [], on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        try sign(
            author,
            .role(RolePayload(device: device.device, role: role, scopes: scopes, heads: heads)),
            on: parents)
    }

    @discardableResult
    mutating func epoch(
        by author: TestDevice, _ number: UInt64, sealedTo devices: [TestDevice],
        bad: [EpochID] = [], on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        let bytes = Self.epochBytes(number, sealedTo: devices, bad: bad)
        return try sign(author, 4, bytes, on: parents)
    }

    private static func epoch(
        _ number: UInt64, sealedTo devices: [TestDevice]
    ) throws -> EpochPayload {
        try EpochPayload(decoding: epochBytes(number, sealedTo: devices, bad: []))
    }

    private static func epochBytes(
        _ number: UInt64, sealedTo devices: [TestDevice], bad: [EpochID]
    ) -> [UInt8] {
        var writer = CBORWriter()
        writer.array(bad.isEmpty ? 5 : 6)
        writer.unsigned(number)
        writer.bytes(Bytes32(repeating: 1))
        writer.bytes(Bytes32(repeating: 2))
        writer.array(devices.count)
        for device in devices.map(\.device).sorted() {
            writer.array(2)
            writer.bytes(device)
            writer.bytes([UInt8](repeating: 3, count: 112))
        }
        writer.array(0)
        if !bad.isEmpty {
            writer.array(bad.count)
            for epoch in bad.sorted() { writer.bytes(epoch) }
        }
        return writer.bytes
    }

    /// A group of admins that the first one founded and admitted, and that accepted each other.
    static func friends(_ devices: [TestDevice]) throws -> RuleStory {
        var story = try RuleStory(devices[0])
        for device in devices.dropFirst() { try story.add(device, by: devices[0]) }
        for device in devices.dropFirst() { try story.accept(devices, by: device) }
        return story
    }

    /// Lets a device accept others that were added.
    mutating func accept(_ devices: [TestDevice], by voter: TestDevice) throws {
        for device in devices {
            guard let add = records.first(where: { Self.admits($0, device) }) else { continue }
            try vote(voter, true, add)
        }
    }

    private static func admits(_ record: MemberRecord, _ device: TestDevice) -> Bool {
        switch record.payload {
        case .genesis(let payload): payload.creator.device == device.device
        case .add(let payload): payload.certificate.device == device.device
        default: false
        }
    }
}

/// The verdict on records whose parents stand before them.
func judge(_ records: [MemberRecord]) -> Verdict {
    var graph = RecordGraph()
    for record in records { graph.add(record) }
    return Verdict(graph, Choice(graph))
}
