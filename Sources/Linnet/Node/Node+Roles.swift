import LinnetMembership
import LinnetReplication
import LinnetStorage
import LinnetSystem
import LinnetWire

extension Node {
    /// Returns the effects of giving a device another role, and changes nothing. The device is
    /// named as the status shows it, or by the beginning of its identifier; it may be this one.
    public func rolePlan(
        _ device: String, _ role: DeviceRole, scopes: DeviceScopes? = nil
    ) throws(LinnetError) -> DeviceRolePlan {
        let target = try anyMember(device)
        let plan = try reading { (replica) throws(ReplicaError) in
            try replica.rolePlan(of: target, role: Role(role), scopes: scopes.map(ScopeChoice.init))
        }
        return DeviceRolePlan(
            device: named(plan.device), before: DeviceRole(plan.before), after: role,
            scopesBefore: plan.scopesBefore, scopesAfter: plan.scopesAfter,
            batchesKept: plan.kept.count, unheard: plan.unheard.map(named))
    }

    /// Gives a device of the group another role; this device must be an admin. What the device
    /// wrote and this one holds goes on to count. Once it may write no more, nothing else that it
    /// wrote does: see ``lateWrites(withDropped:)``.
    ///
    /// With `scopes` a member or reader gets the keys of these alone, or of everything again;
    /// without, it stays bound as it is. A device that becomes a relay, or is bound to less, gets
    /// no more keys to read the others with; what it has, it can read for ever.
    public func setRole(
        _ device: String, _ role: DeviceRole, scopes: DeviceScopes? = nil
    ) throws(LinnetError) {
        let target = try anyMember(device)
        try writable()
        do throws(ReplicaError) {
            let effects = try replica?.setRole(
                Role(role), scopes: scopes.map(ScopeChoice.init), of: target,
                at: SystemClock.now())
            if let effects { perform(effects) }
        } catch {
            throw failed(error)
        }
    }

    /// Writes the name of a device that was admitted and cannot write it itself.
    func introduce(_ newcomer: DeviceID, name: String) {
        do throws(ReplicaError) {
            perform(
                try replica?.introduce(newcomer, name: name, at: SystemClock.now()) ?? [])
        } catch {
            // It belongs to the group without a name, too.
            _ = failed(error)
        }
    }

    /// The member that a person means, perhaps this device.
    private func anyMember(_ words: String) throws(LinnetError) -> DeviceID {
        guard let found = named(words, among: try memberIDs()) else { throw .noSuchDevice }
        return found
    }
}

extension ScopeChoice {
    init(_ scopes: DeviceScopes) {
        self =
            switch scopes {
            case .all: .all
            case .only(let names): .only(names)
            }
    }
}

extension Role {
    init(_ role: DeviceRole) {
        self =
            switch role {
            case .admin: .admin
            case .member: .member
            case .relay: .relay
            case .reader: .reader
            }
    }
}
