import LinnetCrypto
import LinnetMembership
import LinnetWire

/// A saboteur that lies about who belongs to the group.
struct MemberLiar {
    let saboteur: Saboteur

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
        case .leaving: return [try log.makeLeave(heads: [], keys: saboteur.keys)]
        case .demotion:
            guard let target = somebody(in: log) else { return [] }
            let payload = RolePayload(
                device: target, role: saboteur.random.pick([.member, .reader]))
            return [try signed(.role(payload), in: log)]
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
            guard let target = log.state.former.first?.device ?? somebody(in: log) else {
                return []
            }
            return [try log.makeExtend(of: target, heads: heads(of: target), keys: saboteur.keys)]
        }
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
        _ payload: MemberPayload, in log: MembershipLog
    ) throws(MembershipError) -> MemberRecord {
        guard let kind = payload.kind?.rawValue else { throw .notEntitled }
        return try MemberRecord(
            decoding: try saboteur.record(kind: kind, payload.encoded))
    }
}
