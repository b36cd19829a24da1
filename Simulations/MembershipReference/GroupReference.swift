package import LinnetMembership
package import LinnetWire

/// The members, epochs and batches that count which a set of records comes to, as
/// `docs/protocol.md` says it: steps 7 to 9 of "Evaluating".
package final class GroupReference {
    /// An epoch of a good record.
    package struct JudgedEpoch {
        /// Its record.
        package let id: MemberRecordID
        /// Higher is newer.
        package let number: UInt64
        /// True when none but members have a box, within what they may read.
        package let isSealed: Bool
        /// True when moreover no member with a box calls it bad.
        package let isClean: Bool
        /// True when moreover each member has a box of the right size.
        package let isUsable: Bool
    }

    /// The batches of a device that count.
    package enum Counted: Equatable {
        /// All of them.
        case all
        /// Those at or below one of these.
        case upTo([BatchHead])
        /// All in these scopes, and in others those at or below one of these.
        case within([ScopeID], [BatchHead])
    }

    /// The rule, which says who is a member and which records are good.
    package let rule: RuleReference
    /// The role of each member.
    package private(set) var members: [DeviceID: Role] = [:]
    /// The epochs of good records, in no order.
    package private(set) var epochs: [JudgedEpoch] = []
    private let good: [MemberRecord]
    private var rights: [DeviceID: (Role, ScopeGrant)] = [:]

    /// Judges records.
    package init(_ records: [MemberRecord]) {
        let rule = RuleReference(records)
        self.rule = rule
        // Of several boxes for a device the first in the order is its one.
        good = records.filter { rule.good.contains($0.id) }
            .sorted { ($0.lamport, $0.id) < ($1.lamport, $1.id) }
        for device in rule.devices where rule.isMember(device) {
            guard let now = rule.role(of: device, at: nil) else { continue }
            rights[device] = now
            members[device] = now.0
        }
        epochs = good.compactMap { record in
            Self.epoch(of: record).map { judge($0, of: record.id) }
        }
    }

    /// The current epoch.
    package var current: MemberRecordID? {
        epochs.filter(\.isUsable).max {
            $0.number == $1.number ? $0.id > $1.id : $0.number < $1.number
        }?.id
    }

    /// The scopes of a member; all for a device that is none.
    package func scopes(of device: DeviceID) -> ScopeGrant { rights[device]?.1 ?? .all }

    /// The last key that genesis or a standing record names and that no standing one replaced.
    package var recoveryKey: DeviceID? {
        var replaced: Set<DeviceID> = []
        var named: [(MemberRecord, DeviceID)] = []
        for record in good {
            switch record.payload {
            case .recovery(let certificate):
                replaced.insert(record.author)
                named.append((record, certificate.device))
            case .genesis(let payload):
                if let key = payload.recovery { named.append((record, key.device)) }
            default: break
            }
        }
        return named.filter { !replaced.contains($0.1) }
            .max { ($0.0.lamport, $0.0.id) < ($1.0.lamport, $1.0.id) }?.1
    }

    /// The records that freeze.
    package var freezing: Set<MemberRecordID> {
        let frozen = good.filter { record in
            guard members[record.author] == .admin || record.author == recoveryKey else {
                return false
            }
            return switch record.payload {
            case .genesis(let payload): payload.hasPolicy
            case .laterAdd: true
            case .unknown: record.kind < 128
            default: false
            }
        }
        return Set(frozen.map(\.id))
    }

    /// The batches of a device that count.
    package func counted(of device: DeviceID) -> Counted {
        let isWriter = members[device].map(Self.writes) ?? false
        let scopes = rights[device]?.1
        if isWriter, scopes == .all { return .all }
        let wrote = good.contains { record in
            switch record.payload {
            case .genesis(let payload): payload.creator.device == device
            case .add(let payload):
                payload.certificate.device == device && Self.writes(payload.role)
            case .role(let payload): payload.device == device && Self.writes(payload.role)
            default: false
            }
        }
        guard wrote, rule.role(of: device, at: nil) != nil else { return .upTo([]) }
        let heads =
            good.flatMap { record -> [BatchHead] in
                switch record.payload {
                case .remove(let payload):
                    if payload.device == device, record.author == device,
                        known(device, at: record.id) != .all
                    {
                        return []
                    }
                    if payload.device == device { return payload.heads }
                    return payload.with.filter { $0.device == device }.flatMap(\.heads)
                case .role(let payload): return payload.device == device ? payload.heads : []
                case .extend(let payload): return payload.device == device ? payload.heads : []
                default: return []
                }
            }
        let distinct = heads.sorted().reduce(into: [BatchHead]()) {
            if $0.last != $1 { $0.append($1) }
        }
        if isWriter, case .some(let names)? = scopes { return .within(names, distinct) }
        return .upTo(distinct)
    }

    /// The scopes that the author of a record knew a device to have.
    private func known(_ device: DeviceID, at record: MemberRecordID) -> ScopeGrant {
        rule.entry(record).flatMap { rule.role(of: device, at: $0, isKnown: true)?.1 } ?? .all
    }

    private static func writes(_ role: Role) -> Bool { role == .admin || role == .member }

    private static func epoch(of record: MemberRecord) -> EpochPayload? {
        switch record.payload {
        case .epoch(let payload): payload
        case .remove(let payload): payload.epoch
        default: nil
        }
    }

    private func judge(_ epoch: EpochPayload, of id: MemberRecordID) -> JudgedEpoch {
        var boxes = epoch.boxes.map {
            (device: $0.key, bytes: $0.value.count, scopes: ScopeGrant.all)
        }
        for record in good {
            switch record.payload {
            case .add(let payload) where payload.epoch == id:
                boxes.append((payload.certificate.device, payload.box.count, .all))
            case .share(let payload) where payload.epoch == id && payload.device != record.author:
                boxes.append(
                    (payload.device, payload.box.count, known(payload.device, at: record.id)))
            default: break
            }
        }
        let key = recoveryKey
        let isSealed = boxes.allSatisfy { box in
            if box.device == key { return true }
            guard box.bytes > 80 else { return members[box.device] != nil }
            guard let names = names(of: box.device) else {
                return box.bytes <= size(box.device) ?? 0
            }
            guard (box.bytes - 80) % 48 == 0, case .some(let given) = box.scopes else {
                return false
            }
            return given.allSatisfy(names.contains) && box.bytes <= 80 + 48 * given.count
        }
        let callers = good.filter { record in
            if case .share(let payload) = record.payload {
                return payload.epoch == id && payload.device == record.author
            }
            return Self.epoch(of: record)?.bad.contains(id) ?? false
        }.map(\.author)
        let isCalled = callers.contains { caller in
            members[caller] != nil && boxes.contains { $0.device == caller }
        }
        let isWhole = members.keys.allSatisfy { member in
            guard let names = names(of: member) else {
                return boxes.first { $0.device == member }?.bytes == size(member)
            }
            return boxes.contains {
                $0.device == member && $0.bytes == size(member) && $0.scopes == .some(names)
            }
        }
        return JudgedEpoch(
            id: id, number: epoch.number, isSealed: isSealed, isClean: isSealed && !isCalled,
            isUsable: isSealed && !isCalled && isWhole)
    }

    /// The scopes to which a device that reads is bound; nil for others.
    private func names(of device: DeviceID) -> [ScopeID]? {
        guard let (role, scopes) = rights[device], role != .relay, case .some(let names) = scopes
        else { return nil }
        return names
    }

    /// The bytes of the box that a member is to have.
    private func size(_ device: DeviceID) -> Int? {
        guard let (role, scopes) = rights[device] else { return nil }
        if role == .relay { return 80 }
        guard case .some(let names) = scopes else { return 112 }
        return 80 + 48 * names.count
    }
}
