import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// The machine of membership: the group of this device, if there is one, and the epochs that the
/// device owes it.
struct Membership {
    private static let rotationStepMilliseconds: Int64 = 10_000

    /// The group, once there is one.
    private(set) var group: GroupState?
    /// True when this device destroys itself at the word of an admin that removed it.
    var obeysWipes = false
    /// The members when the log was last looked at.
    private(set) var members: [DeviceID] = []
    /// The restrictions that stood then.
    private var standing: [MemberRecordID] = []
    /// The time at which this device may start an epoch that the group needs, in uptime
    /// milliseconds; nil when none is needed.
    private(set) var rotationDue: Int64?
    /// The questions about the group that the person is asked.
    var questions = QuestionBook()
    /// The time at which this device accepts a member by itself, in uptime milliseconds; nil when
    /// it has none to accept.
    var acceptanceDue: Int64?

    /// Begins in the group of a log; nil stands for no group.
    init(
        log: MembershipLog?, _ handed: HandedKeys = HandedKeys(), schema: Schema,
        keys: borrowing DeviceKeys
    ) {
        if let log { enter(log, schema: schema, keys: keys) }
        keep(handed)
    }

    /// Enters the group of a log.
    mutating func enter(
        _ log: MembershipLog, schema: Schema, keys: borrowing DeviceKeys
    ) {
        group = GroupState(log: log, schema: schema, keys: keys)
        members = log.state.members.map(\.device)
        standing = log.state.verdict.standing
    }

    /// Names the scopes of another schema.
    mutating func adopt(_ schema: Schema, keys: borrowing DeviceKeys) {
        group?.update(schema: schema, keys: keys)
    }

    /// Forgets records that wait for their parents.
    mutating func discardParked() {
        guard let group, group.log.hasParked else { return }
        self.group?.log.discardParked()
    }

    /// Notes that a link that this device dialled led to a member, or to nothing.
    mutating func dialEnded(_ origin: LinkOrigin, isMember: Bool) {
        if isMember {
            group?.sessionKeys.succeeded(origin)
        } else {
            group?.sessionKeys.failed(origin)
        }
    }

    /// The result of taking received records in.
    struct Taken {
        /// The records that are new.
        var added: [MemberRecord] = []
        /// The error of the first wrong record, behind which nothing was read.
        var refusal: MembershipError?
        /// True when the rest has to wait, since its author signed too many.
        var isHeldBack = false
    }

