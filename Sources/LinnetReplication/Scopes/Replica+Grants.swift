import LinnetCRDT
package import LinnetMembership
import LinnetStorage
import LinnetWire

/// The scopes to which a person binds a device.
package enum ScopeChoice: Equatable, Sendable {
    /// It is bound to none.
    case all
    /// It is bound to the scopes of these names; of divided ones, all that begin so.
    case only([String])
}

extension Replica {
    /// Returns the rights of a role within some scopes; nil leaves a device bound as it is, and a
    /// new one unbound.
    func grant(
        _ choice: ScopeChoice?, to role: Role, butFor target: DeviceID?
    ) throws(ReplicaError) -> RoleGrant {
        guard let group else { throw .notAMember }
        let known = target.flatMap { group.log.state.member($0)?.scopes } ?? .all
        switch choice {
        case nil: return RoleGrant(role, within: role.isBindable ? known : .all)
        case .all: return RoleGrant(role)
        case .only(let names):
            guard role.isBindable else { throw .roleNotBound(role) }
            var roots: [ScopeID] = []
            for name in [Schema.devices.scope.name] + names {
                let rules = schema.collections.map(\.scope)
                    .filter { $0.name.utf8.elementsEqual(name.utf8) }
                guard !rules.isEmpty else { throw .unknownScope(name) }
                guard !rules.contains(where: \.isBySegment) else { throw .scopeOfParts(name) }
                guard let id = group.naming?.scope(name) else { throw .noEpochKey }
                roots.append(id)
            }
            let behind = group.log.state.members.map(\.device).filter {
                $0 != device && !scopes.scopedReaders.contains($0)
            }
            guard behind.isEmpty else { throw .membership(.scopesNotUnderstood(behind)) }
            do throws(MembershipError) {
                return RoleGrant(role, within: try ScopeGrant.of(roots))
            } catch {
                throw .membership(error)
            }
        }
    }

    /// Throws why a newcomer could not be bound to these scopes.
    package func checkGrant(_ choice: ScopeChoice?, to role: Role) throws(ReplicaError) {
        _ = try grant(choice, to: role, butFor: nil)
    }

    /// Begins sessions anew where the grant of one side changed, since they depend on it.
    mutating func followGrants(before: ScopeRights?) throws(StorageError) {
        guard let group, let before, before.isScoped || group.rights.isScoped else { return }
        if before.own != group.rights.own {
            // What is granted now may have been written before.
            try scopes.known.become(scopes.known.filter.intersection(before.own), in: &turn)
            recordBook.inspection.refolds += 1
            chains.beginAnew()
            for (session, _) in sessions.open { end(session, .normal, telling: .normal) }
            return
        }
        for (session, state) in sessions.open {
            let isTold = state.greeting.incarnation == nil || state.greeting.readsScoped
            if state.grant != group.rights.filter(of: state.device)
                || (group.rights.isScoped && !before.isScoped && !isTold)
            {
                end(session, .normal, telling: .normal)
            }
        }
    }

    /// Notes which version a peer runs, and ends the session with one that cannot read what is
    /// sealed by scope where batches are.
    mutating func noteVersion(
        _ hello: HelloMessage, of state: OpenState
    ) throws(SessionFault) {
        let readsScoped = (hello.features ?? 0) & HelloMessage.scopedBatches != 0
        state.greeting.readsScoped = readsScoped
        if state.device != device { scopes.note(state.device, readsScoped: readsScoped) }
        guard !readsScoped, group?.rights.isScoped == true else { return }
        turn.outbox.warn(.scopesNotUnderstood(state.device))
        throw .end(.other(code: CloseCode.version.rawValue), code: .version)
    }
}

extension ReplicaReading {
    /// The names of the scopes of a grant, ascending, as far as the schema has them; nil for one of
    /// everything.
    func scopeNames(of grant: ScopeGrant) -> [String]? {
        guard case .some(let roots) = grant else { return nil }
        let known = log.schema.collections.map(\.scope.name).filter { name in
            log.group?.naming.map { roots.contains($0.scope(name)) } ?? false
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        // Collections may share a scope.
        return known.indices.filter {
            $0 == 0 || !known[$0].utf8.elementsEqual(known[$0 - 1].utf8)
        }.map { known[$0] }
    }
}

extension Role {
    /// True when a device of this role may be bound to scopes.
    fileprivate var isBindable: Bool { self == .member || self == .reader }
}

extension ScopeRule {
    fileprivate var isBySegment: Bool {
        if case .divided(_, .segment) = self { true } else { false }
    }
}
