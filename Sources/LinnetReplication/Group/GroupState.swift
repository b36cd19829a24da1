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
        get { parts.log }
        set { parts = Parts(newValue, ring, scopes, batchKeys, sessionKeys, counted) }
    }
    var ring: KeyRing {
        get { parts.ring }
        set { parts = Parts(log, newValue, scopes, batchKeys, sessionKeys, counted) }
    }
    var scopes: ScopeTable { parts.scopes }
    var batchKeys: BatchKeys { parts.batchKeys }
    var sessionKeys: SessionKeys {
        get { parts.sessionKeys }
        set { parts = Parts(log, ring, scopes, batchKeys, newValue, counted) }
    }
    /// The batches that count, of the chains that are held.
    var counted: CountedChains {
        get { parts.counted }
        set { parts = Parts(log, ring, scopes, batchKeys, sessionKeys, newValue) }
    }

    init(log: MembershipLog, schema: Schema, keys: borrowing DeviceKeys) {
        let ring = KeyRing(log: log, keys: keys)
        var sessionKeys = SessionKeys()
        sessionKeys.update(log: log, ring: ring, keys: keys)
        parts = Parts(
            log, ring, ScopeTable(schema: schema, ring: ring, log: log), BatchKeys(), sessionKeys,
            CountedChains())
    }

    private final class Parts {
        let log: MembershipLog
        let ring: KeyRing
        let scopes: ScopeTable
        let batchKeys: BatchKeys
        let sessionKeys: SessionKeys
        let counted: CountedChains

        init(
            _ log: MembershipLog, _ ring: KeyRing, _ scopes: ScopeTable, _ batchKeys: BatchKeys,
            _ sessionKeys: SessionKeys, _ counted: CountedChains
        ) {
            self.log = log
            self.ring = ring
            self.scopes = scopes
            self.batchKeys = batchKeys
            self.sessionKeys = sessionKeys
            self.counted = counted
        }
    }

    /// Returns the opaque name of a scope; nil until the first data key is held.
    func scope(named name: String) -> ScopeID? {
        if let id = scopes.id(named: name) { return id }
        return ring.firstDataKey(in: log).map { BatchName.scope(name, firstDataKey: $0.bytes) }
    }

    /// Returns true when what a device wrote is kept, since an admin let it write once; not all of
    /// it may count.
    func isKept(_ device: DeviceID) -> Bool { log.state.writers.contains(device) }

    /// Returns true when what a device writes now counts.
    func mayWrite(_ device: DeviceID) -> Bool { log.state.member(device)?.role.writes ?? false }

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
        guard let keys = ring.keys(of: stored.epoch)?.dataKey else { return nil }
        let batch = SealedBatch(stored, in: row, of: log.group)
        let key = batchKeys.key(
            epoch: stored.epoch, author: batch.author, scope: row.scope, dataKey: keys)
        return try batch.open(key: key.bytes)
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
        parts = Parts(
            log, ring, ScopeTable(schema: schema, ring: ring, log: log), batchKeys, sessionKeys,
            counted)
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

/// The scopes of the schema under their opaque names; empty until the first data key is held.
struct ScopeTable {
    private var ids: [(name: String, id: ScopeID)] = []

    init(schema: Schema, ring: KeyRing, log: MembershipLog) {
        guard let key = ring.firstDataKey(in: log) else { return }
        for name in schema.scopes {
            ids.append((name, BatchName.scope(name, firstDataKey: key.bytes)))
        }
    }

    func id(named name: String) -> ScopeID? { ids.first { $0.name == name }?.id }

    /// The scopes in the order of their opaque names.
    var sorted: [(name: String, id: ScopeID)] { ids.sorted { $0.id < $1.id } }
}
