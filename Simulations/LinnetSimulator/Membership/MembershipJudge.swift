import LinnetCRDT
import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetWire
import MembershipReference

/// Judges who shows whom as a member, who may read what, and which writes count.
///
/// It holds what each replica shows against the rule as the protocol's document says it.
final class MembershipJudge {
    /// A batch that says nothing but who wrote it and when, so that it shows if and only if it
    /// counts.
    struct Mark {
        let key: RecordKey
        let device: DeviceID
        let chain: ChainKey
        let incarnation: Incarnation
        let seq: UInt64
    }

    /// The scopes that a device might read at some time, in the eyes of somebody.
    struct Entitlement {
        private var isBound = true
        private var roots: Set<ScopeID> = []

        mutating func add(_ grant: ScopeGrant) {
            switch grant {
            case .all: isBound = false
            case .some(let scopes): roots.formUnion(scopes)
            }
        }

        func allows(_ root: ScopeID) -> Bool { !isBound || roots.contains(root) }
    }

    /// The outcome of one set of records.
    final class View {
        let log: MembershipLog
        /// The same by the reference, which takes longer.
        private(set) lazy var reference = GroupReference(log.records)

        init(_ log: MembershipLog) { self.log = log }
    }

    private(set) var marks: [Mark] = []
    private var views: [[MemberRecordID]: View] = [:]
    /// The bytes of the records that each device held when it was looked at last, and its view.
    private var latest: [Int: (records: Int, view: View)] = [:]
    /// By epoch, what each member might read in the eyes of somebody who knew that epoch.
    private(set) var entitled: [EpochID: [DeviceID: Entitlement]] = [:]
    /// The scopes of the collections that marks are made in.
    private var scopes: [UInt32: ScopeID] = [:]
    /// The most that each device held of each chain.
    var held: [Int: [ChainKey: UInt64]] = [:]
    private var nextNumber = 0
    /// True once a device never says again what it alone has.
    var isSomebodyGone = false
    let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    // MARK: Members

    /// The membership as a device keeps it.
    func log(of device: SimulatedDevice) throws(Violation) -> MembershipLog {
        do {
            return try MembershipLog(
                stored: device.replica?.storeForReading.memberRecords().map(\.bytes) ?? [])
        } catch {
            throw Violation(
                .noTraps, "the records of a home cannot be read: \(error)",
                devices: [device.index])
        }
    }

    /// The outcome of the records of a device; nil without a group.
    func view(of device: SimulatedDevice) throws(Violation) -> View? {
        try look(at: device)
        return latest[device.index]?.view
    }

    /// Looks at what changed on a device.
    func look(at device: SimulatedDevice) throws(Violation) {
        guard device.isRunning, device.isMember else { return }
        let count = device.replica?.memberRecordBytes ?? 0
        guard count > 0, latest[device.index]?.records != count else { return }
        let log = try log(of: device)
        let view = views[log.heads.elements] ?? View(log)
        views[log.heads.elements] = view
        let before = latest[device.index]?.view
        latest[device.index] = (count, view)
        for epoch in log.state.epochs + log.state.voidEpochs {
            for member in log.state.members where member.role.reads {
                entitled[epoch.id, default: [:]][member.device, default: Entitlement()].add(
                    member.scopes)
            }
        }
        let isSample =
            log.records.count.isMultiple(of: 4)
            || before?.log.state.verdict.standing != log.state.verdict.standing
        try check(device, view, withReference: isSample)
    }