    /// Takes received records in on a device, up to the first wrong one, or the first of an author
    /// that signed too many.
    mutating func take(
        _ encoded: [[UInt8]], by device: DeviceID, _ arrivals: inout ArrivalBook, at now: Moment,
        _ turn: inout Turn
    ) -> Taken {
        var result = Taken()
        guard let log = group?.log else { return result }
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            for bytes in encoded {
                let record = try MemberRecord(decoding: bytes)
                if log.contains(record.id) { continue }
                records.append(record)
                guard record.author != device else { continue }
                guard !arrivals.holdsBack(record.author, .records, at: now) else {
                    records.removeLast()
                    result.isHeldBack = true
                    break
                }
                arrivals.note(record.author, Arrivals(records: 1), at: now)
            }
        } catch {
            result.refusal = error
        }
        guard let taken = group?.log.insert(contentsOf: records) else { return result }
        if !taken.added.isEmpty { turn.keep(taken.added) }
        result.added = taken.added
        result.refusal = taken.refusal ?? result.refusal
        return result
    }

    /// Adds a newcomer to the group; returns its admission and the log for it. The caller goes on
    /// with `grew`.
    mutating func admit(
        _ certificate: Certificate, as grant: RoleGrant, keys: borrowing DeviceKeys,
        _ entropy: inout Entropy, _ turn: inout Turn
    ) throws(MembershipError) -> (admission: MemberRecordID, pages: WelcomePages)? {
        guard var group else { return nil }
        if group.ring.current(in: group.log) == nil {
            // Nobody is admitted under keys that leave somebody out: new ones come first.
            let epoch = try group.log.makeEpoch(ring: group.ring, keys: keys, entropy: &entropy)
            turn.keep(group.log.insert(contentsOf: [epoch]).added)
            group.ring.update(from: group.log, keys: keys)
        }
        // The box of an admission holds all keys or those of a relay; scopes come after it.
        let isBound =
            grant.scopes != .all && group.log.state.member(certificate.device) == nil
        let record = try group.log.makeAdd(
            certificate, role: isBound ? .relay : grant.role, ring: group.ring, keys: keys,
            entropy: &entropy)
        if isBound {
            var log = group.log
            _ = try log.insert(record)
            let more = try RoleChange(log).records(
                giving: grant.role, within: grant.scopes, to: certificate.device, heads: [],
                ring: group.ring, keys: keys, entropy: &entropy)
            turn.keep(group.log.insert(contentsOf: [record] + more).added)
            group.ring.update(from: group.log, keys: keys)
            self.group = group
            share(keys, &entropy, &turn)
            group = self.group ?? group
        } else {
            turn.keep(group.log.insert(contentsOf: [record]).added)
        }
        self.group = group
        // A device that pairs again, having lost its home, is a member by an earlier record.
        let admission = group.log.state.member(certificate.device)?.admission ?? record.id
        return (admission, WelcomePages(log: group.log))
    }

    /// Starts the epoch that is due, in the removal of a device that left where there is one, whose
    /// batches `heads` finds; returns true when the log grew.
    mutating func rotate(
        _ keys: borrowing DeviceKeys, _ entropy: inout Entropy, _ turn: inout Turn,
        heads: (DeviceID) -> [BatchHead]
    ) -> Bool {
        rotationDue = nil
        guard let group else { return false }
        do throws(MembershipError) {
            let record: MemberRecord
            if let leaver = Duties(group.log).closing(by: keys.device)?.leaver {
                record = try group.log.makeRemoval(
                    of: leaver, reason: RemovePayload.Reason.mine.rawValue, with: [],
                    heads: heads(leaver), ring: group.ring, keys: keys, entropy: &entropy)
            } else if group.ring.rotationTurn(of: keys.device, in: group.log) != nil {
                record = try group.log.makeEpoch(
                    ring: group.ring, keys: keys, entropy: &entropy)
            } else {
                return try handOverStranded(group, keys, &entropy, &turn)
            }
            return try author(record, &turn)
        } catch {
            return false
        }
    }

    /// Hands keys to which the current ones do not lead to those who may lack them; returns true
    /// when the log grew.
    private mutating func handOverStranded(
        _ group: GroupState, _ keys: borrowing DeviceKeys, _ entropy: inout Entropy,
        _ turn: inout Turn
    ) throws(MembershipError) -> Bool {
        let shares = try StrandedKeys(of: keys.device, in: group.log, group.ring)
            .shares(keys: keys, entropy: &entropy)
        for share in shares { try author(share, &turn) }
        return !shares.isEmpty
    }

    /// Takes in a record of this device.
    @discardableResult
    mutating func author(
        _ record: MemberRecord, _ turn: inout Turn
    ) throws(MembershipError) -> Bool {
        guard case .inserted(let added)? = try group?.log.insert(record) else { return false }
        turn.keep(added)
        return true
    }

    /// Hands the keys of the epoch that this device started to those that are bound to scopes.
    private mutating func share(
        _ keys: borrowing DeviceKeys, _ entropy: inout Entropy, _ turn: inout Turn
    ) {
        do throws(MembershipError) {
            while let group,
                let share = try EpochShares(group.log).due(
                    ring: group.ring, keys: keys, entropy: &entropy)
            {
                guard try author(share, &turn) else { return }
            }
        } catch {
            // Without its share the epoch is not usable, and another one is started.
            return
        }
    }

    /// Notes keys that others handed to this device.
    mutating func keep(_ handed: HandedKeys) { group?.handed = handed }

    /// Votes for what this device has to vote for.
    mutating func vote(_ keys: borrowing DeviceKeys, _ turn: inout Turn) {
        while let log = group?.log, let record = Duties(log).vote(of: keys.device) {
            do throws(MembershipError) {
                let vote = try log.makeVote(isFor: true, record, keys: keys)
                guard try author(vote, &turn) else { return }
            } catch {
                // The log is full for this device: its opinion is not worth a failure.
                return
            }
        }
    }

    /// Says that this device holds what it owes a receipt for.
    private mutating func acknowledge(
        _ keys: borrowing DeviceKeys, at now: Moment, _ turn: inout Turn
    ) {
        while let log = group?.log,
            let record = Receipts(log).due(from: keys.device, obeying: obeysWipes)
        {
            do throws(MembershipError) {
                let receipt = try Receipts(log).receipt(
                    for: record, wallMilliseconds: max(0, now.wallMilliseconds), keys: keys)
                guard try author(receipt, &turn) else { return }
            } catch {
                // The log is full for this device: a receipt is not worth a failure.
                return
            }
        }
    }

    /// Notes how far the chains of devices count of which not all does.
    mutating func count(_ counted: CountedChains) {
        guard group?.counted != counted else { return }
        group?.counted = counted
    }

    /// Votes, opens new keys, tells of new members, and plans the epoch that is due; returns true
    /// when this device signed something.
    @discardableResult
    mutating func grew(
        schema: Schema, keys: borrowing DeviceKeys, at now: Moment, _ entropy: inout Entropy,
        _ turn: inout Turn
    ) -> Bool {
        let before = OrderedSet(members)
        let held = group?.log.records.count
        vote(keys, &turn)
        acknowledge(keys, at: now, &turn)
        group?.update(schema: schema, keys: keys)
        share(keys, &entropy, &turn)
        guard let group else { return false }
        for warning in group.warnings { turn.outbox.warn(warning) }
        if obeysWipes, let order = Wipes(group.log).order(to: keys.device) {
            turn.outbox.notify(.wipeAsked(by: order.author))
        }
        members = group.log.state.members.map(\.device)
        for member in members where !before.contains(member) {
            turn.outbox.notify(.memberAdded(member))
        }
        for member in before where !members.contains(member) {
            turn.outbox.notify(
                .memberRemoved(member, by: Removals(group.log).last(of: member)?.author))
        }
        tellOverruled(in: group.log, &turn)
        plan(of: keys.device, at: now)
        return group.log.records.count != held
    }

    /// Tells of the removals and roles that stood and have no effect any more.
    private mutating func tellOverruled(in log: MembershipLog, _ turn: inout Turn) {
        let before = standing
        standing = log.state.verdict.standing
        let over = OrderedSet(before.filter { !standing.contains($0) })
        guard !over.isEmpty else { return }
        for removal in Removals(log).withRoles where over.contains(removal.id) {
            turn.outbox.warn(
                .overruled(removal.device, by: removal.author, isRole: removal.role != nil))
        }
    }

    /// Finds when this device may start an epoch, which one device after the other may, and when it
    /// accepts the next member by itself.
    mutating func plan(of device: DeviceID, at now: Moment) {
        guard let group else { return }
        ask(group.log, on: device, at: now)
        let turns = [
            Duties(group.log).closing(by: device)?.rank,
            group.ring.rotationTurn(of: device, in: group.log),
            StrandedKeys(of: device, in: group.log, group.ring).turn,
        ]
        rotationDue = turns.compactMap { $0 }.min().map {
            now.uptimeMilliseconds + Int64($0) * Self.rotationStepMilliseconds
        }
    }
}

