import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The machine of membership: the group of this device, if there is one, and the epochs that the
/// device owes it.
struct Membership {
    private static let rotationStepMilliseconds: Int64 = 10_000

    /// The group, once there is one.
    private(set) var group: GroupState?
    /// The members when the log was last looked at.
    private(set) var members: [DeviceID] = []
    /// The time at which this device may start an epoch that the group needs, in uptime
    /// milliseconds; nil when none is needed.
    private(set) var rotationDue: Int64?

    /// Begins in the group of a log; nil stands for no group.
    init(log: MembershipLog?, schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys) {
        if let log { enter(log, schema: schema, keys: keys) }
    }

    /// Enters the group of a log.
    mutating func enter(
        _ log: MembershipLog, schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys
    ) {
        group = GroupState(log: log, schema: schema, keys: keys)
        members = log.state.members.map(\.device)
    }

    /// Names the scopes of another schema.
    mutating func adopt(_ schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys) {
        group?.update(schema: schema, keys: keys)
    }

    /// Forgets records that wait for their parents.
    mutating func discardParked() { group?.log.discardParked() }

    /// Takes in received records; returns true when the log grew.
    mutating func take(
        _ records: [[UInt8]], _ turn: inout Turn
    ) throws(MembershipError) -> Bool {
        var grew = false
        for bytes in records {
            let record = try MemberRecord(decoding: bytes)
            guard var log = group?.log else { return false }
            let insertion = try log.insert(record)
            group?.log = log
            guard case .inserted(let added) = insertion else { continue }
            turn.keep(added)
            grew = true
        }
        return grew
    }

    /// Adds a newcomer to the group; returns its admission and the log for it. The caller goes on
    /// with `grew`.
    mutating func admit(
        _ certificate: Certificate, as role: Role, keys: borrowing DeviceKeys,
        _ entropy: inout Entropy, _ turn: inout Turn
    ) throws(MembershipError) -> (admission: MemberRecordID, welcome: [UInt8])? {
        guard var group else { return nil }
        let record = try group.log.makeAdd(
            certificate, role: role, ring: group.ring, keys: keys, entropy: &entropy)
        if case .inserted(let added) = try group.log.insert(record) {
            self.group = group
            turn.keep(added)
        }
        return (record.id, try PairWelcome(log: group.log).encode())
    }

    /// Starts the epoch that is due; returns true when the log grew.
    mutating func rotate(
        _ keys: borrowing DeviceKeys, _ entropy: inout Entropy, _ turn: inout Turn
    ) -> Bool {
        rotationDue = nil
        guard var group, group.ring.rotationTurn(of: keys.device, in: group.log) != nil else {
            return false
        }
        do throws(MembershipError) {
            let record = try group.log.makeEpoch(ring: group.ring, keys: keys, entropy: &entropy)
            guard case .inserted(let added) = try group.log.insert(record) else { return false }
            self.group = group
            turn.keep(added)
            return true
        } catch {
            return false
        }
    }

    /// Opens new keys, tells of new members, and plans the epoch that is due.
    mutating func grew(
        schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys, at now: Moment,
        _ turn: inout Turn
    ) {
        let before = OrderedSet(members)
        group?.update(schema: schema, keys: keys)
        guard let group else { return }
        for epoch in group.ring.badEpochs { turn.outbox.warn(.badEpoch(epoch)) }
        if group.log.state.upgradeNeeded { turn.outbox.warn(.upgradeNeeded) }
        members = group.log.state.members.map(\.device)
        for member in members where !before.contains(member) {
            turn.outbox.notify(.memberAdded(member))
        }
        // When a member lacks the current keys, one device after the other may start an epoch.
        rotationDue = group.ring.rotationTurn(of: keys.device, in: group.log).map {
            now.uptimeMilliseconds + Int64($0) * Self.rotationStepMilliseconds
        }
    }
}

extension GroupState {
    /// The heads of the log that a peer is told.
    var memberHeads: MemberHeadsMessage {
        MemberHeadsMessage(heads: Array(log.heads.elements.prefix(Limits.memberHeads)))
    }

    /// Returns the request for some records and those before them.
    func request(for ids: [MemberRecordID]) -> MemberGetMessage {
        MemberGetMessage(
            group: log.group, wanted: Array(ids.prefix(Limits.memberGetRecords)),
            held: Array(log.heads.elements.prefix(Limits.memberGetRecords)))
    }

    /// Returns the records that a peer asks for, as many as a message holds. The peer asks for the
    /// rest when these have arrived, since their children name them as parents.
    func answer(to get: MemberGetMessage) -> MemberRecordsMessage {
        let held = OrderedSet(log.records(upTo: get.held).map(\.id))
        var records: [[UInt8]] = []
        var bytes = 0
        for record in log.records(upTo: get.wanted) where !held.contains(record.id) {
            bytes += record.encoded.count
            guard bytes < Limits.messageBytes - 1_024, records.count < Limits.memberProofRecords
            else { break }
            records.append(record.encoded)
        }
        return MemberRecordsMessage(group: get.group, records: records)
    }
}
