package import LinnetWire

/// An active device of the group.
package struct Member: Equatable, Sendable {
    /// Its keys.
    package let certificate: Certificate
    /// The member's role.
    package let role: Role
    /// The record that admitted it.
    package let admission: MemberRecordID

    /// Its name.
    package var device: DeviceID { certificate.device }
}

/// An epoch as the log tells of it.
package struct Epoch: Equatable, Sendable {
    /// The record that started it.
    package let id: EpochID
    /// The device that drew its keys.
    package let author: DeviceID
    /// Its number, commitments, boxes and wrapped keys.
    package let payload: EpochPayload

    /// Higher numbers are newer.
    package var number: UInt64 { payload.number }

    /// Returns true when an epoch counts as newer than another: it has the higher number, or the
    /// same and the lower identifier.
    static func isNewer(_ first: Epoch, than second: Epoch) -> Bool {
        first.number == second.number ? first.id < second.id : first.number > second.number
    }
}

/// A record that only a later version understands and that may change who belongs to the group.
package struct CriticalRecord: Equatable, Sendable {
    /// The record.
    package let id: MemberRecordID
    /// The device that signed it.
    package let author: DeviceID
}

/// The state of a set of records that contains all its own ancestors: a function of the set alone.
package struct MembershipState: Equatable, Sendable {
    /// The active devices in order of admission.
    package private(set) var members: [Member] = []
    /// The recovery key, if the group has one.
    package private(set) var recovery: Certificate?
    /// Every epoch that a reader started, usable or not, newest first.
    package private(set) var epochs: [Epoch] = []
    /// The newest usable epoch, under which new batches are encrypted; nil when none is usable.
    package private(set) var currentEpoch: Epoch?

    /// The role that each record that admits a device gave it; an add by others is not here.
    private var admitted = OrderedTable<MemberRecordID, Role>()
    /// The members to which admissions handed the keys of an epoch.
    private var handed = OrderedTable<EpochID, OrderedSet<DeviceID>>()
    private var calls = OrderedTable<EpochID, OrderedSet<DeviceID>>()
    private var epochTable = OrderedTable<EpochID, Epoch>()
    private var critical: [CriticalRecord] = []
    private var policyAuthor: CriticalRecord?

    /// Nothing yet.
    init() {}

    /// The records that only a later version understands and that count: those of active admins and
    /// of the recovery key.
    package var freezing: [CriticalRecord] {
        (policyAuthor.map { [$0] } ?? [])
            + critical.filter {
                member($0.author)?.role == .admin || recovery?.device == $0.author
            }
    }

    /// True while such a record stands: this device then admits nobody and starts no epoch, and
    /// goes on in all else.
    package var upgradeNeeded: Bool { !freezing.isEmpty }

    /// The oldest epoch, whose data key names the scopes.
    package var firstEpoch: Epoch? {
        let first = epochs.last?.number
        return epochs.first { $0.number == first }
    }

    /// The active member of this name.
    package func member(_ device: DeviceID) -> Member? {
        members.first { $0.device == device }
    }

    /// The active member that proves itself by this handshake key.
    package func member(noiseKey: Bytes32) -> Member? {
        members.first { $0.certificate.noiseKey == noiseKey }
    }

    /// The epoch of this identifier.
    package func epoch(_ id: EpochID) -> Epoch? { epochTable[id] }

    /// Takes the effect of the next record in the order of ``MemberRecord/precedes(_:_:)``;
    /// `warrants` are the records before it that admit its author, in that order. The caller goes
    /// on with ``settle()`` when no more follow.
    ///
    /// A record whose author has no right to it has no effect. Of concurrent admissions that
    /// contradict each other, or exceed the number of devices, the first in this order stands.
    mutating func apply(_ record: MemberRecord, warrants: [MemberRecordID]) {
        if case .genesis(let payload) = record.payload { return found(by: payload, record) }
        let isRecovery = recovery?.device == record.author
        let role = warrants.first { admitted[$0] != nil }.flatMap { admitted[$0] }
        switch record.payload {
        case .genesis: break
        case .add(let payload):
            if role == .admin || isRecovery { admit(by: payload, record) }
        case .epoch(let payload):
            if let role, role.reads { start(payload, record) }
        case .laterAdd, .unknown:
            guard record.isCritical, role == .admin || isRecovery else { return }
            critical.append(CriticalRecord(id: record.id, author: record.author))
        }
    }

    /// Finds what follows from all records that were applied.
    mutating func settle() {
        currentEpoch = epochs.first { fault(of: $0) == nil }
    }

    private mutating func found(by payload: GenesisPayload, _ record: MemberRecord) {
        recovery = payload.recovery
        if payload.hasPolicy {
            policyAuthor = CriticalRecord(id: record.id, author: record.author)
        }
        members.append(Member(certificate: payload.creator, role: .admin, admission: record.id))
        admitted[record.id] = .admin
    }

    private mutating func admit(by payload: AddPayload, _ record: MemberRecord) {
        let certificate = payload.certificate
        if let member = member(certificate.device), member.certificate == certificate {
            admitted[record.id] = payload.role
            guard payload.role == member.role else { return }
            handed[payload.epoch, default: .init()].insert(member.device)
            return
        }
        guard members.count < Limits.devices, owner(ofAnyKeyIn: certificate) == nil else { return }
        members.append(
            Member(certificate: certificate, role: payload.role, admission: record.id))
        admitted[record.id] = payload.role
        handed[payload.epoch, default: .init()].insert(certificate.device)
    }

    private mutating func start(_ payload: EpochPayload, _ record: MemberRecord) {
        let epoch = Epoch(id: record.id, author: record.author, payload: payload)
        let position = epochs.firstIndex { Epoch.isNewer(epoch, than: $0) } ?? epochs.count
        epochs.insert(epoch, at: position)
        epochTable[epoch.id] = epoch
        for bad in payload.bad { calls[bad, default: .init()].insert(record.author) }
    }

    /// The certificate that already uses one of the keys, if any.
    func owner(ofAnyKeyIn certificate: Certificate) -> Certificate? {
        if let recovery, recovery.sharesKey(with: certificate) { return recovery }
        return members.first { $0.certificate.sharesKey(with: certificate) }?.certificate
    }

    /// True when an admission handed a member the keys of an epoch.
    func wasHanded(_ epoch: EpochID, to device: DeviceID) -> Bool {
        handed[epoch]?.contains(device) ?? false
    }

    /// The devices that said that their box of an epoch does not open.
    func callers(of epoch: EpochID) -> OrderedSet<DeviceID> { calls[epoch] ?? OrderedSet() }
}
