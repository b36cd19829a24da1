import LinnetCrypto
import LinnetWire

@testable import LinnetMembership

/// A group whose devices sign membership records beside each other, all of which are stored. Boxes
/// have the right sizes and say nothing.
struct RuleScribe {
    private(set) var records: [MemberRecord] = []
    private(set) var heads: [MemberRecord] = []
    /// The highest number of an epoch in a record and those before it.
    private var numbers: [MemberRecordID: UInt64] = [:]
    private var group = GroupID.zero

    init(_ creator: KitDevice, recovery: KitDevice? = nil) throws {
        let genesis = GenesisPayload(
            creator: creator.keys().certificate, recovery: recovery?.keys().certificate,
            hasPolicy: false, random: Bytes32(repeating: 4))
        let record = try MemberRecord(
            signing: MemberPayload.genesis(genesis).encoded, kind: 0, group: .zero, lamport: 1,
            parents: [], keys: creator.keys())
        group = record.id
        keep(record)
    }

    /// The log that the records make, in the order of the protocol.
    var log: MembershipLog {
        get throws {
            try MembershipLog(records: records.sorted(by: MemberRecord.precedes).map(\.encoded))
        }
    }

    private mutating func keep(_ record: MemberRecord) {
        let before = record.parents.compactMap { numbers[$0] }.max() ?? 0
        numbers[record.id] = record.payload.epoch?.number ?? before
        guard !records.contains(record) else { return }
        records.append(record)
        heads.removeAll { record.parents.contains($0.id) }
        heads.append(record)
    }

    /// Signs a record on some others, on all heads unless said otherwise.
    @discardableResult
    mutating func sign(
        _ author: KitDevice, _ payload: MemberPayload, on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        guard let kind = payload.kind else { throw MembershipError.notEntitled }
        return try sign(author, kind.rawValue, payload.encoded, on: parents)
    }

    /// Signs a record of any kind.
    @discardableResult
    mutating func sign(
        _ author: KitDevice, _ kind: UInt8, _ payload: [UInt8], on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        let parents = parents ?? heads
        let record = try MemberRecord(
            signing: payload, kind: kind, group: group,
            lamport: 1 + (parents.map(\.lamport).max() ?? 0), parents: parents.map(\.id).sorted(),
            keys: author.keys())
        keep(record)
        return record
    }

    @discardableResult
    mutating func add(
        _ device: KitDevice, by author: KitDevice, role: Role = .admin,
        to epoch: MemberRecord? = nil, on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        try sign(
            author,
            .add(
                AddPayload(
                    certificate: device.keys().certificate, role: role,
                    epoch: epoch?.id ?? .zero,
                    box: [UInt8](repeating: 0, count: role.boxBytes))), on: parents)
    }

    @discardableResult
    mutating func vote(
        _ device: KitDevice, _ isFor: Bool, _ record: MemberRecord,
        on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        try sign(device, .vote(VotePayload(isFor: isFor, record: record.id)), on: parents)
    }

    /// A removal, with an epoch sealed to some devices; a leave when author and device are one.
    @discardableResult
    mutating func remove(
        _ device: KitDevice, by author: KitDevice, with: [KitDevice] = [],
        sealedTo: [KitDevice] = [], heads: [BatchHead] = [], on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        let epoch = device.device == author.device ? nil : epoch(sealedTo, on: parents)
        let companions = with.map { RemovePayload.Companion(device: $0.device) }
        return try sign(
            author,
            .remove(
                RemovePayload(
                    device: device.device, reason: 0,
                    with: companions.sorted { $0.device < $1.device }, heads: heads, epoch: epoch)),
            on: parents)
    }

    @discardableResult
    mutating func epoch(
        by author: KitDevice, sealedTo devices: [KitDevice], bad: [MemberRecord] = [],
        on parents: [MemberRecord]? = nil
    ) throws -> MemberRecord {
        try sign(author, .epoch(epoch(devices, bad: bad, on: parents)), on: parents)
    }

    /// The content of an epoch that is sealed to some devices, for a record on some others.
    func epoch(
        _ devices: [KitDevice], bad: [MemberRecord] = [], on parents: [MemberRecord]?
    ) -> EpochPayload {
        let before = (parents ?? heads).compactMap { numbers[$0.id] }.max() ?? 0
        return EpochPayload(
            number: before + 1, networkCommitment: Bytes32(repeating: 1),
            dataCommitment: Bytes32(repeating: 2),
            boxes: OrderedTable(
                devices.map(\.device).sorted().map { ($0, [UInt8](repeating: 3, count: 112)) }),
            wrapped: [], bad: bad.map(\.id).sorted())
    }

    /// A group of admins that the first one founded and admitted, and that accepted each other.
    static func friends(_ devices: [KitDevice], recovery: KitDevice? = nil) throws -> RuleScribe {
        var scribe = try RuleScribe(devices[0], recovery: recovery)
        for device in devices.dropFirst() { try scribe.add(device, by: devices[0]) }
        for device in devices.dropFirst() { try scribe.accept(devices, by: device) }
        return scribe
    }

    /// Lets a device accept others that were added.
    mutating func accept(_ devices: [KitDevice], by voter: KitDevice) throws {
        for device in devices.map(\.device) {
            let add = records.first {
                switch $0.payload {
                case .genesis(let payload): payload.creator.device == device
                case .add(let payload): payload.certificate.device == device
                default: false
                }
            }
            if let add { try vote(voter, true, add) }
        }
    }
}
