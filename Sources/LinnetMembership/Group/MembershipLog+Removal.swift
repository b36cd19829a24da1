package import LinnetCrypto
package import LinnetWire

extension MembershipLog {
    /// A record that removes a device, and whoever goes along, with new keys for those who remain;
    /// the caller inserts it. `heads` are the batches of the device up to which all count.
    ///
    /// It is never frozen. Throws ``MembershipError/notEntitled`` for whoever is neither an admin
    /// nor the recovery key, ``MembershipError/notAMember`` for a device that is none and did not
    /// leave, and what ``makeEpoch(ring:keys:entropy:)`` throws.
    package func makeRemoval(
        of device: DeviceID, reason: UInt8, with companions: [RemovePayload.Companion],
        heads: [BatchHead], ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> MemberRecord {
        let isAdmin = state.member(keys.device)?.role == .admin
        guard isAdmin || state.recovery?.device == keys.device, device != keys.device else {
            throw .notEntitled
        }
        guard state.member(device) != nil || Duties(self).openLeavers.contains(device) else {
            throw .notAMember
        }
        let out = OrderedSet([device] + companions.map(\.device))
        var remaining = state.members.filter { !out.contains($0.device) }
        let parents = parents(by: keys.device, naming: nil)
        // A device that goes along stays when somebody else admitted it, too.
        while true {
            let record = try sign(
                .remove(
                    RemovePayload(
                        device: device, reason: reason, with: companions, heads: heads,
                        epoch: try epochPayload(for: remaining, after: parents, ring, &entropy))),
                naming: nil, on: parents, keys: keys)
            var trial = self
            _ = try trial.insert(record)
            let after = trial.state.members
            guard trial.state.verdict.restrictions[record.id]?.stands == true,
                after.map(\.device) != remaining.map(\.device)
            else { return record }
            remaining = after
        }
    }

    /// A record by which a device leaves the group; the caller inserts it.
    ///
    /// Throws ``MembershipError/notEntitled`` for whoever is no member, and
    /// ``MembershipError/lastAdmin`` when nobody else could admit or remove anybody.
    package func makeLeave(
        heads: [BatchHead], keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        let device = keys.device
        guard state.member(device) != nil else { throw .notEntitled }
        guard state.members.contains(where: { $0.role == .admin && $0.device != device }) else {
            throw .lastAdmin
        }
        return try sign(
            .remove(
                RemovePayload(
                    device: device, reason: RemovePayload.Reason.mine.rawValue, with: [],
                    heads: heads,
                    epoch: nil)),
            naming: nil, keys: keys)
    }

    /// A record by which more batches of a device count; the caller inserts it.
    ///
    /// Throws ``MembershipError/notEntitled`` for whoever is neither an admin nor the recovery key.
    package func makeExtend(
        of device: DeviceID, heads: [BatchHead], keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        guard state.member(keys.device)?.role == .admin || state.recovery?.device == keys.device
        else { throw .notEntitled }
        return try sign(
            .extend(ExtendPayload(device: device, heads: heads)), naming: nil, keys: keys)
    }

    /// A vote of a device for or against a record; the caller inserts it. Its parents are that
    /// record and the device's last one, so that it is no fork and hides nothing else.
    ///
    /// Throws ``MembershipError/notEntitled`` where no record admits the device.
    package func makeVote(
        isFor: Bool, _ record: MemberRecordID, keys: borrowing DeviceKeys
    ) throws(MembershipError) -> MemberRecord {
        try sign(
            .vote(VotePayload(isFor: isFor, record: record)), naming: nil,
            on: Receipts(self).parents(joining: record, by: keys.device), keys: keys)
    }
}
