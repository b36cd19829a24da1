import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// A saboteur that lies about who belongs to the group.
struct MemberLiar {
    let saboteur: Saboteur
    /// The chains of the device that is told: the lies name batches of them.
    var chains: [ChainRow] = []

    private var log: MembershipLog { saboteur.log }

    /// Returns the message that tells a lie; nil when there is nobody whom it could be about.
    func saying(of lie: MemberLie) throws(MembershipError) -> Saboteur.Saying? {
        let records = try records(of: lie)
        return records.isEmpty ? nil : saboteur.message(of: records.map(\.encoded))
    }

    private func records(of lie: MemberLie) throws(MembershipError) -> [MemberRecord] {
        var entropy = Entropy(seed: SecretBytes(copying: saboteur.random.bytes(32)))
        switch lie {
        case .removal: return try removal(in: log, &entropy)
        case .removalFromThePast: return try removal(in: logAtAdmission(), &entropy)
        case .leaving:
            let leave = try log.makeLeave(heads: [], keys: saboteur.keys)
            return [try signed(leave.payload)] + (try demotion())
        case .demotion: return try demotion()
        case .brokenEpoch: return [try broken(for: log.state.members.map(\.device))]
        case .epochForOutsiders:
            let outsiders = log.state.former.map(\.device) + [stranger().device]
            return [try broken(for: log.state.members.map(\.device) + outsiders)]
        case .narrowEpoch:
            let members = log.state.members.map(\.device)
            return [try broken(for: Array(members.prefix(1 + members.count / 2)))]
        case .bothVotes:
            let restrictions = log.state.verdict.restrictions.keys
            guard !restrictions.isEmpty else { return [] }
            let one = saboteur.random.pick(Array(restrictions))
            return [
                try log.makeVote(isFor: true, one, keys: saboteur.keys),
                try log.makeVote(isFor: false, one, keys: saboteur.keys),
            ]
        case .ghosts:
            let ghost = stranger()
            let add = try log.makeAdd(
                ghost.certificate, role: .admin, ring: saboteur.ring, keys: saboteur.keys,
                entropy: &entropy)
            var grown = log
            _ = try grown.insert(add)
            guard let target = somebody(in: log) else { return [add] }
            let removal = try grown.makeRemoval(
                of: target, reason: 0, with: [], heads: [],
                ring: KeyRing(log: grown, keys: ghost), keys: ghost, entropy: &entropy)
            return [add, removal]
        case .moreBatches:
            let former = log.state.former.map(\.device)
            let known = former.first { one in chains.contains { $0.device == one } }
            guard let target = known ?? former.first ?? somebody(in: log) else { return [] }
            return [try log.makeExtend(of: target, heads: heads(of: target), keys: saboteur.keys)]
        case .epochWithGuest:
            let guest = stranger().device
            return [try epoch(&entropy) { $0[guest] = saboteur.random.bytes(112) }]
        case .epochBarringOne:
            // A reader can start no epoch in its place, and says alone that it does not open.
            let others = log.state.members.filter {
                $0.device != saboteur.keys.device && !$0.isBound && $0.role.reads
            }
            let readers = others.filter { $0.role == .reader }
            guard !others.isEmpty else { return [] }
            let one = saboteur.random.pick(readers.isEmpty ? others : readers).device
            return [try epoch(&entropy) { $0[one] = saboteur.random.bytes(112) }]
        }
    }

    /// Somebody has fewer rights from now on, by the word of this device.
    private func demotion() throws(MembershipError) -> [MemberRecord] {
        guard let target = somebody(in: log) else { return [] }
        let role: Role = saboteur.random.pick([.member, .reader])
        return [try signed(.role(RolePayload(device: target, role: role)))]
    }