    /// G1: what a device shows is what its records come to.
    func check(
        _ device: SimulatedDevice, _ view: View, withReference: Bool
    ) throws(Violation) {
        var shown: [DeviceID: Role] = [:]
        do {
            for member in try device.replica?.reading.status().members ?? [] {
                shown[member.device] = member.role
            }
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: [device.index])
        }
        let alone = Dictionary(
            uniqueKeysWithValues: view.log.state.members.map { ($0.device, $0.role) })
        guard shown == alone else {
            throw Violation(
                .sameMembers, "a device shows \(shown.count) members of \(alone.count)",
                devices: [device.index])
        }
        guard withReference else { return }
        let reference = view.reference
        guard shown == reference.members else {
            throw Violation(
                .sameMembers,
                "a device shows \(shown.count) members where the rule has "
                    + "\(reference.members.count)",
                devices: [device.index])
        }
        let bound = view.log.state.members.first { $0.scopes != reference.scopes(of: $0.device) }
        guard bound == nil else {
            throw Violation(
                .sameMembers, "a device takes a member for bound to other scopes",
                devices: [device.index])
        }
        guard view.log.state.currentEpoch?.id == reference.current else {
            throw Violation(
                .epochsAreClean, "a device takes another epoch for the current one",
                devices: [device.index])
        }
        try checkQuestions(of: device, reference)
    }

    /// G5: a member that is no relay asks its person about each member that it does not accept, and
    /// about no other one.
    private func checkQuestions(
        of device: SimulatedDevice, _ reference: GroupReference
    ) throws(Violation) {
        guard let own = device.replica?.device, let role = reference.members[own] else { return }
        let asked = (device.replica?.askedQuestions ?? []).map(\.question)
            .filter { $0.matter == .admission }.map(\.device)
        let unknown = reference.members.keys.filter { !reference.rule.accepts(own, $0) }
        guard Set(asked) != Set(role == .relay ? [] : unknown) else { return }
        throw Violation(
            .acceptedInTime,
            "a device asks about \(asked.count) members, and does not accept \(unknown.count)",
            devices: [device.index])
    }

    /// Forgets what a device knew.
    func forget(_ device: Int) { latest[device] = nil }

    // MARK: Writing

    /// A write that nobody else makes.
    func nextMark(of device: Int) -> Write {
        nextNumber += 1
        // A text is the first field of each.
        let collection =
            nextNumber.isMultiple(of: 2)
            ? HouseholdSchema.notes
            : nextNumber % 4 == 1 ? HouseholdSchema.tags : HouseholdSchema.photos
        guard let id = RecordID("mark-\(device)-\(nextNumber)") else {
            preconditionFailure("letters and digits are legal")
        }
        return .set(
            collection: collection, record: id, fields: [FieldWrite(1, .text("here"))])
    }

    /// Notes a mark that was acknowledged; G4: its epoch is for members alone.
    func noteWritten(
        _ write: Write, by device: SimulatedDevice, before: [VectorEntry]
    ) throws(Violation) {
        guard let own = device.replica?.device, let view = try view(of: device) else { return }
        let old = Dictionary(
            before.map { (ChainKey(scope: $0.scope, chain: $0.chain), $0.seq) },
            uniquingKeysWith: { $1 })
        for entry in device.replica?.log.vectorEntries() ?? [] where entry.device == own {
            let key = ChainKey(scope: entry.scope, chain: entry.chain)
            guard entry.seq > old[key] ?? 0 else { continue }
            scopes[write.key.collection] = key.scope
            marks.append(
                Mark(
                    key: write.key, device: own, chain: key, incarnation: entry.incarnation,
                    seq: entry.seq))
            guard let epoch = try epoch(of: key, entry.seq, on: device) else { continue }
            guard view.reference.members[own].map({ $0 == .admin || $0 == .member }) == true else {
                throw Violation(
                    .sameMembers, "a device wrote that may not", devices: [device.index])
            }
            guard view.reference.scopes(of: own).allows(key.scope) else {
                throw Violation(
                    .whatCountsShows, "a device wrote in a scope that it was not granted",
                    devices: [device.index])
            }
            let judged = view.reference.epochs.first { $0.id == epoch }
            guard judged?.isSealed == true else {
                throw Violation(
                    .epochsAreClean,
                    judged == nil
                        ? "a device wrote under an epoch that is void"
                        : "a device wrote under an epoch for one that is no member",
                    devices: [device.index])
            }
        }
    }

    private func epoch(
        of key: ChainKey, _ seq: UInt64, on device: SimulatedDevice
    ) throws(Violation) -> EpochID? {
        guard
            let row = device.replica?.chainRows.first(where: {
                $0.scope == key.scope && $0.chain == key.chain
            })
        else { return nil }
        do {
            return try device.replica?.storeForReading.batch(chain: row.index, seq: seq)?.epoch
        } catch {
            throw Violation(.noTraps, "a home cannot be read: \(error)", devices: [device.index])
        }
    }

    /// A write may be refused to those alone who are out, read only, or are bound to other scopes.
    func hear(
        refusal: ReplicaError, of markedCollection: UInt32?, on device: SimulatedDevice
    ) throws(Violation) {
        switch refusal {
        case .scopeNotGranted:
            let own = SimulatedDevice.keys(seed: seed, identity: device.identity).device
            let grant = try view(of: device)?.reference.scopes(of: own) ?? .all
            let scope = markedCollection.flatMap { scopes[$0] }
            if grant != .all, !(scope.map(grant.allows) ?? false) { return }
        case .noEpochKey:
            // Whoever is bound starts no epoch, and may have to wait for one.
            let own = SimulatedDevice.keys(seed: seed, identity: device.identity).device
            if let reference = try view(of: device)?.reference, reference.scopes(of: own) != .all,
                reference.current == nil
            {
                return
            }
        case .schema: return
        case .storage:
            throw Violation(.noTraps, "a store failed: \(refusal)", devices: [device.index])
        default: break
        }
        let role = try view(of: device)?.reference.members[
            SimulatedDevice.keys(seed: seed, identity: device.identity).device]
        guard role == .admin || role == .member else { return }
        throw Violation(
            .memberStopsNobody, "a write was refused: \(refusal)", devices: [device.index])
    }

    /// True when each of two devices takes both for members.
    func agree(_ one: SimulatedDevice, _ other: SimulatedDevice) throws(Violation) -> Bool {
        let ids = [one, other].map {
            SimulatedDevice.keys(seed: seed, identity: $0.identity).device
        }
        for device in [one, other] {
            guard device.isRunning, let state = try view(of: device)?.log.state,
                ids.allSatisfy({ state.member($0) != nil })
            else { return false }
        }
        return true
    }
}
