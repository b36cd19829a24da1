import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetWire

/// What a member knows of its group: who belongs to it, its keys, and the names of its scopes.
struct GroupState {
    var log: MembershipLog
    var ring: KeyRing
    private(set) var scopes: ScopeTable

    init(log: MembershipLog, schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys) {
        self.log = log
        ring = KeyRing(log: log, keys: keys)
        scopes = ScopeTable(schema: schema, ring: ring, log: log)
    }

    /// The opaque name of a scope, nil until the first data key is held.
    func scope(named name: String) -> ScopeID? {
        if let id = scopes.id(named: name) { return id }
        return ring.firstDataKey(in: log).map { BatchName.scope(name, firstDataKey: $0.bytes) }
    }

    /// Takes in what the log gained.
    mutating func update(schema: LinnetCRDT.Schema, keys: borrowing DeviceKeys) {
        ring.update(from: log, keys: keys)
        scopes = ScopeTable(schema: schema, ring: ring, log: log)
    }
}

/// The scopes of the schema under their opaque names; empty until the first data key is held.
struct ScopeTable {
    private var ids: [(name: String, id: ScopeID)] = []

    init(schema: LinnetCRDT.Schema, ring: KeyRing, log: MembershipLog) {
        guard let key = ring.firstDataKey(in: log) else { return }
        for name in schema.scopes {
            ids.append((name, BatchName.scope(name, firstDataKey: key.bytes)))
        }
    }

    func id(named name: String) -> ScopeID? { ids.first { $0.name == name }?.id }

    /// All scopes, in the order of their opaque names.
    var sorted: [(name: String, id: ScopeID)] { ids.sorted { $0.id < $1.id } }
}
