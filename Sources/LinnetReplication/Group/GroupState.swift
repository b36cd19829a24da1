import LinnetCRDT
import LinnetCrypto
import LinnetMembership
import LinnetStorage
import LinnetWire

/// The knowledge that a member has of its group: who belongs to it, its keys, and the names of its
/// scopes.
///
/// It is handed around at every step and seldom changes, so its parts lie behind one reference.
struct GroupState {
    private var parts: Parts

    var log: MembershipLog {
        get { parts.values.log }
        set { change { $0.log = newValue } }
    }
    var ring: KeyRing {
        get { parts.values.ring }
        set { change { $0.ring = newValue } }
    }
    var scopes: ScopeTable { parts.values.names.scopes }
    var naming: NamingKeys? { parts.values.names.naming }
    /// The scopes that each member may read.
    var rights: ScopeRights { parts.values.names.rights }
    var batchKeys: BatchKeys { parts.values.batchKeys }
    /// The keys that others handed to this device.
    var handed: HandedKeys {
        get { parts.values.handed }
        set { change { $0.handed = newValue } }
    }
    var sessionKeys: SessionKeys {
        get { parts.values.sessionKeys }
        set { change { $0.sessionKeys = newValue } }
    }
    /// The batches that count, of the chains that are held.
    var counted: CountedChains {
        get { parts.values.counted }
        set { change { $0.counted = newValue } }
    }

    init(
        log: MembershipLog, schema: Schema, keys: borrowing DeviceKeys,
        handed: HandedKeys = HandedKeys()
    ) {
        let ring = KeyRing(log: log, keys: keys)
        var sessionKeys = SessionKeys()
        sessionKeys.update(log: log, ring: ring, keys: keys)
        parts = Parts(
            Parts.Values(
                log: log, ring: ring,
                names: Names(log, ring, schema, on: keys.device, before: nil),
                batchKeys: BatchKeys(), handed: handed, sessionKeys: sessionKeys,
                counted: CountedChains()))
    }

    private mutating func change(_ body: (inout Parts.Values) -> Void) {
        var values = parts.values
        body(&values)
        parts = Parts(values)
    }

    /// The names of scopes and schemas, and who may read which.
    private struct Names {
        let scopes: ScopeTable
        let naming: NamingKeys?
        let rights: ScopeRights

        init(
            _ log: MembershipLog, _ ring: KeyRing, _ schema: Schema, on device: DeviceID,
            before: ScopeRights?
        ) {
            naming = ring.naming(in: log)
            scopes = ScopeTable(schema: schema, naming)
            rights = ScopeRights(
                log, on: device,
                before?.roots.adapted(to: schema, naming) ?? ScopeRoots(schema, naming))
        }
    }

    private final class Parts {
        struct Values {
            var log: MembershipLog
            var ring: KeyRing
            var names: Names
            var batchKeys: BatchKeys
            var handed: HandedKeys
            var sessionKeys: SessionKeys
            var counted: CountedChains
        }

        let values: Values

        init(_ values: Values) { self.values = values }
    }

    /// Returns the opaque name of a scope; nil until the keys of names are held.
    func scope(named name: String) -> ScopeID? {
        scopes.id(named: name) ?? naming?.scope(name)
    }

    /// Returns true when what a device wrote is kept, since an admin let it write once; not all of
    /// it may count.
    func isKept(_ device: DeviceID) -> Bool { log.state.writers.contains(device) }

    /// Returns true when what a device writes now counts.
    func mayWrite(_ device: DeviceID) -> Bool { log.state.member(device)?.role.writes ?? false }

    /// The scopes of a grant.
    func scopes(of grant: ScopeGrant) -> ScopeFilter {
        guard case .some(let roots) = grant else { return .everything }
        return rights.roots.filter(of: roots)
    }

    /// The root of a scope, by whose key its batches are sealed; nil where neither the schema nor a
    /// write told it.
    func root(of scope: ScopeID) -> ScopeID? {
        rights.root(of: scope) ?? batchKeys.root(of: scope)
    }

    /// Notes the root of a scope that is written to.
    func note(root name: String, of scope: ScopeID) {
        guard rights.isScoped, rights.root(of: scope) == nil,
            let root = self.scope(named: name)
        else { return }
        batchKeys.note(root, of: scope)
    }

