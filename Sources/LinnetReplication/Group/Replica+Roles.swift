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
    /// The batches by it that are stored here, which go on to count.
    package let kept: Totals
    /// The members that have to hear of it, and are not connected.
    package let unheard: [DeviceID]
}

extension Replica {
    /// True when what this device writes counts.
    package var mayWrite: Bool { group?.mayWrite(device) ?? false }

    /// Returns the effects that another role of a device would have; changes nothing.
    package func rolePlan(of device: DeviceID) throws(ReplicaError) -> RolePlan {
        guard let group else { throw .notAMember }
        guard let member = group.log.state.member(device) else { throw .membership(.notAMember) }
        let kept = try storage { () throws(StorageError) in
            try reading.heldTotals(of: device)
        }
        let connected = sessions.open.map(\.state.device)
        return RolePlan(
            device: device, before: member.role, kept: kept,
            unheard: group.log.state.members.map(\.device).filter {
                $0 != self.device && !connected.contains($0)
            })
    }

    /// Gives a device another role. What it wrote and this device holds goes on to count; where the
    /// role lets it write no more, nothing later does.
    package mutating func setRole(
        _ role: Role, of device: DeviceID, at now: Moment
    ) throws(ReplicaError) -> [Effect] {
        guard let group else { throw .notAMember }
        try checkMembership(group)
        guard group.log.state.member(device)?.role != role else { return [] }
        let heads = role.writes ? [] : chains.index.heads(of: device)
        var records: [MemberRecord] = []
        do throws(MembershipError) {
            var log = group.log
            // An extend comes first: whoever makes itself a reader could not sign it later.
            for start in stride(from: BatchHead.usual, to: heads.count, by: BatchHead.usual) {
                let part = Array(heads[start..<min(start + BatchHead.usual, heads.count)])
                let extend = try log.makeExtend(of: device, heads: part, keys: keys)
                _ = try log.insert(extend)
                records.append(extend)
            }
            records += try RoleChange(log).records(
                giving: role, to: device, heads: Array(heads.prefix(BatchHead.usual)),
                ring: group.ring,
                keys: keys, entropy: &entropy)
        } catch {
            throw .membership(error)
        }
        return try publish(records, at: now)
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
