package import LinnetCrypto
package import LinnetWire

/// The records by which an admin gives a member of a group another role.
package struct RoleChange {
    private let log: MembershipLog

    /// Looks at the records of a log.
    package init(_ log: MembershipLog) { self.log = log }

    /// The records that give a member another role, or other scopes; the caller inserts them in
    /// order. The first is the role record; an epoch follows where it changes who may hold which
    /// keys. `heads` are the batches of the device up to which all count where it writes no more;
    /// without a grant the device stays bound to the scopes that it is bound to.
    ///
    /// Throws ``MembershipError/notEntitled`` for whoever is no admin,
    /// ``MembershipError/notAMember`` for a device that is none, ``MembershipError/lastAdmin`` when
    /// nobody could change it again, and ``MembershipError/outvoted`` when votes against earlier
    /// records leave the new one without effect.
    package func records(
        giving role: Role, within grant: ScopeGrant? = nil, to device: DeviceID,
        heads: [BatchHead], ring: KeyRing, keys: borrowing DeviceKeys, entropy: inout Entropy
    ) throws(MembershipError) -> [MemberRecord] {
        guard log.state.member(keys.device)?.role == .admin else { throw .notEntitled }
        guard let member = log.state.member(device) else { throw .notAMember }
        if role != .admin, device == keys.device,
            !log.state.members.contains(where: { $0.role == .admin && $0.device != device })
        {
            throw .lastAdmin
        }
        let scopes = role == .member || role == .reader ? grant ?? member.scopes : .all
        let record = try log.sign(
            .role(RolePayload(device: device, role: role, scopes: scopes, heads: heads)),
            naming: nil, keys: keys)
        var trial = log
        _ = try trial.insert(record)
        guard let after = trial.state.member(device), after.role == role, after.scopes == scopes
        else { throw .outvoted }
        // A device that reads no more must not have the next keys, and one that begins to read
        // needs them. Whoever may start no epoch leaves that to the others.
        guard member.role.reads != role.reads || member.scopes != scopes,
            !trial.state.upgradeNeeded, trial.state.member(keys.device)?.mayRotate == true
        else { return [record] }
        return [record, try trial.makeEpoch(ring: ring, keys: keys, entropy: &entropy)]
    }
}
