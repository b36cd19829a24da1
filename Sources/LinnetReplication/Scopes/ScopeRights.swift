import LinnetCRDT
import LinnetMembership
import LinnetWire

/// The scopes that each member may read, as the records of the group and the schema at hand say.
///
/// A grant names the roots of scopes; the scopes of a root that is divided by time are all those of
/// the years in which scopes are looked for.
struct ScopeRights {
    /// True when batches are sealed by scope here, since a record bound a device to scopes once.
    let isScoped: Bool
    /// The scopes that this device may read.
    let own: ScopeFilter
    /// The roots that this device may read.
    let ownGrant: ScopeGrant
    private let others: OrderedTable<DeviceID, ScopeFilter>
    let roots: ScopeRoots

    /// Reads the grants of a log, on one of its devices.
    init(_ log: MembershipLog, on device: DeviceID, _ roots: ScopeRoots) {
        self.roots = roots
        isScoped = log.bindsDevices
        guard isScoped else {
            (own, ownGrant, others) = (.everything, .all, OrderedTable())
            return
        }
        var filters = OrderedTable<DeviceID, ScopeFilter>()
        for member in log.state.members {
            guard case .some(let granted) = member.scopes else { continue }
            filters[member.device] = roots.filter(of: granted)
        }
        // What one that is out wrote in other scopes is vouched for by nobody.
        for (former, granted) in log.lastGrants where filters[former] == nil {
            guard log.state.member(former) == nil else { continue }
            filters[former] = roots.filter(of: granted)
        }
        ownGrant = log.state.member(device)?.scopes ?? .all
        own = filters[device] ?? .everything
        others = filters
    }

    /// Returns the scopes that a member may read.
    func filter(of device: DeviceID) -> ScopeFilter { others[device] ?? .everything }

    /// True when a member may read some scopes alone.
    func binds(_ device: DeviceID) -> Bool { others[device] != nil }

    /// Returns the root of a scope; nil where the schema at hand does not tell.
    func root(of scope: ScopeID) -> ScopeID? { roots.root(of: scope) }
}

/// The roots of the scopes that a schema tells of, found when they are first asked for.
///
/// It is a class, so that calls that only read a replica can use it.
final class ScopeRoots {
    private let schema: Schema
    private let naming: NamingKeys?
    private var found: OrderedTable<ScopeID, ScopeID>?

    init(_ schema: Schema, _ naming: NamingKeys?) { (self.schema, self.naming) = (schema, naming) }

    private var roots: OrderedTable<ScopeID, ScopeID> {
        if let found { return found }
        guard let naming else { return OrderedTable() }
        var pairs: [(ScopeID, ScopeID)] = schema.scopes.map {
            let id = naming.scope($0)
            return (id, id)
        }
        var known: (name: Substring, id: ScopeID)?
        for name in RecentScopes.all(of: schema) {
            let own = name.prefix { $0 != "/" }
            if known?.name != own { known = (own, naming.scope(String(own))) }
            if let known { pairs.append((naming.scope(name), known.id)) }
        }
        let roots = OrderedTable(pairs)
        found = roots
        return roots
    }

    /// Returns these where they are those of a schema and of keys; else new ones.
    func adapted(to schema: Schema, _ naming: NamingKeys?) -> ScopeRoots {
        let name = Schema.devices.scope.name
        let isSame =
            self.schema.collections.map(\.scope) == schema.collections.map(\.scope)
            && self.naming?.scope(name) == naming?.scope(name)
        return isSame ? self : ScopeRoots(schema, naming)
    }

    func root(of scope: ScopeID) -> ScopeID? { roots[scope] }

    /// Returns the scopes of some roots. A root that the schema does not know is a scope itself.
    func filter(of granted: [ScopeID]) -> ScopeFilter {
        let reserved = [ScopeGrant.scopeNames, ScopeGrant.schemaNames]
        let own = granted.filter { !reserved.contains($0) }
        let more = roots.filter { own.contains($0.value) }.map(\.key)
        return ScopeFilter(isExclusion: false, scopes: OrderedSet(own + more))
    }
}

extension MembershipLog {
    /// True when a good record bound a device to scopes, be it that none is bound now.
    fileprivate var bindsDevices: Bool { grants.contains { $0.scopes != .all } }

    /// The grants of devices that were bound by the last good record of their role.
    fileprivate var lastGrants: OrderedTable<DeviceID, [ScopeID]> {
        var last = OrderedTable<DeviceID, [ScopeID]>()
        for payload in grants {
            if case .some(let scopes) = payload.scopes {
                last[payload.device] = scopes
            } else {
                last[payload.device] = nil
            }
        }
        return last
    }

    private var grants: [RolePayload] {
        records.compactMap { record in
            guard case .role(let payload) = record.payload,
                !state.verdict.void.contains(record.id)
            else { return nil }
            return payload
        }
    }
}