extension GroupState {
    /// The warnings about the group's keys and records that hold now, each kind once for a device.
    var warnings: [Warning] {
        let (state, current) = (log.state, log.state.currentEpoch)
        // Whatever is older than the keys in use is over.
        let newer = state.epochs.prefix { $0.id != current?.id }
        let opening = newer + (current.map { [$0] } ?? [])
        let bad = OrderedSet(ring.badEpochs)
        var warnings: [Warning] = []
        if let epoch = opening.first(where: { bad.contains($0.id) }) {
            warnings.append(.badEpoch(epoch.id))
        }
        var named = OrderedSet<DeviceID>()
        for epoch in newer where !named.contains(epoch.author) {
            guard let fault = state.fault(of: epoch) else { continue }
            named.insert(epoch.author)
            warnings.append(.keysNotUsed(by: epoch.author, fault))
        }
        for device in OrderedSet(state.freezing.map(\.author)) {
            warnings.append(.admissionFrozen(by: device))
        }
        return warnings
    }

    /// True when one of two devices belongs to the group no more.
    func isOut(_ first: DeviceID, or second: DeviceID) -> Bool {
        log.state.member(first) == nil || log.state.member(second) == nil
    }

    /// The heads of the log, which a peer is told.
    var memberHeads: MemberHeadsMessage {
        MemberHeadsMessage(heads: log.heads.elements)
    }

    /// Returns the request for some records and those before them, for a peer that announced
    /// others.
    func request(
        for ids: [MemberRecordID], from announced: [MemberRecordID]
    ) -> MemberGetMessage {
        // A peer that lacks our heads would send all that it has.
        let landmarks = log.landmarks
        let shared = announced.lazy.filter(log.contains).prefix(
            max(0, Limits.memberLandmarks - landmarks.count))
        return MemberGetMessage(
            group: log.group, wanted: Array(ids.prefix(Limits.memberGetRecords)),
            held: OrderedSet(log.heads.elements + landmarks + shared).elements)
    }

    /// Returns the records that a peer asks for, as many as a message holds: the rest is asked for
    /// when these have arrived. `isWhole` says that nothing is left.
    func answer(to get: MemberGetMessage) -> (message: MemberRecordsMessage, isWhole: Bool) {
        var records: [[UInt8]] = []
        var bytes = 0
        let lacking = log.records(upTo: get.wanted, unknownTo: get.held)
        for record in lacking {
            bytes += record.encoded.count
            guard bytes < Limits.messageBytes - 1_024, records.count < Limits.memberProofRecords
            else { break }
            records.append(record.encoded)
        }
        return (
            MemberRecordsMessage(group: get.group, records: records),
            records.count == lacking.count
        )
    }

    /// Returns true when a peer announced no record that is not here, and has or was sent every one
    /// that is.
    func isLevel(with announced: [MemberRecordID], sent: [MemberRecordID]) -> Bool {
        let heads = log.heads.elements
        if announced == heads { return true }
        return announced.allSatisfy(log.contains)
            && heads.allSatisfy { log.contains($0, upTo: announced + sent) }
    }
}
