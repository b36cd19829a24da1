import LinnetCRDT
package import LinnetMembership
package import LinnetStorage
package import LinnetWire

/// The effects that another role of a device will have.
package struct RolePlan: Equatable, Sendable {
    /// The device.
    package let device: DeviceID
    /// Its role now.
    package let before: Role
    /// The names of the scopes to which it is bound now; nil for none.
    package let scopesBefore: [String]?
    /// The names of those to which it would be bound.
    package let scopesAfter: [String]?
    /// The batches by it that are stored here, which go on to count.
    package let kept: Totals
    /// The members that have to hear of it, and are not connected.
    package let unheard: [DeviceID]
}

extension Replica {
    /// True when what this device writes counts.
    package var mayWrite: Bool { group?.mayWrite(device) ?? false }

    /// Returns the effects that another role of a device would have; changes nothing.
    package func rolePlan(
        of device: DeviceID, role: Role, scopes: ScopeChoice? = nil
    ) throws(ReplicaError) -> RolePlan {
        guard let group else { throw .notAMember }
        guard let member = group.log.state.member(device) else { throw .membership(.notAMember) }
        let after = try grant(scopes, to: role, butFor: device)
        let kept = try storage { () throws(StorageError) in
            try reading.heldTotals(of: device)
        }
        let connected = sessions.open.map(\.state.device)
        return RolePlan(
            device: device, before: member.role,
            scopesBefore: reading.scopeNames(of: member.scopes),
            scopesAfter: reading.scopeNames(of: after.scopes), kept: kept,
            unheard: group.log.state.members.map(\.device).filter {
                $0 != self.device && !connected.contains($0)
            })
    }

    /// Gives a device another role, or binds it to other scopes. What it wrote and this device
    /// holds goes on to count; where it may write no more, nothing later does.
    package mutating func setRole(
        _ role: Role, scopes: ScopeChoice? = nil, of device: DeviceID, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        let member = group.log.state.member(device)
        let grant = try grant(scopes, to: role, butFor: device)
        guard member?.role != role || member?.scopes != grant.scopes else { return [] }
        let heads = headsToKeep(of: device, under: grant, group)
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            var log = group.log
            // An extend comes first: whoever makes itself a reader could not sign it later.
            for start in stride(
                from: role.writes ? 0 : BatchHead.usual, to: heads.count, by: BatchHead.usual)
            {
                let part = Array(heads[start..<min(start + BatchHead.usual, heads.count)])
                let extend = try log.makeExtend(of: device, heads: part, keys: keys)
                _ = try log.insert(extend)
                records.append(extend)
            }
            records += try RoleChange(log).records(
                giving: role, within: grant.scopes, to: device,
                heads: Array(heads.prefix(BatchHead.usual)), ring: group.ring, keys: keys,
                entropy: &entropy)
        } catch {
            throw .membership(error)
        }
        return try publish(records, at: now)
    }

    /// The last batches of a device in the scopes where it may write no more under other rights.
    private func headsToKeep(
        of device: DeviceID, under grant: RoleGrant, _ group: GroupState
    ) -> [BatchHead] {
        let heads = chains.index.heads(of: device, within: group.rights)
        guard grant.role.writes else { return heads }
        guard grant.scopes != .all, mayWriteNow(device, group) else { return [] }
        let filter = group.scopes(of: grant.scopes)
        return heads.filter { !filter.holds($0.scope) }
    }

    private func mayWriteNow(_ device: DeviceID, _ group: GroupState) -> Bool {
        group.log.state.member(device)?.role.writes ?? false
    }

    /// Writes the name of a member that cannot write it itself.
    package mutating func introduce(
        _ newcomer: DeviceID, name: String, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard mayWrite, group?.log.state.member(newcomer)?.role.writes == false else { return [] }
        let field = FieldWrite(Schema.DeviceFields.name, .text(name))
        return try commit(
            [
                .set(
                    collection: Self.devices, record: Self.recordID(of: newcomer), fields: [field])
            ], at: now
        ).1
    }
}