    /// An epoch as an honest device would begin it, but for its boxes.
    private func epoch(
        _ entropy: inout Entropy, _ change: (inout OrderedTable<DeviceID, [UInt8]>) -> Void
    ) throws(MembershipError) -> MemberRecord {
        let right = try log.makeEpoch(ring: saboteur.ring, keys: saboteur.keys, entropy: &entropy)
        guard case .epoch(let payload) = right.payload else { throw .notEntitled }
        var boxes = payload.boxes
        change(&boxes)
        return try signed(
            .epoch(
                EpochPayload(
                    number: payload.number, networkCommitment: payload.networkCommitment,
                    dataCommitment: payload.dataCommitment, boxes: boxes,
                    wrapped: payload.wrapped)))
    }

    /// The log as it was when this device was admitted.
    private func logAtAdmission() throws(MembershipError) -> MembershipLog {
        guard let admission = log.state.member(saboteur.keys.device)?.admission else { return log }
        return try MembershipLog(stored: log.records(upTo: [admission]).map(\.encoded))
    }

    private func removal(
        in log: MembershipLog, _ entropy: inout Entropy
    ) throws(MembershipError) -> [MemberRecord] {
        guard let target = somebody(in: log) else { return [] }
        // Whoever is listed goes along only when the target let it in.
        var along: [RemovePayload.Companion] = []
        for member in log.state.members
        where ![target, saboteur.keys.device].contains(member.device) {
            if saboteur.random.chance(1, in: 2) {
                along.append(RemovePayload.Companion(device: member.device))
            }
        }
        return [
            try log.makeRemoval(
                of: target, reason: 0, with: along, heads: [],
                ring: KeyRing(log: log, keys: saboteur.keys), keys: saboteur.keys, entropy: &entropy
            )
        ]
    }

    /// Heads of a removed device's chains, some of them further up or of no batch that there is.
    private func heads(of device: DeviceID) -> [BatchHead] {
        let rows = chains.filter { $0.device == device && $0.stored >= $0.first }
        if !rows.isEmpty, saboteur.random.chance(2, in: 3) {
            // A number at which another batch is, so that all up to it counts.
            return rows.map { row in
                BatchHead(
                    incarnation: row.incarnation, scope: row.scope,
                    sequence: row.stored - UInt64(saboteur.random.below(2)),
                    batch: BatchID(saboteur.random.bytes(32)) ?? .zero)
            }.filter { $0.sequence > 0 }.sorted()
        }
        let named = log.records.flatMap { record -> [BatchHead] in
            guard case .remove(let payload) = record.payload, payload.device == device else {
                return []
            }
            return payload.heads
        }
        let invented = BatchHead(
            incarnation: Incarnation(saboteur.random.bytes(8)) ?? .zero,
            scope: saboteur.scope("notes"),
            sequence: 9, batch: BatchID(saboteur.random.bytes(32)) ?? .zero)
        return (named.isEmpty ? [invented] : named).map { head in
            BatchHead(
                incarnation: head.incarnation, scope: head.scope,
                sequence: head.sequence + UInt64(saboteur.random.below(3)), batch: head.batch)
        }.sorted()
    }

    private func somebody(in log: MembershipLog) -> DeviceID? {
        let others = log.state.members.map(\.device).filter { $0 != saboteur.keys.device }
        return others.isEmpty ? nil : saboteur.random.pick(others)
    }

    private func stranger() -> DeviceKeys {
        var entropy = Entropy(seed: SecretBytes(copying: saboteur.random.bytes(32)))
        return DeviceKeys(createdMilliseconds: 1, entropy: &entropy)
    }

    private func broken(for devices: [DeviceID]) throws(MembershipError) -> MemberRecord {
        try MemberRecord(decoding: try saboteur.epoch(boxes: devices))
    }

    private func signed(
        _ payload: MemberPayload
    ) throws(MembershipError) -> MemberRecord {
        guard let kind = payload.kind?.rawValue else { throw .notEntitled }
        return try MemberRecord(
            decoding: try saboteur.record(kind: kind, payload.encoded))
    }
}