    /// Opens a stored batch.
    func open(_ stored: BatchRow, in row: ChainRow) -> OpenedBatch {
        do {
            guard let plaintext = try plaintext(of: stored, in: row) else { return .waiting }
            return .body(try BatchBody.decode(plaintext: plaintext))
        } catch {
            return .void
        }
    }

    /// Returns the plaintext of a stored batch; nil while the keys of its epoch are not here.
    func plaintext(of stored: BatchRow, in row: ChainRow) throws(CryptoError) -> [UInt8]? {
        // Whoever lies about the root writes what some can open and others cannot.
        if let root = stored.root, !isRoot(root, of: row.scope) { throw .badTag }
        let batch = SealedBatch(stored, in: row, of: log.group)
        if let keys = ring.keys(of: stored.epoch),
            let key = batchKeys.key(
                of: keys, author: batch.author, scope: row.scope, root: stored.root)
        {
            // Whoever holds the data key knows that its key is right.
            guard keys.dataKey == nil else { return try batch.open(key: key.bytes) }
            if let plaintext = try? batch.open(key: key.bytes) {
                batchKeys.prove(keyName(of: stored, in: row))
                return plaintext
            }
        }
        return try handedPlaintext(of: batch, named: keyName(of: stored, in: row))
    }

    /// False where a root is none, or another one than that of a scope.
    private func isRoot(_ root: ScopeID, of scope: ScopeID) -> Bool {
        guard root != ScopeGrant.scopeNames, root != ScopeGrant.schemaNames else { return false }
        return rights.root(of: scope).map { $0 == root } ?? true
    }

    /// Opens a batch by a key that another device handed to this one; nil where nobody did, or
    /// nothing shows yet that its key is right.
    private func handedPlaintext(
        of batch: SealedBatch, named name: WantedKey
    ) throws(CryptoError) -> [UInt8]? {
        if let key = handed[name] { return try open(batch, by: key, named: name) }
        guard batchKeys.isProven(name) else { return nil }
        throw .badTag
    }

    /// Opens a batch by the key that it names.
    func open(
        _ batch: SealedBatch, by key: SharedSecret, named name: WantedKey
    ) throws(CryptoError) -> [UInt8] {
        guard name.author == nil else { return try batch.open(key: key.bytes) }
        return try batch.open(
            key: BatchName.key(
                ofRoot: key.bytes, author: batch.author, scope: batch.header.scope))
    }

    /// The name of the key that a stored batch needs.
    func keyName(of stored: BatchRow, in row: ChainRow) -> WantedKey {
        WantedKey(
            epoch: stored.epoch, scope: stored.root ?? row.scope,
            author: stored.root == nil ? row.author : nil)
    }

    /// Returns the content of a stored batch; nil when its keys are not here or it can never be
    /// read.
    func body(of stored: BatchRow, in row: ChainRow) -> BatchBody? {
        if case .body(let body) = open(stored, in: row) { body } else { nil }
    }

    /// Takes in the keys and scopes that the log gained.
    mutating func update(schema: Schema, keys: borrowing DeviceKeys) {
        var ring = ring
        ring.update(from: log, keys: keys)
        var sessionKeys = sessionKeys
        sessionKeys.update(log: log, ring: ring, keys: keys)
        let names = Names(log, ring, schema, on: keys.device, before: rights)
        change { ($0.ring, $0.sessionKeys, $0.names) = (ring, sessionKeys, names) }
    }
}

/// The result of opening a stored batch.
enum OpenedBatch {
    case body(BatchBody)
    /// The keys of its epoch are not here yet.
    case waiting
    /// It will never have an effect on any replica.
    case void
}

/// The scopes of the schema under their opaque names; empty until the keys of names are held.
struct ScopeTable {
    private var ids: [(name: String, id: ScopeID)] = []

    init(schema: Schema, _ naming: NamingKeys?) {
        guard let naming else { return }
        for name in schema.scopes { ids.append((name, naming.scope(name))) }
    }

    func id(named name: String) -> ScopeID? { ids.first { $0.name == name }?.id }

    /// The scopes in the order of their opaque names.
    var sorted: [(name: String, id: ScopeID)] { ids.sorted { $0.id < $1.id } }
}
